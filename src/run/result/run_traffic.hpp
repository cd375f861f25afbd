/// Memory traffic of a run, phase by phase and solver by solver, beside the memory's bandwidth.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/comm.hpp"
#include "base/phases.hpp"
#include "solve/solve_control.hpp"

namespace solenoid {

/// Bytes of all ranks, as count_traffic() has them.
struct RunTraffic {
  std::vector<std::pair<std::string, double>> phases, solvers;
  double triad = 0;  ///< of all ranks together, just measured [bytes/s]; 0: not measured
};

/// Of the phases that rank 0 knows. With `measure` the triad takes its twentieth of a second. Collective.
RunTraffic traffic_of_run(const Comm& comm, const Phases& phases, const SolveLog& solves, bool measure);

}  // namespace solenoid
