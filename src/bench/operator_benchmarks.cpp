#include "bench/benchmark.hpp"
#include "bench/fields.hpp"
#include "field/assign.hpp"
#include "operators/interpolation.hpp"
#include "solve/space.hpp"

namespace solenoid {

namespace {

constexpr double vector = sizeof(Vec3);

/// y = table * halo(x): the table, x once, y once.
template <class To, class From>
Benchmark incidence(const LocalMesh& mesh, const Incidence<To, From>& table) {
  const auto x = scattered<From>(mesh);
  const auto y = std::make_shared<Field<To>>(mesh);
  Benchmark benchmark;
  benchmark.unknowns = mesh.global_count<To>();
  benchmark.bytes =
      over_ranks(mesh, static_cast<double>(table.bytes()) + word * (mesh.total<From>() + mesh.owned<To>()));
  benchmark.run = repeated([x, y, &table] { *y = table * halo(*x); });
  return benchmark;
}

Benchmark interpolation(const LocalMesh& mesh) {
  const auto flux = scattered<Face>(mesh);
  const auto velocity = std::make_shared<Field<Cell, Vec3>>(mesh);
  Benchmark benchmark;
  benchmark.unknowns = mesh.global_count<Cell>();
  const double arms = vector * static_cast<double>(mesh.D.host().index.size());
  benchmark.bytes = over_ranks(mesh, static_cast<double>(mesh.D.bytes()) + arms + word * mesh.total<Face>() +
                                         (word + vector) * mesh.owned<Cell>());
  benchmark.run = repeated([flux, velocity] { interpolate(halo(*flux), *velocity); });
  return benchmark;
}

Benchmark integration(const LocalMesh& mesh) {
  const auto flux = scattered<Face>(mesh);
  const auto velocity = std::make_shared<Field<Cell, Vec3>>(mesh);
  interpolate(halo(*flux), *velocity);
  Benchmark benchmark;
  benchmark.unknowns = mesh.global_count<Face>();
  const double arms = vector * static_cast<double>(mesh.G.host().index.size());
  benchmark.bytes = over_ranks(
      mesh, static_cast<double>(mesh.G.bytes()) + arms + vector * mesh.total<Cell>() + word * mesh.owned<Face>());
  benchmark.run = repeated([flux, velocity] { integrate(halo(*velocity), *flux); });
  return benchmark;
}

/// Prescribed fluxes into a face field: the list of boundary faces, and one value per face.
Benchmark boundary(const LocalMesh& mesh) {
  std::vector<int> role(mesh.total<Face>(), Space<Face>::free);
  double faces = 0;
  for (const BoundaryFace& b : mesh.boundary()) {
    role[b.face] = Space<Face>::prescribed;
    faces += b.is_owned;
  }
  const auto space = std::make_shared<Space<Face>>(mesh, role);
  const auto flux = scattered<Face>(mesh);
  Benchmark benchmark;
  benchmark.unknowns = static_cast<std::int64_t>(over_ranks(mesh, faces));
  benchmark.bytes = (sizeof(int) + word) * static_cast<double>(benchmark.unknowns);
  benchmark.run = repeated([space, flux] { space->set_prescribed(*flux, 1); });
  return benchmark;
}

/// The exchange alone: packed and unpacked values, and the list for packing.
template <class L>
Benchmark exchange(const LocalMesh& mesh) {
  const auto x = scattered<L>(mesh);
  Benchmark benchmark;
  const double copies = over_ranks(mesh, mesh.total<L>() - mesh.owned<L>());
  benchmark.unknowns = static_cast<std::int64_t>(copies);
  benchmark.bytes = copies * (sizeof(int) + 4 * word);
  benchmark.run = repeated([x] { halo(*x); });
  return benchmark;
}

/// One sum over the ranks.
Benchmark allreduce(const LocalMesh& mesh) {
  Benchmark benchmark;
  const Comm comm = mesh.comm();
  benchmark.unknowns = comm.size();
  benchmark.bytes = word * comm.size();
  benchmark.run = repeated([comm] { comm.sum(real{1}); });
  return benchmark;
}

}  // namespace

std::vector<NamedBenchmark> operator_benchmarks() {
  return {{"gradient", [](const LocalMesh& mesh) { return incidence(mesh, mesh.G); }},
          {"divergence", [](const LocalMesh& mesh) { return incidence(mesh, mesh.D); }},
          {"curl", [](const LocalMesh& mesh) { return incidence(mesh, mesh.C); }},
          {"rotation", [](const LocalMesh& mesh) { return incidence(mesh, mesh.R); }},
          {"interpolation", interpolation},
          {"integration", integration},
          {"boundary", boundary}};
}

std::vector<NamedBenchmark> exchange_benchmarks() {
  return {{"halo/cells", exchange<Cell>},
          {"halo/nodes", exchange<Node>},
          {"halo/edges", exchange<Edge>},
          {"halo/faces", exchange<Face>},
          {"allreduce", allreduce}};
}

}  // namespace solenoid
