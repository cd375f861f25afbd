/// A mesh without some of its cells: the entities that stay, in their order.
#pragma once

#include <vector>

#include "mesh/topology.hpp"

namespace solenoid {

/// The subset of entities that stay, numbered without gaps.
class Kept {
 public:
  explicit Kept(int count) : number_(count, left_out) {}

  void keep(int entity) { number_[entity] = 0; }
  bool has(int entity) const { return number_[entity] != left_out; }
  /// Numbers the entities. Call once all are kept.
  void count();
  int number(int entity) const { return number_[entity]; }  ///< of a kept entity, after count()

  /// The rows of a table for the kept entities; empty for an empty table.
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

/// All entities of the kept cells.
struct KeptEntities {
  Kept cells, nodes, faces, edges;
  KeptEntities(const Connectivity& mesh, Kept cells);
};

/// Restricts the mesh to the kept cells, except that `node_boundary_loop` keeps the values of the whole mesh. Returns
/// the kept copies of points by their earlier numbers.
std::vector<int> restrict_mesh(const Connectivity& mesh, const KeptEntities& kept, Connectivity& restricted);

}  // namespace solenoid
