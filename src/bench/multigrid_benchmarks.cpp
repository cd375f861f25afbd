#include "bench/benchmark.hpp"
#include "bench/fields.hpp"
#include "bench/systems.hpp"
#include "field/inner_product.hpp"
#include "solve/boomeramg.hpp"
#include "solve/hiptmair_xu.hpp"
#include "solve/linear_system.hpp"
#include "solve/operator_solver.hpp"

namespace solenoid {

namespace {

SolveControl to_measure(PreconditionerKind preconditioner) { return {"bench", 1e-8, 100000, preconditioner}; }

// Vectors read and written in an iteration, without matrix and cycle: the product, three inner products, the step and
// the next direction; Jacobi's needs two passes for all of them.
constexpr int vectors_of_cycle = 17, vectors_of_jacobi = 9;

/// A system with a preconditioner: multigrid, Solenoid's or hypre's (bytes unknown: 0), elimination, or Jacobi's; and a
/// right-hand side of all frequencies in its range.
template <class L>
struct AssembledSystem {
  PreconditionerKind kind;
  Space<L> space;
  MatrixRows rows;
  LinearSystem<L> system;
  Field<L> b, x;

  AssembledSystem(const LocalMesh& mesh, const SystemKind<L>& of, PreconditionerKind preconditioner)
      : kind(preconditioner),
        space(mesh, of.roles(mesh)),
        rows(of.matrix(mesh)),
        system(space, rows, kind),
        b(mesh),
        x(mesh) {
    std::vector<real> values = scattered<L>(mesh)->to_host();
    if (of.is_singular) {
      b.from_host(values);
      const real mean = sum(mesh, operand(b)) / static_cast<real>(mesh.global_count<L>());
      for (real& value : values) value -= mean;
    }
    b.from_host(values);
  }

  void set_up_again() const { const LinearSystem<L> again(space, rows, kind); }
  void cycle() { system.cycle(b, x); }
  int solve() { return system.solve(b, x, to_measure(kind)).iterations; }

  bool has_known_bytes() const { return kind != PreconditionerKind::boomeramg; }
  double bytes_stored() const {
    return system.shape()->bytes_per_unknown * static_cast<double>(space.mesh().template global_count<L>());
  }
  // Of this rank. In addition to the levels of multigrid, r is read and z written in double precision.
  double bytes_of_cycle() const {
    const bool has_levels = kind == PreconditionerKind::multigrid;
    return system.bytes_of_cycle() + (has_levels ? (2 * word + sizeof(float)) * x.owned() : 0);
  }
  double bytes_of_iteration() const {
    const double product = static_cast<double>(system.bytes());
    if (kind == PreconditionerKind::jacobi) return product + vectors_of_jacobi * word * x.owned();
    return product + bytes_of_cycle() + vectors_of_cycle * word * x.owned();
  }
};

/// Curl-curl on the edges of tetrahedra, with the rotation of fluxes of all frequencies as right-hand side.
struct CurlCurlSystem {
  Space<Edge> space;
  MatrixRows rows;
  SparseMatrix<Edge> matrix;
  HiptmairXu preconditioner;
  OperatorSolver<Edge> solver;
  Field<Edge> b, x;

  CurlCurlSystem(const LocalMesh& mesh, const SystemKind<Edge>& kind)
      : space(mesh, kind.roles(mesh)),
        rows(kind.matrix(mesh)),
        matrix(rows),
        preconditioner(space, rows, matrix),
        solver(space),
        b(mesh),
        x(mesh) {
    b = mesh.R * halo(*scattered<Face>(mesh));
  }

  void set_up_again() const { const HiptmairXu again(space, rows, matrix); }
  void cycle() { preconditioner(b, x); }
  int solve() {
    return solver.solve(MatrixOperator<Edge>{matrix}, preconditioner, b, x, to_measure(PreconditionerKind::multigrid))
        .iterations;
  }

  bool has_known_bytes() const { return true; }
  double bytes_stored() const {
    const LocalMesh& mesh = space.mesh();
    const double on_levels = preconditioner.shape().bytes_per_unknown * static_cast<double>(mesh.global_count<Node>());
    return on_levels + over_ranks(mesh, preconditioner.bytes_stored());
  }
  double bytes_of_cycle() const { return preconditioner.bytes_per_call(); }
  double bytes_of_iteration() const {
    return static_cast<double>(matrix.bytes()) + bytes_of_cycle() + vectors_of_cycle * word * x.owned();
  }
};

/// From the assembled matrix to the last level. Its bytes are those stored afterwards.
template <class System>
Benchmark setup(const std::shared_ptr<System>& made) {
  Benchmark benchmark;
  benchmark.unknowns = made->space.unknowns();
  if (made->has_known_bytes()) benchmark.bytes = made->bytes_stored();
  benchmark.run = repeated([made] { made->set_up_again(); });
  benchmark.count_max = 1;
  return benchmark;
}

template <class System>
Benchmark cycle(const std::shared_ptr<System>& made) {
  Benchmark benchmark;
  benchmark.unknowns = made->space.unknowns();
  if (made->has_known_bytes()) benchmark.bytes = over_ranks(made->space.mesh(), made->bytes_of_cycle());
  benchmark.run = repeated([made] { made->cycle(); });
  return benchmark;
}

/// From zero to a tolerance of 1e-8.
template <class System>
Benchmark solve(const std::shared_ptr<System>& made) {
  const auto run = [made] {
    made->x.from_host(std::vector<real>(made->x.owned(), 0));
    return made->solve();
  };
  Benchmark benchmark;
  benchmark.unknowns = made->space.unknowns();
  benchmark.iterations = run();
  if (made->has_known_bytes()) {
    benchmark.bytes = over_ranks(made->space.mesh(), made->bytes_of_iteration()) * *benchmark.iterations;
  }
  benchmark.run = repeated([run] { run(); });
  benchmark.count_max = 1;
  return benchmark;
}

/// In 2D edges are nodes seen end-on, and multigrid alone serves.
template <class L, class Measure>
Benchmark measured(const LocalMesh& mesh, const SystemKind<L>& kind, PreconditionerKind preconditioner,
                   const Measure& measure) {
  if constexpr (std::is_same_v<L, Edge>) {
    if (mesh.dimension() == 3) return measure(std::make_shared<CurlCurlSystem>(mesh, kind));
  }
  return measure(std::make_shared<AssembledSystem<L>>(mesh, kind, preconditioner));
}

template <class L>
void add(std::vector<NamedBenchmark>& list, const SystemKind<L>& kind, PreconditionerKind preconditioner) {
  const auto named = [&](const char* what, const auto& measure) {
    list.push_back({message("{}/{}/{}", what, kind.name, name_of(preconditioner)),
                    [=](const LocalMesh& mesh) { return measured(mesh, kind, preconditioner, measure); }});
  };
  if (preconditioner == PreconditionerKind::multigrid || preconditioner == PreconditionerKind::boomeramg) {
    named("setup", [](const auto& made) { return setup(made); });
  }
  if (preconditioner != PreconditionerKind::jacobi) {
    named("cycle", [](const auto& made) { return cycle(made); });
  }
  named("solve", [](const auto& made) { return solve(made); });
}

}  // namespace

std::vector<NamedBenchmark> multigrid_benchmarks() {
  std::vector<NamedBenchmark> list;
  std::vector preconditioners{PreconditionerKind::multigrid};
  if (!hypre_version().empty()) preconditioners.push_back(PreconditionerKind::boomeramg);
  for (const PreconditionerKind preconditioner : preconditioners) {
    add(list, pressure_system(), preconditioner);
    add(list, heat_system(), preconditioner);
    if (preconditioner == PreconditionerKind::multigrid) add(list, potential_system(), preconditioner);
    add(list, momentum_system(), preconditioner);
    add(list, elliptic_system(), preconditioner);
  }
  add(list, heat_system(), PreconditionerKind::elimination);
  add(list, elliptic_system(), PreconditionerKind::elimination);
  add(list, pressure_system(), PreconditionerKind::jacobi);
  add(list, heat_system(), PreconditionerKind::jacobi);
  add(list, elliptic_system(), PreconditionerKind::jacobi);
  return list;
}

}  // namespace solenoid
