#include "bench/benchmark.hpp"
#include "bench/fields.hpp"
#include "bench/systems.hpp"
#include "field/inner_product.hpp"
#include "solve/linear_system.hpp"

namespace solenoid {

namespace {

/// A system that multigrid solves, and a right-hand side of all frequencies in its range.
template <class L>
struct MultigridSystem {
  Space<L> space;
  MatrixRows rows;
  LinearSystem<L> system;
  Field<L> b, x;

  MultigridSystem(const LocalMesh& mesh, const SystemKind<L>& kind)
      : space(mesh, kind.roles(mesh)),
        rows(kind.matrix(mesh)),
        system(space, rows, PreconditionerKind::multigrid),
        b(mesh),
        x(mesh) {
    std::vector<real> values = scattered<L>(mesh)->to_host();
    if (kind.is_singular) {
      b.from_host(values);
      const real mean = sum(mesh, operand(b)) / static_cast<real>(mesh.global_count<L>());
      for (real& value : values) value -= mean;
    }
    b.from_host(values);
  }
};

/// From the assembled matrix to the last level. Its bytes are what is stored then.
template <class L>
Benchmark setup(const LocalMesh& mesh, const SystemKind<L>& kind) {
  const auto made = std::make_shared<MultigridSystem<L>>(mesh, kind);
  Benchmark benchmark;
  benchmark.unknowns = made->space.unknowns();
  benchmark.bytes = made->system.shape()->bytes_per_unknown * static_cast<double>(mesh.global_count<L>());
  benchmark.run =
      repeated([made] { const LinearSystem<L> again(made->space, made->rows, PreconditionerKind::multigrid); });
  benchmark.count_max = 1;
  return benchmark;
}

/// One cycle: r is read and z written, in double precision, besides what the levels take.
template <class L>
double bytes_of_cycle(const LocalMesh& mesh, const LinearSystem<L>& system) {
  return system.bytes_of_cycle() + (2 * word + sizeof(float)) * mesh.owned<L>();
}

template <class L>
Benchmark cycle(const LocalMesh& mesh, const SystemKind<L>& kind) {
  const auto made = std::make_shared<MultigridSystem<L>>(mesh, kind);
  Benchmark benchmark;
  benchmark.unknowns = made->space.unknowns();
  benchmark.bytes = over_ranks(mesh, bytes_of_cycle(mesh, made->system));
  benchmark.run = repeated([made] { made->system.cycle(made->b, made->x); });
  return benchmark;
}

/// From zero to 1e-8.
template <class L>
Benchmark solve(const LocalMesh& mesh, const SystemKind<L>& kind) {
  const auto made = std::make_shared<MultigridSystem<L>>(mesh, kind);
  const auto run = [made] {
    made->x.from_host(std::vector<real>(made->x.owned(), 0));
    return made->system.solve(made->b, made->x, {"bench", 1e-8, 1000, PreconditionerKind::multigrid}).iterations;
  };
  Benchmark benchmark;
  benchmark.unknowns = made->space.unknowns();
  benchmark.iterations = run();
  constexpr int vectors_read_and_written = 17;  // the product, three inner products, the step, the next direction
  const double each = bytes_of_cycle(mesh, made->system) + static_cast<double>(made->system.bytes()) +
                      vectors_read_and_written * word * mesh.owned<L>();
  benchmark.bytes = over_ranks(mesh, each) * *benchmark.iterations;
  benchmark.run = repeated([run] { run(); });
  benchmark.count_max = 1;
  return benchmark;
}

template <class L>
void add(std::vector<NamedBenchmark>& list, const SystemKind<L>& kind) {
  const auto named = [&](const char* what, Benchmark (*prepare)(const LocalMesh&, const SystemKind<L>&)) {
    list.push_back(
        {message("{}/{}/multigrid", what, kind.name), [=](const LocalMesh& mesh) { return prepare(mesh, kind); }});
  };
  named("setup", setup<L>);
  named("cycle", cycle<L>);
  named("solve", solve<L>);
}

}  // namespace

std::vector<NamedBenchmark> multigrid_benchmarks() {
  std::vector<NamedBenchmark> list;
  add(list, pressure_system());
  add(list, heat_system());
  add(list, momentum_system());
  return list;
}

}  // namespace solenoid
