/// The levels of multigrid, from the finest to the last.
#pragma once

#include "solve/multigrid/level.hpp"
#include "solve/multigrid/multigrid.hpp"

namespace solenoid {

struct Hierarchy {
  std::vector<std::unique_ptr<Level>> levels;
  MultigridShape shape;
  double traffic = 0;  ///< bytes that this rank reads and writes in a cycle

  /// As Multigrid's. Collective.
  Hierarchy(const Comm& comm, LocalNumbering numbering, SingleRows rows, std::vector<float> null,
            const MultigridSizes& sizes);
};

}  // namespace solenoid
