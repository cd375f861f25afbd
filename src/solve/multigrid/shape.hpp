/// Sizes of a multigrid hierarchy, for reports.
#pragma once

#include <cstdint>
#include <vector>

namespace solenoid {

struct MultigridShape {
  std::vector<std::int64_t> rows;  ///< unknowns of each level, over all ranks
  double complexity = 0;           ///< entries of all levels' matrices over those of the finest one
  double bytes_per_unknown = 0;    ///< that its matrices and vectors take, over all ranks
  double bytes_on_every_rank = 0;  ///< that levels take which every one of several ranks holds whole
};

}  // namespace solenoid
