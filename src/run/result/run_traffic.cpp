#include "run/result/run_traffic.hpp"

#include <algorithm>
#include <sstream>

#include "parallel/triad.hpp"

namespace solenoid {

RunTraffic traffic_of_run(const Comm& comm, const Phases& phases, const SolveLog& solves, bool measure) {
  constexpr double long_enough = 0.05;
  RunTraffic traffic;
  std::string names;  // only rank 0 has a phase of reading
  for (const Phases::Phase& phase : phases.all()) names += phase.name + "\n";
  std::istringstream of_root(comm.broadcast(names));
  for (std::string name; std::getline(of_root, name);) {
    const auto& all = phases.all();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Phases::Phase& p) { return p.name == name; });
    const std::int64_t bytes = found == all.end() ? 0 : found->bytes;
    traffic.phases.emplace_back(name, static_cast<double>(comm.sum(bytes)));
  }
  for (const auto& [name, entry] : solves.entries()) {
    traffic.solvers.emplace_back(name, static_cast<double>(comm.sum(entry.bytes)));
  }
  if (measure) traffic.triad = measure_triad(comm, long_enough);
  return traffic;
}

}  // namespace solenoid
