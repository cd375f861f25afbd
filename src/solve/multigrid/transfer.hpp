/// Prolongation and restriction between a level and the coarser one, and the prolongation's product with the matrix.
#pragma once

#include "solve/multigrid/aggregates.hpp"

namespace solenoid {

/// Rows of the prolongation P and of A P, with the pattern of A P: entry k is in column[k], in the numbers of
/// `CoarseNumbers`. First the rows owned by this rank, then rows of other ranks with entries in its coarse unknowns.
struct TransferRows {
  std::vector<int> offset{0};
  std::vector<int> column;
  std::vector<float> p, ap;
  std::vector<std::int64_t> id_of_other;  ///< of the rows after the owned ones
  std::vector<int> owner_of_other;

  int rows() const { return static_cast<int>(offset.size()) - 1; }
};

/// P: one on each aggregate, times the null vector, smoothed by P <- (1 - step A) P with each of `steps` (Vanek, Mandel
/// & Brezina 1996). New columns are added to the aggregates' numbers. Collective.
TransferRows transfer_rows(const HostExchange& exchange, const HostLevel& level, Aggregates& aggregates,
                           const std::vector<float>& steps);

}  // namespace solenoid
