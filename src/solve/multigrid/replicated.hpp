/// A level stored whole on every rank, to avoid waits between ranks.
#pragma once

#include "base/comm.hpp"
#include "solve/multigrid/host_level.hpp"

namespace solenoid {

struct Replicated {
  LocalNumbering gathered;  ///< the level as shared by the ranks, with all unknowns of other ranks in the halo
  std::vector<int> place;   ///< per local unknown there: its number in `level`
  HostLevel level;          ///< the whole level, ascending in the global ids, as on a single rank
};

/// Collective.
Replicated replicate(const Comm& comm, const HostLevel& level);

}  // namespace solenoid
