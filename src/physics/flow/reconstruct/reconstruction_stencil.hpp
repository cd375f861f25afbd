/// Faces and images around a node, the stencil of its reconstruction.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "physics/flow/boundary/flow_boundary.hpp"
#include "physics/flow/reconstruct/wide_halo_mesh.hpp"

namespace solenoid {

/// An image of the mesh: as it is, beyond periodic pairs, in mirrors. A product of translations and reflections, x ->
/// offset + (row . x).
struct SeenImage {
  Vec3 row[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  Vec3 offset;           ///< [m]
  bool mirrors = false;  ///< right-handed becomes left-handed
  Vec3 of(const Vec3& x) const { return offset + Vec3{dot(row[0], x), dot(row[1], x), dot(row[2], x)}; }
  bool only_moves() const;  ///< whether it is a translation
  /// Of the vector between two points.
  Vec3 turned(const Vec3& v) const { return {dot(row[0], v), dot(row[1], v), dot(row[2], v)}; }
};

/// A face in an image.
struct SeenFace {
  int face;
  SeenImage image;
};

/// Faces of the rings of cells around one node at a time. The domain continues beyond a periodic pair at the other
/// patch, and beyond a plane of symmetry in its mirror image: a face may then appear at several places. A node where
/// planes do not meet at right angles has no mirror images, for they need not fit together.
class ReconstructionStencil {
 public:
  ReconstructionStencil(const WideHaloMesh& wide, const FlowBoundaries& boundaries);

  /// The first ring: the cells at the node.
  void start(int node);
  /// One more ring: the cells that share a node with those so far.
  void grow();
  std::size_t count() const { return faces_.size(); }
  /// Calls visit(face) once per place where a face appears.
  template <class Visit>
  void for_each_face(const Visit& visit) const {
    for (const Seen& face : faces_) visit(face.entity);
  }
  /// A place where a face appears: the number of its image, and its centre there [m].
  struct Place {
    int face;
    std::size_t image;
    Vec3 centre;
  };
  /// Sorted by global id, then by place: the same order on any partition. Valid until the next call of any member.
  const std::vector<Place>& sorted_places();
  /// The same.
  std::vector<SeenFace> sorted_faces();
  const SeenImage& image(std::size_t number) const { return images_[number]; }

 private:
  /// An entity of the mesh and the number of its image.
  struct Seen {
    int entity;
    std::size_t image;
  };
  enum class Kind : std::uint64_t { node, cell, face };
  /// The entities found since clear(): a hash table, since those of the whole mesh are many for each thread.
  class Found {
   public:
    void clear();
    bool insert(Kind kind, const Seen& seen);  ///< false if it has been found already
    bool contains(Kind kind, const Seen& seen) const { return places_[place_of(key(kind, seen))].round == round_; }

   private:
    struct Place {
      std::uint64_t key = 0;
      int round = 0;  // free unless that of the table
    };
    static std::uint64_t key(Kind kind, const Seen& seen) {
      return (3 * static_cast<std::uint64_t>(seen.image) + static_cast<std::uint64_t>(kind)) << 32 |
             static_cast<std::uint32_t>(seen.entity);
    }
    std::size_t place_of(std::uint64_t key) const;
    void grow();

    int bits_ = 12, round_ = 1;
    std::size_t count_ = 0;
    std::vector<Place> places_ = std::vector<Place>(std::size_t{1} << bits_);
  };
  bool is_on_mirror(int face) const { return part_.face_patch[face] >= 0 && is_mirror_[part_.face_patch[face]]; }

  SeenImage reflection(int face) const;
  real length_at(int node) const;
  std::size_t find(const SeenImage& image, real nearly) const;
  std::size_t number_of(const SeenImage& image, real nearly);
  std::size_t moved(std::size_t image, const Vec3& by);
  std::vector<std::size_t> images_at(const Seen& node);
  bool is_seen_in_its_own_mirror(const Seen& face) const;
  void add_cells_of(const Seen& node);
  void add_cells_in(std::size_t image, int node);

  const MeshPart& part_;
  const Csr<int>& cells_of_;
  const std::vector<std::int64_t>& id_;
  bool has_pairs_;
  std::vector<char> is_mirror_;  // of patches: planes of symmetry
  Csr<int> mirrors_of_;          // one face for each plane around a node
  int node_ = -1;
  std::vector<SeenImage> images_;
  Found found_;
  std::vector<Seen> outermost_;  // cells of the last ring
  std::vector<Seen> faces_;
  std::vector<std::pair<std::int64_t, int>> order_;  // global ids and numbers in faces_, for sorting
  std::vector<Place> places_;
};

}  // namespace solenoid
