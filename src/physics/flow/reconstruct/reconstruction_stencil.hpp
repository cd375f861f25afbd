/// Faces and images around a node, the stencil of its reconstruction.
#pragma once

#include <vector>

#include "physics/flow/boundary/flow_boundary.hpp"
#include "physics/flow/reconstruct/wide_halo_mesh.hpp"

namespace solenoid {

/// How the mesh is seen: as it is, beyond periodic pairs, in mirrors. A product of translations and reflections, x ->
/// offset + (row . x).
struct SeenImage {
  Vec3 row[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  Vec3 offset;           ///< [m]
  bool mirrors = false;  ///< right hands are left hands
  Vec3 of(const Vec3& x) const { return offset + Vec3{dot(row[0], x), dot(row[1], x), dot(row[2], x)}; }
  bool only_moves() const;  ///< is a translation
};

/// A face, and in which image it is seen.
struct SeenFace {
  int face;
  SeenImage image;
};

/// Faces of the rings of cells around one node after the other. Beyond a periodic pair the domain goes on at the other
/// patch, and beyond a plane of symmetry in its mirror image: a face may be seen at several places then. At a node
/// where planes meet at other angles than right ones there is no mirror, for their images need not fit together.
class ReconstructionStencil {
 public:
  ReconstructionStencil(const WideHaloMesh& wide, const FlowBoundaries& boundaries);

  /// The first ring: the cells that have the node.
  void start(int node);
  /// One more ring: the cells that share a node with those so far.
  void grow();
  std::size_t count() const { return faces_.size(); }
  /// visit(face) for each place where one is seen.
  template <class Visit>
  void for_each_face(const Visit& visit) const {
    for (const Seen& face : faces_) visit(face.entity);
  }
  /// Ascending in their global ids, then by place: the same order on any partition.
  std::vector<SeenFace> sorted_faces() const;

 private:
  /// Something of the mesh, and the number of the image in which it is seen.
  struct Seen {
    int entity;
    std::size_t image;
  };
  /// At which start each was seen last in one image.
  struct Marks {
    std::vector<int> node, cell, face;
    explicit Marks(const MeshPart& part) : node(part.nodes(), -1), cell(part.cells(), -1), face(part.faces(), -1) {}
  };
  Marks& marks_of(const Seen& seen) { return marks_[seen.image]; }

  SeenImage reflection(int face) const;
  real length_at(int node) const;
  std::size_t find(const SeenImage& image, real nearly) const;
  std::size_t number_of(const SeenImage& image, real nearly);
  std::size_t moved(std::size_t image, const Vec3& by);
  std::vector<std::size_t> images_at(const Seen& node);
  bool is_seen_in_its_own_mirror(const Seen& face) const;
  void add_cells_of(const Seen& node);

  const MeshPart& part_;
  const Csr<int>& cells_of_;
  const std::vector<std::int64_t>& id_;
  std::vector<char> is_mirror_;  // of faces: on planes of symmetry
  Csr<int> mirrors_of_;          // one face for each plane around a node
  int start_ = -1, node_ = -1;   // how many nodes were before; the node
  std::vector<SeenImage> images_;
  std::vector<Marks> marks_;
  std::vector<Seen> outermost_;  // cells of the last ring
  std::vector<Seen> faces_;
};

}  // namespace solenoid
