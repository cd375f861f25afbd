/// A benchmark: a building block of the solvers with its number of unknowns and bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mesh/local_mesh.hpp"

namespace solenoid {

/// Bytes count once per kernel for each array read or written, gathered values once (not once per neighbour), index
/// tables and padded rows as stored. Cache hits and extra costs of writes are not counted.
struct Benchmark {
  std::int64_t unknowns = 0;               ///< over all ranks
  double bytes = 0;                        ///< of one application, over all ranks
  std::function<void()> prepare = [] {};   ///< before each sample, not timed
  std::function<void(int count)> run;      ///< runs `count` applications; need not wait for the device
  int count_min = 1, count_max = 1 << 20;  ///< applications per sample
  std::optional<int> iterations = {};      ///< of one application, if it is a solve
};

struct NamedBenchmark {
  std::string name;                                         ///< e.g. "gradient", "cg/pressure/jacobi"
  std::function<Benchmark(const LocalMesh& mesh)> prepare;  ///< sets it up. Collective.
};

/// The building blocks in the order of display.
const std::vector<NamedBenchmark>& all_benchmarks();

// The parts of that list, by subject.
std::vector<NamedBenchmark> vector_benchmarks();
std::vector<NamedBenchmark> operator_benchmarks();
std::vector<NamedBenchmark> exchange_benchmarks();
std::vector<NamedBenchmark> system_benchmarks();
std::vector<NamedBenchmark> multigrid_benchmarks();

struct Measurement {
  std::string name;
  std::int64_t unknowns = 0;
  double bytes = 0;     ///< of one application, over all ranks
  double seconds = 0;   ///< median over samples of one application on the slowest rank
  double spread = 0;    ///< (third quartile - first quartile) / median
  int samples = 0;      ///< each of as many applications as fit two milliseconds
  double launches = 0;  ///< kernels launched per application, on rank 0
  std::optional<int> iterations = {};
};

/// Repeats `benchmark` for about `seconds`. Collective.
Measurement measure(const Comm& comm, const std::string& name, const Benchmark& benchmark, double seconds);

/// Memory bandwidth of all ranks together [bytes/s], each array counted once: a = b + s c and a = b, over arrays beyond
/// the caches. Collective.
struct MemoryBandwidth {
  double triad = 0, copy = 0;
};
MemoryBandwidth measure_memory(const Comm& comm);

}  // namespace solenoid
