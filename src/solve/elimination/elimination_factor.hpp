/// The factor of a matrix by repeated elimination, on the host: unknowns sorted by level.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh/host_exchange.hpp"
#include "operators/matrix_rows.hpp"

namespace solenoid {

struct EliminationSizes {
  int kept = 6;               ///< couplings of each row that no thinning removes
  std::int64_t direct = 200;  ///< largest level solved by its inverse, in unknowns over all ranks
};

/// M = N L (1 + C) L^T N, close to A, N diagonal: L has a unit diagonal, 1 + C is dense, on the last level. Local
/// unknowns are the owned ones by level, then by global id; then, level by level, copies of those of other ranks.
struct EliminationFactor {
  std::vector<int> first;                ///< owned unknown of each level, the last one included; plus the end
  std::vector<int> from;                 ///< per owned unknown: its number before sorting
  std::vector<real> weight;              ///< N^-1 per owned unknown, before sorting
  std::vector<ExchangePlan> plan;        ///< per level: of its unknowns
  std::vector<SingleRows> lower, upper;  ///< per level: its rows of L and of L^T without the diagonal
  SingleRows inverse;                    ///< of 1 + C, the owned rows
  int total = 0;                         ///< local unknowns
  std::vector<std::int64_t> rows;        ///< unknowns of the matrix at each level, over all ranks
};

/// Parameters as for Elimination. Collective.
EliminationFactor eliminate(const Comm& comm, LocalNumbering numbering, MatrixRows rows, const std::vector<real>& null,
                            const EliminationSizes& sizes);

}  // namespace solenoid
