/// The command `solenoid check`: findings on a mesh or a case before anything is solved.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/comm.hpp"

namespace solenoid {

struct CheckOptions {
  std::filesystem::path file;     ///< a case (.toml) or a mesh (.geo, .msh)
  std::vector<std::string> sets;  ///< key=value, for a case
  std::optional<double> size;     ///< edge length for a .geo, in its units
  std::optional<double> scale;    ///< length unit of a mesh [m]
  bool trust = false;             ///< a .geo may run programs and write files
  std::vector<int> ranks;         ///< numbers of ranks of the partition preview; empty: a few that suit the mesh
  std::filesystem::path output;   ///< result folder; empty: results/<name>-check
};

/// Prints the findings and writes check.json and mesh.vtu. Rank 0 does the work. Collective. Throws a collective Error
/// (exit code 2) if a run would refuse the mesh or the case, after reporting all possible findings.
void check(const Comm& comm, const CheckOptions& options);

}  // namespace solenoid
