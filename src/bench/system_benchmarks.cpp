#include "bench/benchmark.hpp"
#include "bench/fields.hpp"
#include "bench/systems.hpp"
#include "field/assign.hpp"
#include "solve/linear_system.hpp"
#include "solve/row_pass.hpp"

namespace solenoid {

namespace {

/// y = A halo(x): the matrix, x once, y once.
template <class L>
Benchmark product(const LocalMesh& mesh, const SystemKind<L>& kind) {
  const auto matrix = std::make_shared<SparseMatrix<L>>(kind.matrix(mesh));
  const auto x = scattered<L>(mesh), y = scattered<L>(mesh);
  Benchmark benchmark;
  benchmark.unknowns = mesh.global_count<L>();
  benchmark.bytes = over_ranks(mesh, static_cast<double>(matrix->bytes()) + word * (mesh.total<L>() + mesh.owned<L>()));
  benchmark.run = repeated([matrix, x, y] { multiply(*matrix, *x, *y); });
  return benchmark;
}

/// One iteration: the product (p, q, the matrix), and the pass that takes the step (q; r, p and x read and written).
/// Gauss-Seidel has two triangular solves instead of the product: p and t; and p, q, t read and written. Elimination is
/// a call, with the inner products and vectors of the textbooks.
template <class L>
Benchmark iteration(const LocalMesh& mesh, const SystemKind<L>& kind, PreconditionerKind preconditioner) {
  const MatrixRows rows = kind.matrix(mesh);
  auto space = std::make_shared<Space<L>>(mesh, kind.roles(mesh));
  auto system = std::make_shared<LinearSystem<L>>(*space, rows, preconditioner);
  const auto x = scattered<L>(mesh), b = scattered<L>(mesh);
  multiply(SparseMatrix<L>(rows), *x, *b);  // in the range of a singular matrix
  Benchmark benchmark;
  benchmark.unknowns = space->unknowns();
  const bool is_called = preconditioner == PreconditionerKind::elimination;
  const int vectors_read_and_written = is_called ? 17 : preconditioner == PreconditionerKind::gauss_seidel ? 13 : 9;
  const double of_call = is_called ? system->bytes_of_cycle() : 0;
  benchmark.bytes = over_ranks(
      mesh, static_cast<double>(system->bytes()) + of_call + vectors_read_and_written * word * mesh.owned<L>());
  benchmark.prepare = [space, system, b] { system->begin(*b); };
  benchmark.run = [space, system](int count) { system->iterate(count); };
  benchmark.count_min = 16;
  benchmark.count_max = 128;
  return benchmark;
}

template <class L>
void add(std::vector<NamedBenchmark>& products, std::vector<NamedBenchmark>& iterations, const SystemKind<L>& kind,
         bool with_elimination = false) {
  const std::string name = kind.name;
  products.push_back({"product/" + name, [=](const LocalMesh& mesh) { return product<L>(mesh, kind); }});
  std::vector preconditioners{PreconditionerKind::none, PreconditionerKind::jacobi, PreconditionerKind::gauss_seidel};
  if (with_elimination) preconditioners.push_back(PreconditionerKind::elimination);
  for (const PreconditionerKind preconditioner : preconditioners) {
    iterations.push_back({"cg/" + name + "/" + name_of(preconditioner),
                          [=](const LocalMesh& mesh) { return iteration<L>(mesh, kind, preconditioner); }});
  }
}

}  // namespace

std::vector<NamedBenchmark> system_benchmarks() {
  std::vector<NamedBenchmark> products, iterations;
  add(products, iterations, pressure_system());
  add(products, iterations, heat_system());
  add(products, iterations, potential_system());
  add(products, iterations, momentum_system());
  add(products, iterations, elliptic_system(), true);
  products.insert(products.end(), iterations.begin(), iterations.end());
  return products;
}

}  // namespace solenoid
