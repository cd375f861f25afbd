/// The levels of multigrid, from the finest to the last.
#pragma once

#include "solve/multigrid/level.hpp"
#include "solve/multigrid/multigrid.hpp"

namespace solenoid {

struct Hierarchy {
  std::vector<std::unique_ptr<Level>> levels;
  MultigridShape shape;
  double traffic = 0;  ///< bytes read and written by this rank in a cycle

  /// Parameters as for Multigrid. Collective.
  Hierarchy(const Comm& comm, LocalNumbering numbering, SingleRows rows, std::vector<float> null,
            const MultigridSizes& sizes);
};

}  // namespace solenoid
