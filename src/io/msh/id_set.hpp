/// A set of the ids of nodes or elements in a file, in memory bounded by their number.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

namespace solenoid {

class IdSet {
 public:
  IdSet() = default;
  /// For `count` ids above 0, most of them at most 64 * count.
  explicit IdSet(std::int64_t count) : bits_(static_cast<std::size_t>(count) + 1, 0) {}

  /// False if the set already has it.
  bool insert(std::int64_t id) {
    if (!is_near(id)) return far_.insert(id).second;
    std::uint64_t& word = bits_[static_cast<std::size_t>(id / 64)];
    const std::uint64_t bit = std::uint64_t{1} << (id % 64);
    const bool is_new = (word & bit) == 0;
    word |= bit;
    return is_new;
  }
  bool contains(std::int64_t id) const {
    if (!is_near(id)) return far_.count(id) != 0;
    return (bits_[static_cast<std::size_t>(id / 64)] >> (id % 64) & 1) != 0;
  }

 private:
  bool is_near(std::int64_t id) const { return static_cast<std::uint64_t>(id) / 64 < bits_.size(); }

  std::vector<std::uint64_t> bits_;
  std::unordered_set<std::int64_t> far_;
};

}  // namespace solenoid
