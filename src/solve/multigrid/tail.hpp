/// The small levels at the end of a multigrid cycle, down and up in one launch.
#pragma once

#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "solve/multigrid/hierarchy.hpp"

namespace solenoid {

/// A level for a kernel that runs all its passes. V: float, or several.
template <class V>
struct LevelInKernel {
  struct Matrix {
    SparseRows<Unknown, Unknown, float> rows;
    int count, shares;
  };
  Matrix matrix, restriction, prolongation;  ///< the transfers to the next level, if there is one
  bool is_inverse, has_coarser;
  ChebyshevSteps steps;
  View<Unknown, V> b, x, y;
};

/// From the first level on that is held whole, as are those after it, with matrices of few entries: one launch, where
/// the same passes one by one would be six a level, each shorter than its launch.
class CycleTail {
 public:
  /// `most`: entries of each matrix. Refers to the levels, which must outlive it.
  CycleTail(const std::vector<std::unique_ptr<Level>>& levels, std::int64_t most);

  bool begins_at(std::size_t depth) const { return depth == begin_; }
  /// The cycle from b of the first level to its y, in the bits of passes one by one.
  template <class V>
  void run();

 private:
  template <class V>
  using Levels = std::optional<DeviceArray<LevelInKernel<V>>>;

  const std::vector<std::unique_ptr<Level>>& levels_;
  std::size_t begin_;  // number of levels: there is none
  CycleTraffic traffic_;
  std::tuple<Levels<float>, Levels<Triple>> made_;  // at the first use
};

}  // namespace solenoid
