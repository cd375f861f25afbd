/// What lies around a node for a fit there.
#pragma once

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "physics/wide_mesh.hpp"

namespace solenoid {

/// A face, and what leads from where it lies to where it is seen: beyond a periodic pair, else 0 [m].
struct SeenFace {
  int face;
  Vec3 shift;
};

/// Faces of the rings of cells around one node after the other. Beyond a periodic pair the domain goes on at the other
/// patch: a face may be seen at several places then.
class FitSurroundings {
 public:
  explicit FitSurroundings(const WideMesh& wide)
      : part_(wide.part), cells_of_(wide.cells_of), id_(wide.faces.numbering().global_id) {
    marks_.emplace_back(part_);
  }

  /// The first ring: the cells that have the node.
  void start(int node) {
    ++start_;
    shifts_ = {Vec3{}};
    outermost_.clear();
    faces_.clear();
    marks_[0].node[node] = start_;
    add_cells_of({node, 0});
  }
  /// One more ring: the cells that share a node with those so far.
  void grow() {
    std::vector<Seen> ring;
    std::swap(ring, outermost_);
    for (const Seen& cell : ring) {
      const std::span<const int> nodes = part_.cell_nodes_of(cell.entity), points = part_.cell_points_of(cell.entity);
      for (std::size_t k = 0; k < nodes.size(); ++k) {
        const Seen node{nodes[k], moved(cell.shift, part_.points[points[k]] - part_.points[nodes[k]])};
        if (std::exchange(marks_of(node).node[node.entity], start_) != start_) add_cells_of(node);
      }
    }
  }
  std::size_t count() const { return faces_.size(); }
  /// visit(face) for each place where one is seen.
  template <class Visit>
  void for_each_face(const Visit& visit) const {
    for (const Seen& face : faces_) visit(face.entity);
  }
  /// Ascending in their global ids: the same order on any partition.
  std::vector<SeenFace> sorted_faces() const {
    std::vector<SeenFace> faces;
    for (const Seen& face : faces_) faces.push_back({face.entity, shifts_[face.shift]});
    std::sort(faces.begin(), faces.end(), [&](const SeenFace& a, const SeenFace& b) {
      return std::tuple(id_[a.face], a.shift.x, a.shift.y, a.shift.z) <
             std::tuple(id_[b.face], b.shift.x, b.shift.y, b.shift.z);
    });
    return faces;
  }

 private:
  /// Something of the mesh, and the number of what leads from where it lies to where it is seen.
  struct Seen {
    int entity;
    std::size_t shift;
  };
  /// At which start each was seen last with one shift.
  struct Marks {
    std::vector<int> node, cell, face;
    explicit Marks(const MeshPart& part) : node(part.nodes(), -1), cell(part.cells(), -1), face(part.faces(), -1) {}
  };
  Marks& marks_of(const Seen& seen) { return marks_[seen.shift]; }

  std::size_t moved(std::size_t shift, const Vec3& by) {
    if (by.x == 0 && by.y == 0 && by.z == 0) return shift;
    const Vec3 wanted = shifts_[shift] + by;
    constexpr real nearly = 1e-6;  // of a translation, which is many cells long
    for (std::size_t k = 0; k < shifts_.size(); ++k) {
      if (norm(shifts_[k] - wanted) < nearly * norm(by)) return k;
    }
    shifts_.push_back(wanted);
    if (marks_.size() < shifts_.size()) marks_.emplace_back(part_);
    return shifts_.size() - 1;
  }

  void add_cells_of(const Seen& node) {
    for (const int c : cells_of_[node.entity]) {
      const Seen cell{c, moved(node.shift, part_.shift_to_node(c, node.entity))};
      if (std::exchange(marks_of(cell).cell[c], start_) == start_) continue;
      outermost_.push_back(cell);
      for (const int f : part_.cell_faces_of(c)) {
        const Seen face{f, moved(cell.shift, part_.shift_to_cell(f, c))};
        if (std::exchange(marks_of(face).face[f], start_) != start_) faces_.push_back(face);
      }
    }
  }

  const MeshPart& part_;
  const Csr<int>& cells_of_;
  const std::vector<std::int64_t>& id_;
  int start_ = -1;  // how many nodes were before
  std::vector<Vec3> shifts_;
  std::vector<Marks> marks_;
  std::vector<Seen> outermost_;  // cells of the last ring
  std::vector<Seen> faces_;
};

}  // namespace solenoid
