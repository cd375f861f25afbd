/// The commands of the program with their options; `verify` has a floor of its own.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/comm.hpp"

namespace solenoid {

/// `solenoid run`: from a case file to a result folder.
struct RunOptions {
  std::filesystem::path case_file;
  std::vector<std::string> sets;       ///< key=value
  std::string command;                 ///< the whole command line, quoted for a shell
  std::filesystem::path output;        ///< empty: results/<name of the case>
  std::optional<std::string> restart;  ///< checkpoint file, or "auto": the newest in `output`
  bool report = true;                  ///< write report.html
  bool quiet = false;
  bool dry_run = false;  ///< everything but the steps; nothing is written
};

/// Runs the case on all ranks. Collective. Returns ExitCode::done, or stopped_early if a stop was requested; or throws.
ExitCode run_case(const Comm& comm, const RunOptions& options);

/// `solenoid check`: findings on a mesh or a case before anything is solved.
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

/// `solenoid bench`: the cost of each building block per unknown, beside the memory's bandwidth.
struct BenchOptions {
  std::vector<std::string> names;   ///< names of benchmarks, or prefixes such as "cg/pressure"; empty: all
  std::filesystem::path mesh;       ///< a .msh or .geo file, or one of the next two
  std::optional<int> square, cube;  ///< generated: 2 n^2 triangles, 6 n^3 tetrahedra
  std::optional<double> size;       ///< edge length for a .geo, in its units
  bool trust = false;               ///< a .geo may run programs and write files
  int refine = 0;                   ///< how often each rank divides its cells
  double seconds = 0.5;             ///< per benchmark
  std::filesystem::path json;       ///< empty: none
  std::filesystem::path matrices;   ///< folder for the systems in PETSc format; empty: none
};

/// Prints a row per benchmark when it is measured. Collective. Throws a collective Error.
void bench(const Comm& comm, const BenchOptions& options);

}  // namespace solenoid
