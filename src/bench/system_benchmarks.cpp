#include "bench/benchmark.hpp"
#include "bench/fields.hpp"
#include "bench/systems.hpp"
#include "field/assign.hpp"
#include "solve/linear_system.hpp"
#include "solve/row_pass.hpp"

namespace solenoid {

namespace {

template <class L>
std::vector<int> all_unknown(const LocalMesh& mesh) {
  return std::vector<int>(mesh.total<L>(), Space<L>::free);
}

using MakeMatrix = MatrixRows (*)(const LocalMesh&);
using MakeRoles = std::vector<int> (*)(const LocalMesh&);

/// y = A halo(x): the matrix, x once, y once.
template <class L>
Benchmark product(const LocalMesh& mesh, MakeMatrix make) {
  const auto matrix = std::make_shared<SparseMatrix<L>>(make(mesh));
  const auto x = scattered<L>(mesh), y = scattered<L>(mesh);
  Benchmark benchmark;
  benchmark.unknowns = mesh.global_count<L>();
  benchmark.bytes = over_ranks(mesh, static_cast<double>(matrix->bytes()) + word * (mesh.total<L>() + mesh.owned<L>()));
  benchmark.run = repeated([matrix, x, y] { multiply(*matrix, *x, *y); });
  return benchmark;
}

/// One iteration: the product (p, q, the matrix), and the pass that takes the step (q; r, p and x read and written).
template <class L>
Benchmark iteration(const LocalMesh& mesh, MakeMatrix make, MakeRoles roles, PreconditionerKind preconditioner) {
  const MatrixRows rows = make(mesh);
  auto space = std::make_shared<Space<L>>(mesh, roles(mesh));
  auto system = std::make_shared<LinearSystem<L>>(*space, rows, preconditioner);
  const auto x = scattered<L>(mesh), b = scattered<L>(mesh);
  multiply(SparseMatrix<L>(rows), *x, *b);  // in the range of a singular matrix
  Benchmark benchmark;
  benchmark.unknowns = space->unknowns();
  constexpr int vectors_read_and_written = 9;
  benchmark.bytes =
      over_ranks(mesh, static_cast<double>(system->bytes()) + vectors_read_and_written * word * mesh.owned<L>());
  benchmark.prepare = [space, system, b] { system->begin(*b); };
  benchmark.run = [space, system](int count) { system->iterate(count); };
  benchmark.count_min = 16;
  benchmark.count_max = 128;
  return benchmark;
}

template <class L>
void add(std::vector<NamedBenchmark>& products, std::vector<NamedBenchmark>& iterations, const std::string& name,
         MakeMatrix make, MakeRoles roles) {
  products.push_back({"product/" + name, [=](const LocalMesh& mesh) { return product<L>(mesh, make); }});
  for (const auto& [word_for, kind] :
       {std::pair{"none", PreconditionerKind::none}, std::pair{"jacobi", PreconditionerKind::jacobi}}) {
    iterations.push_back({"cg/" + name + "/" + word_for,
                          [=, kind = kind](const LocalMesh& mesh) { return iteration<L>(mesh, make, roles, kind); }});
  }
}

}  // namespace

std::vector<NamedBenchmark> system_benchmarks() {
  std::vector<NamedBenchmark> products, iterations;
  add<Cell>(products, iterations, "pressure", pressure_matrix, all_unknown<Cell>);
  add<Node>(products, iterations, "heat", heat_matrix, fixed_on_boundary);
  add<Edge>(products, iterations, "curl-curl", potential_matrix, all_unknown<Edge>);
  add<Face>(products, iterations, "momentum", momentum_system_matrix, all_unknown<Face>);
  products.insert(products.end(), iterations.begin(), iterations.end());
  return products;
}

}  // namespace solenoid
