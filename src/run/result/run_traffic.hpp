/// Memory traffic of a run, phase by phase and solver by solver, beside the memory's bandwidth.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/comm.hpp"
#include "base/phases.hpp"
#include "solve/solve_control.hpp"

namespace solenoid {

/// Bytes of all ranks, as counted by count_traffic().
struct RunTraffic {
  std::vector<std::pair<std::string, double>> phases, solvers;
  double triad = 0;  ///< bandwidth of all ranks together [bytes/s]; 0: not measured
};

/// Traffic of the phases known to rank 0. With `measure`, runs the triad for 0.05 s. Collective.
RunTraffic traffic_of_run(const Comm& comm, const Phases& phases, const SolveLog& solves, bool measure);

}  // namespace solenoid
