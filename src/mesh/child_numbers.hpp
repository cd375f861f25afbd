/// Numbers of the nodes, edges or faces that refinement makes, by the entities that they descend from.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "mesh/divided_cell.hpp"
#include "mesh/mesh_part.hpp"

namespace solenoid {

inline constexpr std::array<Parent, 4> all_parents{Parent::node, Parent::edge, Parent::face, Parent::cell};

inline const LocalNumbering& numbering_of(const MeshPart& part, Parent kind) {
  switch (kind) {
    case Parent::node:
      return part.node_numbering;
    case Parent::edge:
      return part.edge_numbering;
    case Parent::face:
      return part.face_numbering;
    default:
      return part.cell_numbering;
  }
}

/// The children of one kind of all local entities, each parent with as many places as it has at most.
class ChildNumbers {
 public:
  static constexpr std::int64_t none = -1;
  static constexpr std::int64_t counted = -2;

  std::vector<std::int64_t> global_id;  ///< by place; none: no child there

  ChildNumbers(const MeshPart& part, const ChildCounts& counts) : counts_(counts) {
    int places = 0;
    for (std::size_t kind = 0; kind < counts.size(); ++kind) {
      begin_[kind] = places;
      places += counts[kind] * numbering_of(part, all_parents[kind]).total();
    }
    global_id.assign(static_cast<std::size_t>(places), none);
  }

  int count(Parent kind) const { return counts_[static_cast<std::size_t>(kind)]; }
  int place(const Descent& of) const {
    return begin_[static_cast<std::size_t>(of.kind)] + of.entity * count(of.kind) + of.place;
  }

 private:
  ChildCounts counts_;
  std::array<int, 4> begin_{};
};

/// Children in local numbers.
struct ArrangedChildren {
  std::vector<int> local;  ///< by place of ChildNumbers, -1: no child
  LocalNumbering numbering;

  int of(const ChildNumbers& numbers, const Descent& descent) const { return local[numbers.place(descent)]; }
};

}  // namespace solenoid
