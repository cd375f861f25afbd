/// A mesh without some of its cells: the entities that stay, in their order.
#pragma once

#include <vector>

#include "mesh/topology.hpp"

namespace solenoid {

/// Entities that stay, numbered without gaps.
class Kept {
 public:
  explicit Kept(int count) : number_(count, left_out) {}

  void keep(int entity) { number_[entity] = 0; }
  bool has(int entity) const { return number_[entity] != left_out; }
  /// Once all are known.
  void count();
  int number(int entity) const { return number_[entity]; }  ///< of one that stays, afterwards

  /// Of those that stay, the rows of a table; none of an empty one.
  template <class T>
  std::vector<T> rows(const std::vector<T>& table, int width = 1) const {
    std::vector<T> result;
    if (table.empty()) return result;
    result.reserve(static_cast<std::size_t>(count_) * width);
    for (std::size_t i = 0; i < number_.size(); ++i) {
      if (number_[i] != left_out)
        result.insert(result.end(), table.begin() + i * width, table.begin() + (i + 1) * width);
    }
    return result;
  }
  std::vector<int> renumbered(std::vector<int> entities) const;

 private:
  static constexpr int left_out = -1;
  std::vector<int> number_;
  int count_ = 0;
};

/// All that stays with some cells of a mesh.
struct KeptEntities {
  Kept cells, nodes, faces, edges;
  KeptEntities(const Connectivity& mesh, Kept cells);
};

/// What a mesh with these cells alone is, but for the walls in `node_boundary_loop`: of nodes that stay they are as
/// they were. Returns the copies of points that stay, by their numbers before.
std::vector<int> restrict_mesh(const Connectivity& mesh, const KeptEntities& kept, Connectivity& restricted);

}  // namespace solenoid
