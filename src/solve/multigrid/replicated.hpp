/// A level stored whole on every rank, where ranks would wait for each other.
#pragma once

#include "base/comm.hpp"
#include "solve/multigrid/host_level.hpp"

namespace solenoid {

struct Replicated {
  LocalNumbering gathered;  ///< of the level as the ranks share it, all that others own in the halo
  std::vector<int> place;   ///< per local unknown there: its number in `level`
  HostLevel level;          ///< all of it, ascending in the global ids, as if this rank were alone
};

/// Collective.
Replicated replicate(const Comm& comm, const HostLevel& level);

}  // namespace solenoid
