#include <limits>

#include "bench/benchmark.hpp"
#include "bench/fields.hpp"
#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "parallel/placement.hpp"
#include "parallel/triad.hpp"

namespace solenoid {

namespace {

/// A benchmark over cells that reads and writes `words` reals each.
Benchmark over_cells(const LocalMesh& mesh, int words, std::function<void()> apply) {
  Benchmark benchmark;
  benchmark.unknowns = mesh.global_count<Cell>();
  benchmark.bytes = words * word * static_cast<double>(benchmark.unknowns);
  benchmark.run = repeated(std::move(apply));
  return benchmark;
}

Benchmark axpy(const LocalMesh& mesh) {
  const auto x = scattered<Cell>(mesh), y = scattered<Cell>(mesh);
  return over_cells(mesh, 3, [x, y] { *y = real(1e-9) * *x + *y; });
}

Benchmark dot_product(const LocalMesh& mesh) {
  const auto x = scattered<Cell>(mesh), y = scattered<Cell>(mesh);
  return over_cells(mesh, 2, [x, y] { dot(*x, *y); });
}

Benchmark sum_of_values(const LocalMesh& mesh) {
  const auto x = scattered<Cell>(mesh);
  return over_cells(mesh, 1, [x] { sum(x->mesh(), operand(*x)); });
}

}  // namespace

void smallest(const Field<Cell>& x) {
  const auto v = x.view();
  x.mesh().comm().min(reduce_min(
      x.owned(), std::numeric_limits<real>::infinity(), SOLENOID_KERNEL(int i) { return v[Index<Cell>{i}]; }));
}
void largest(const Field<Cell>& x) {
  const auto v = x.view();
  x.mesh().comm().max(reduce_max(
      x.owned(), -std::numeric_limits<real>::infinity(), SOLENOID_KERNEL(int i) { return v[Index<Cell>{i}]; }));
}

std::vector<NamedBenchmark> vector_benchmarks() {
  return {{"axpy", axpy},
          {"dot", dot_product},
          {"sum", sum_of_values},
          {"min",
           [](const LocalMesh& mesh) {
             const auto x = scattered<Cell>(mesh);
             return over_cells(mesh, 1, [x] { smallest(*x); });
           }},
          {"max", [](const LocalMesh& mesh) {
             const auto x = scattered<Cell>(mesh);
             return over_cells(mesh, 1, [x] { largest(*x); });
           }}};
}

MemoryBandwidth measure_memory(const Comm& comm) {
  const int length = values_beyond_caches();
  const std::vector<real> ones(length, 1);
  DeviceArray<real> a(ones), b(ones), c(ones);
  Benchmark benchmark;
  constexpr double long_enough = 0.3;
  MemoryBandwidth bandwidth;
  const auto rate = [&](int arrays) {
    return arrays * word * length * comm.size() / measure(comm, "memory", benchmark, long_enough).seconds;
  };
  benchmark.run = repeated([&] { triad(a, b, c); });
  bandwidth.triad = rate(3);
  benchmark.run = repeated([&] { copy_on_device(a.data(), b.data(), length * sizeof(real)); });
  bandwidth.copy = rate(2);
  return bandwidth;
}

}  // namespace solenoid
