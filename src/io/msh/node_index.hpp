/// The numbers of the nodes that elements have, in ascending order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace solenoid {

/// In memory bounded by the number of the elements' nodes.
class NodeIndex {
 public:
  /// `lists`: numbers from 0 on, each any number of times.
  explicit NodeIndex(std::initializer_list<std::span<const std::int64_t>> lists) {
    std::int64_t highest = 0, count = 0;
    for (const auto& list : lists) {
      for (const std::int64_t id : list) highest = std::max(highest, id);
      count += std::ssize(list);
    }
    if (highest <= count) {  // Gmsh's own numbering: a table by number is small
      index_.assign(static_cast<std::size_t>(highest) + 1, -1);
      for (const auto& list : lists) {
        for (const std::int64_t id : list) index_[static_cast<std::size_t>(id)] = 0;
      }
      for (std::size_t id = 0; id < index_.size(); ++id) {
        if (index_[id] < 0) continue;
        index_[id] = static_cast<int>(ids_.size());
        ids_.push_back(static_cast<std::int64_t>(id));
      }
    } else {
      for (const auto& list : lists) ids_.insert(ids_.end(), list.begin(), list.end());
      std::sort(ids_.begin(), ids_.end());
      ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
    }
  }
  const std::vector<std::int64_t>& ids() const { return ids_; }
  int find(std::int64_t id) const {  ///< its place in ids(); -1: not there
    if (!index_.empty()) return id < std::ssize(index_) ? index_[static_cast<std::size_t>(id)] : -1;
    const auto found = std::lower_bound(ids_.begin(), ids_.end(), id);
    return found == ids_.end() || *found != id ? -1 : static_cast<int>(found - ids_.begin());
  }

 private:
  std::vector<std::int64_t> ids_;
  std::vector<int> index_;  // by number; empty if the numbers are sparse
};

}  // namespace solenoid
