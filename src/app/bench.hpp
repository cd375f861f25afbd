/// The command `solenoid bench`: the cost of each building block per unknown, beside the memory's bandwidth.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/comm.hpp"

namespace solenoid {

struct BenchOptions {
  std::vector<std::string> names;   ///< names of benchmarks, or prefixes such as "cg/pressure"; empty: all
  std::filesystem::path mesh;       ///< a .msh or .geo file, or one of the next two
  std::optional<int> square, cube;  ///< generated: 2 n^2 triangles, 6 n^3 tetrahedra
  std::optional<double> size;       ///< edge length for a .geo, in its units
  bool trust = false;               ///< a .geo may run programs and write files
  double seconds = 0.5;             ///< per benchmark
  std::filesystem::path json;       ///< empty: none
  std::filesystem::path matrices;   ///< folder for the systems in PETSc format; empty: none
};

/// Prints a row per benchmark when it is measured. Collective. Throws a collective Error.
void bench(const Comm& comm, const BenchOptions& options);

}  // namespace solenoid
