/// Nodes around a node, and the tree of faces along which a stream function is summed from it, each face adding its
/// flux (2D). Planes of symmetry are mirrors; beyond a periodic pair the tree continues at the other patch.
#pragma once

#include "physics/flow/boundary/flow_boundary.hpp"
#include "physics/flow/reconstruct/wide_halo_mesh.hpp"

namespace solenoid {

class StreamTree {
 public:
  /// A step along a face from place `from` to the next: the stream function changes by `sign` times the face's flux.
  struct Step {
    int from, face, sign;
  };
  /// A face of the cells around and the image in which it appears, of a mirror or beyond a periodic pair; 0: as it is.
  struct SeenFace {
    int face, image;
  };

  /// Refers to `wide`, which must outlive it.
  StreamTree(const WideHaloMesh& wide, const FlowBoundaries& boundaries);

  /// Begins with the node alone.
  void start(int node);
  /// Adds one more ring of cells and their nodes.
  void grow();

  int node() const { return nodes_[0].node; }
  const std::vector<Vec3>& places() const { return places_; }    ///< of the node and of those around it
  const std::vector<Step>& steps() const { return steps_; }      ///< to each of them; the first is empty
  const std::vector<SeenFace>& faces() const { return faces_; }  ///< the same order on any partition
  /// The end of the face, in its image, that is the node itself; -1 if none is.
  int end_at_node(const SeenFace& seen);
  Vec3 seen(const Vec3& x, int image) const { return images_[static_cast<std::size_t>(image)].of(x); }

 private:
  /// A product of reflections and translations: x -> offset + (row_x . x, row_y . x).
  struct Image {
    Vec3 row_x{1, 0, 0}, row_y{0, 1, 0}, offset;
    int parity = 1;
    Vec3 of(const Vec3& x) const { return offset + Vec3{dot(row_x, x), dot(row_y, x), 0}; }
  };
  struct SeenNode {
    int node, image;
  };
  /// Entities of a mesh in an image, by local number: the start() at which each was last found.
  struct Marks {
    std::vector<int> node, cell, face, place;  // place: of a node among places_
    Marks(const MeshPart& part) : node(part.nodes(), -1), cell(part.cells(), -1), face(part.faces(), -1), place(node) {}
  };

  Image reflection(int face) const;
  int image_number(const Image& image);
  int moved(int image, const Vec3& by);
  std::vector<int> images_at(const SeenNode& seen);
  real reach_of_rounding(const Vec3& here) const;
  int place_of(const SeenNode& seen) const;
  void add(const SeenNode& seen, const Step& step);
  SeenNode end_of(int face, int image, std::size_t end);

  const MeshPart& part_;
  const Csr<int>& cells_of_;
  const std::vector<std::int64_t>& id_;  // of faces
  Csr<int> mirrors_of_;                  // faces on planes of symmetry, around each node
  int start_ = -1;                       // number of start() calls before
  std::vector<Marks> marks_;             // by image
  std::vector<Image> images_;
  std::vector<SeenNode> nodes_;
  std::vector<Vec3> places_;
  std::vector<Step> steps_;
  std::vector<SeenFace> faces_;
  std::size_t ringed_ = 0;  // nodes whose cells are included
};

}  // namespace solenoid
