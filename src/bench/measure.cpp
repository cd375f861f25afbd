#include <algorithm>
#include <iterator>

#include "base/phases.hpp"
#include "bench/benchmark.hpp"
#include "parallel/memory.hpp"
#include "parallel/stream.hpp"

namespace solenoid {

namespace {

struct Sample {
  double seconds;   // of one application on the slowest rank
  double launches;  // of one application
};

Sample sample(const Comm& comm, const Benchmark& benchmark, int count) {
  benchmark.prepare();
  device_synchronize();
  comm.barrier();
  const long launches = kernel_launches();
  const Stopwatch watch;
  benchmark.run(count);
  device_synchronize();
  const double seconds = watch.seconds();
  return {comm.max(real(seconds)) / count, static_cast<double>(kernel_launches() - launches) / count};
}

/// Number of applications per sample, for a duration that can be timed.
int applications(const Comm& comm, const Benchmark& benchmark) {
  constexpr double long_enough = 2e-3;
  int count = benchmark.count_min;
  while (count < benchmark.count_max && sample(comm, benchmark, count).seconds * count < long_enough) {
    count = std::min(2 * count, benchmark.count_max);
  }
  return count;
}

}  // namespace

Measurement measure(const Comm& comm, const std::string& name, const Benchmark& benchmark, double seconds) {
  constexpr std::size_t samples_min = 7, samples_of_the_slow = 3, samples_max = 1000;
  const double too_long = 20 * seconds;
  sample(comm, benchmark, benchmark.count_min);  // one-time work, such as buffers and first touches
  const int count = applications(comm, benchmark);
  Measurement result;
  result.launches = sample(comm, benchmark, count).launches;
  std::vector<double> times;
  const Stopwatch watch;
  bool enough = false;
  while (!enough) {
    times.push_back(sample(comm, benchmark, count).seconds);
    const double passed = comm.max(real(watch.seconds()));
    enough = passed > seconds && times.size() >= (passed > too_long ? samples_of_the_slow : samples_min);
    enough = enough || times.size() == samples_max;
  }
  std::sort(times.begin(), times.end());
  result.name = name;
  result.unknowns = benchmark.unknowns;
  result.bytes = benchmark.bytes;
  result.iterations = benchmark.iterations;
  result.samples = static_cast<int>(times.size());
  result.seconds = times[times.size() / 2];
  result.spread = (times[times.size() * 3 / 4] - times[times.size() / 4]) / result.seconds;
  return result;
}

const std::vector<NamedBenchmark>& all_benchmarks() {
  static const std::vector<NamedBenchmark> all = [] {
    std::vector<NamedBenchmark> list;
    for (auto part : {vector_benchmarks(), operator_benchmarks(), exchange_benchmarks(), system_benchmarks(),
                      multigrid_benchmarks()}) {
      std::move(part.begin(), part.end(), std::back_inserter(list));
    }
    return list;
  }();
  return all;
}

}  // namespace solenoid
