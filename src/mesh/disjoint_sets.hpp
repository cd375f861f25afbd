/// Connected components by union-find (Tarjan 1975).
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

namespace solenoid {

class DisjointSets {
 public:
  explicit DisjointSets(int count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }

  /// The lowest member of the set that contains `i`.
  int lowest(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(int i, int j) {
    const int a = lowest(i), b = lowest(j);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<int> parent_;
};

}  // namespace solenoid
