/// Sizes of a multigrid hierarchy, for reports.
#pragma once

#include <cstdint>
#include <vector>

namespace solenoid {

struct MultigridShape {
  std::vector<std::int64_t> rows;  ///< unknowns of each level, over all ranks
  double complexity = 0;           ///< entries of all levels' matrices over those of the finest one
  double bytes_per_unknown = 0;    ///< of its matrices and vectors, over all ranks
  double bytes_on_every_rank = 0;  ///< of levels held whole by every one of several ranks
};

}  // namespace solenoid
