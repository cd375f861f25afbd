/// Numbering of edges and faces as cells meet them, looked up by their nodes.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace solenoid {

/// Numbers entities in the order of their first appearance and identifies them by their nodes, `width` each, ascending.
/// Entities with the same lowest node are stored in groups of eight, compared at once.
template <int width>
class EntityNumbers {
 public:
  /// `nodes_of`: output, the nodes of each entity.
  EntityNumbers(int nodes, std::vector<int>& nodes_of) : latest_(nodes, none), nodes_of_(nodes_of) {}

  int met() const { return met_; }
  void reserve(std::size_t entities) { nodes_of_.reserve(entities * width); }
  int number_of(const std::array<int, width>& nodes) {
    const Key key = key_of(nodes);
    int& latest = latest_[nodes[0]];
    for (int g = latest; g != none; g = groups_[g].before) {
      const Group& group = groups_[g];
      unsigned same = 0;
      for (int k = 0; k < group_size; ++k) same |= static_cast<unsigned>(group.key[k] == key) << k;
      if (same) return group.entity[std::countr_zero(same)];
    }
    if (latest == none || groups_[latest].count == group_size) {
      groups_.emplace_back().before = latest;
      latest = static_cast<int>(groups_.size()) - 1;
    }
    Group& group = groups_[latest];
    group.key[group.count] = key;
    group.entity[group.count++] = met_;
    nodes_of_.insert(nodes_of_.end(), nodes.begin(), nodes.end());
    return met_++;
  }

 private:
  static constexpr int none = -1;
  static constexpr int group_size = 8;
  using Key = std::conditional_t<width == 2, std::uint32_t, std::uint64_t>;  // all nodes except the lowest; 0: none
  struct Group {
    std::array<Key, group_size> key{};
    std::array<int, group_size> entity{};
    int count = 0, before = none;
  };
  static Key key_of(const std::array<int, width>& nodes) {
    Key key = 0;
    for (int k = 1; k < width; ++k)
      key = static_cast<Key>(std::uint64_t{key} << 32 | static_cast<std::uint32_t>(nodes[k]));
    return key;
  }

  int met_ = 0;
  std::vector<int> latest_;  // newest group of each lowest node
  std::vector<Group> groups_;
  std::vector<int>& nodes_of_;
};

}  // namespace solenoid
