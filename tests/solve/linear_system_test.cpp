/// Linear systems made once and solved again: against CG as the textbooks write it, on any partition, singular or badly
/// scaled, and what a solve must leave alone.
#include "solve/linear_system.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bench/systems.hpp"
#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "operators/finite_volumes.hpp"
#include "operators/nedelec.hpp"
#include "operators/p1.hpp"
#include "solve/boomeramg.hpp"
#include "solve/row_pass.hpp"
#include "support/meshes.hpp"

namespace solenoid::test {
namespace {

/// A matrix with scattered values on the right, or with a right-hand side in its range.
template <class L>
struct System {
  std::unique_ptr<LocalMesh> mesh;
  MatrixRows rows;
  Space<L> space;
  Field<L> b, x;

  System(std::unique_ptr<LocalMesh> its_mesh, MatrixRows its_rows, const std::vector<int>& role)
      : mesh(std::move(its_mesh)), rows(std::move(its_rows)), space(*mesh, role), b(*mesh), x(*mesh) {}

  SolveReport solve(const SolveControl& control) {
    return LinearSystem<L>(space, rows, control.preconditioner).solve(b, x, control);
  }
  Field<L> times(Field<L>& y) const {
    Field<L> result(*mesh);
    multiply(SparseMatrix<L>(rows), y, result);
    return result;
  }
  /// ||b - A x|| / ||b|| over unknowns, computed anew.
  real true_residual() {
    Field<L> residual = times(x), known(*mesh, b.to_host());
    residual = b - residual;
    space.restrict_to_unknowns(residual);
    space.restrict_to_unknowns(known);
    return norm(residual) / norm(known);
  }
};

template <class L>
std::vector<int> all_free(const LocalMesh& mesh) {
  return std::vector<int>(mesh.total<L>(), Space<L>::free);
}

/// Conduction with walls at given temperatures.
System<Node> heat(const MeshSource& source, const Partitioner& partition = partition_cells) {
  auto mesh = make_mesh(Comm(), source, partition);
  const MatrixRows rows = p1_stiffness(*mesh);
  const std::vector<int> role = fixed_on_boundary(*mesh);
  System<Node> system(std::move(mesh), rows, role);
  system.b.from_host(scattered_field<Node>(*system.mesh, 3).to_host());
  system.space.restrict_to_unknowns(system.b);
  return system;
}

/// The same with unknowns in units that differ by up to 1e3: coefficients by 1e6.
System<Node> badly_scaled_heat(const MeshSource& source, const Partitioner& partition = partition_cells) {
  System<Node> system = heat(source, partition);
  const auto& id = system.mesh->numbering<Node>().global_id;
  const auto unit = [&](int node) { return std::pow(real{10}, real(id[node] % 4)); };
  for (int i = 0; i < system.rows.rows(); ++i) {
    for (int k = system.rows.offset[i]; k < system.rows.offset[i + 1]; ++k)
      system.rows.value[k] *= unit(i) * unit(system.rows.column[k]);
  }
  return system;
}

/// Pressure with no flux through the boundary: singular by a constant.
System<Cell> pressure(const MeshSource& source, const Partitioner& partition = partition_cells) {
  auto mesh = make_mesh(Comm(), source, partition);
  Field<Face> conductance(*mesh, inner_conductance(*mesh));
  const MatrixRows rows = two_point_laplacian(*mesh, conductance);
  const std::vector<int> role = all_free<Cell>(*mesh);
  System<Cell> system(std::move(mesh), rows, role);
  Field<Cell> known = scattered_field<Cell>(*system.mesh, 4);
  system.b.copy_from(system.times(known));
  return system;
}

/// The curl-curl matrix: singular by gradients.
System<Edge> potential(const MeshSource& source, const Partitioner& partition = partition_cells) {
  auto mesh = make_mesh(Comm(), source, partition);
  const MatrixRows rows = curl_curl(*mesh);
  const std::vector<int> role = all_free<Edge>(*mesh);
  System<Edge> system(std::move(mesh), rows, role);
  Field<Edge> known = scattered_field<Edge>(*system.mesh, 5);
  system.b.copy_from(system.times(known));
  return system;
}

/// Conjugate gradients in the form of Hestenes & Stiefel (1952) with a dense matrix, prescribed rows and columns left
/// out: iterations to ||r|| <= tolerance ||b||.
template <class L>
int textbook_iterations(const System<L>& system, real tolerance, bool jacobi) {
  const LocalMesh& mesh = *system.mesh;
  const auto& id = mesh.numbering<L>().global_id;
  const std::int64_t n = mesh.global_count<L>();
  std::vector<real> a(n * n, 0);
  for (int i = 0; i < system.rows.rows(); ++i) {
    if (system.space.role()[i] == Space<L>::prescribed) continue;
    for (int k = system.rows.offset[i]; k < system.rows.offset[i + 1]; ++k) {
      const int j = system.rows.column[k];
      if (system.space.role()[j] != Space<L>::prescribed) a[id[i] * n + id[j]] += system.rows.value[k];
    }
  }
  mesh.comm().sum(std::span<real>(a));
  const auto dot = [](const std::vector<real>& u, const std::vector<real>& v) {
    real sum = 0;
    for (std::size_t i = 0; i < u.size(); ++i) sum += u[i] * v[i];
    return sum;
  };
  const auto preconditioned = [&](std::vector<real> r) {
    for (std::int64_t i = 0; i < n && jacobi; ++i) r[i] = a[i * n + i] > 0 ? r[i] / a[i * n + i] : 0;
    return r;
  };
  std::vector<real> r = gather(system.b), z = preconditioned(r), p = z, q(n);
  const real target = tolerance * std::sqrt(dot(r, r));
  real rho = dot(r, z);
  int iterations = 0;
  for (; std::sqrt(dot(r, r)) > target && iterations < 10000; ++iterations) {
    for (std::int64_t i = 0; i < n; ++i) {
      q[i] = 0;
      for (std::int64_t j = 0; j < n; ++j) q[i] += a[i * n + j] * p[j];
    }
    const real step = rho / dot(p, q);
    for (std::int64_t i = 0; i < n; ++i) r[i] -= step * q[i];
    z = preconditioned(r);
    const real next = dot(r, z);
    for (std::int64_t i = 0; i < n; ++i) p[i] = z[i] + next / rho * p[i];
    rho = next;
  }
  return iterations;
}

constexpr PreconditionerKind pointwise_kinds[]{PreconditionerKind::none, PreconditionerKind::jacobi};
constexpr PreconditionerKind kinds_for_edges[]{PreconditionerKind::none, PreconditionerKind::jacobi,
                                               PreconditionerKind::gauss_seidel};
constexpr PreconditionerKind partition_free_kinds[]{PreconditionerKind::none, PreconditionerKind::jacobi,
                                                    PreconditionerKind::gauss_seidel, PreconditionerKind::multigrid,
                                                    PreconditionerKind::elimination};
/// All that the program was built with.
const std::vector<PreconditionerKind> kinds = [] {
  std::vector<PreconditionerKind> all(std::begin(partition_free_kinds), std::end(partition_free_kinds));
  if (!hypre_version().empty()) all.push_back(PreconditionerKind::boomeramg);
  return all;
}();

template <class L>
void expect_textbook_iterations(System<L> system, const std::string& what) {
  for (PreconditionerKind kind : pointwise_kinds) {
    system.x.from_host(std::vector<real>(system.x.owned(), 0));
    const SolveReport report = system.solve({"test", 1e-8, 10000, kind});
    const int expected = textbook_iterations(system, 1e-8, kind == PreconditionerKind::jacobi);
    EXPECT_GT(expected, 5) << what;
    EXPECT_NEAR(report.iterations, expected, 1) << what << ", " << name_of(kind);
    EXPECT_LE(system.true_residual(), 1.01e-8) << what << ", " << name_of(kind);
  }
}

TEST(LinearSystem, IteratesAsTheTextbooksDo) {
  expect_textbook_iterations(heat(unit_square(10, 0.3)), "heat");
  expect_textbook_iterations(heat(unit_cube(4, 0.2)), "heat in 3D");
  expect_textbook_iterations(pressure(unit_square(7, 0.3)), "pressure");
  expect_textbook_iterations(pressure(unit_cube(3, 0.2)), "pressure in 3D");
  expect_textbook_iterations(potential(unit_cube(3, 0.2)), "potential");
}

/// The same on every partition: the solution, and iterations but for one where round-off decides.
template <class Make>
void expect_no_partition(const Make& make, std::span<const PreconditionerKind> its_kinds, const std::string& what) {
  for (PreconditionerKind kind : its_kinds) {
    const auto solve = [&](const Partitioner& partition) {
      auto system = make(partition);
      const SolveReport report = system.solve({"test", 1e-11, 10000, kind});
      return std::pair(report.iterations, gather(system.x));
    };
    const auto [expected, solution] = solve(partition_cells);
    for (const NamedPartitioner& p : partitioners()) {
      const auto [iterations, found] = solve(p.partition);
      EXPECT_NEAR(iterations, expected, 1) << what << ", " << p.name << ", " << name_of(kind);
      real worst = 0, scale = 0;
      for (std::size_t i = 0; i < found.size(); ++i) {
        worst = std::max(worst, std::abs(found[i] - solution[i]));
        scale = std::max(scale, std::abs(solution[i]));
      }
      EXPECT_LE(worst, 1e-10 * scale) << what << ", " << p.name << ", " << name_of(kind);
    }
  }
}

TEST(LinearSystem, GivesTheSameOnAnyPartition) {
  expect_no_partition([](const Partitioner& p) { return heat(unit_square(12, 0.3), p); }, partition_free_kinds, "heat");
  expect_no_partition([](const Partitioner& p) { return pressure(unit_square(9, 0.3), p); }, partition_free_kinds,
                      "pressure");
  expect_no_partition([](const Partitioner& p) { return potential(unit_cube(3, 0.2), p); }, kinds_for_edges,
                      "potential");
}

TEST(LinearSystem, KeepsPrescribedValues) {
  for (const NamedPartitioner& p : partitioners()) {
    for (PreconditionerKind kind : kinds) {
      System<Node> system = heat(unit_square(8, 0.3), p.partition);
      system.solve({"test", 1e-12, 1000, kind});
      const std::vector<real> from_zero = system.x.to_host();
      std::vector<real> start(system.x.owned(), 0);
      for (std::size_t i = 0; i < start.size(); ++i) {
        if (system.space.role()[i] == Space<Node>::prescribed) start[i] = real{1} / real(3 + i);
      }
      system.x.from_host(start);
      EXPECT_GT(system.solve({"test", 1e-12, 1000, kind}).iterations, 0);
      const std::vector<real> found = system.x.to_host();
      for (std::size_t i = 0; i < start.size(); ++i) {
        if (system.space.role()[i] == Space<Node>::prescribed) {
          EXPECT_EQ(found[i], start[i]) << p.name;
        } else {
          EXPECT_EQ(found[i], from_zero[i]) << p.name << ": their share is b's, and b is the same";
        }
      }
    }
  }
}

TEST(LinearSystem, TakesNoStepFromItsSolution) {
  for (const NamedPartitioner& p : partitioners()) {
    for (PreconditionerKind kind : kinds) {
      System<Node> system = heat(unit_square(8, 0.3), p.partition);
      EXPECT_GT(system.solve({"test", 1e-8, 1000, kind}).iterations, 0);
      const std::vector<real> solution = system.x.to_host();
      const SolveReport again = system.solve({"test", 1e-8, 1000, kind});
      EXPECT_EQ(again.iterations, 0) << p.name;
      EXPECT_LE(again.residual, 1e-8) << p.name;
      EXPECT_EQ(system.x.to_host(), solution) << p.name;
    }
  }
}

/// An old solution of a system whose right-hand side has since become tiny: its residual cannot be reduced to the new
/// one's tolerance, for its own digits do not reach so far.
TEST(LinearSystem, StartsFromZeroWhereTheGuessIsWorse) {
  for (PreconditionerKind kind : kinds) {
    System<Node> system = heat(unit_square(16, 0.3));
    const SolveControl control{"test", 1e-8, 1000, kind};
    const int from_zero = system.solve(control).iterations;
    const std::vector<real> solution = system.x.to_host();
    for (real factor : {1e3, 1e25}) {
      std::vector<real> old = solution;
      for (real& value : old) value *= factor;
      system.x.from_host(old);
      const SolveReport report = system.solve(control);
      EXPECT_EQ(report.iterations, from_zero) << name_of(kind);
      EXPECT_EQ(system.x.to_host(), solution) << name_of(kind);
    }
  }
}

TEST(LinearSystem, SolvesInAnyUnits) {
  for (PreconditionerKind kind : kinds) {
    System<Cell> system = pressure(unit_square(9, 0.3));
    const SolveControl control{"test", 1e-10, 1000, kind};
    const std::vector<real> b = system.b.to_host();
    const int iterations = system.solve(control).iterations;
    const std::vector<real> solution = system.x.to_host();
    for (int exponent : {-900, -600, 600, 900}) {  // squares leave the range of double at 512
      std::vector<real> scaled = b, expected = solution;
      for (real& value : scaled) value = std::ldexp(value, exponent);
      for (real& value : expected) value = std::ldexp(value, exponent);
      system.b.from_host(scaled);
      system.x.from_host(std::vector<real>(system.x.owned(), 0));
      EXPECT_EQ(system.solve(control).iterations, iterations) << name_of(kind) << " 2^" << exponent;
      EXPECT_EQ(system.x.to_host(), expected) << name_of(kind) << " 2^" << exponent;
    }
  }
}

TEST(LinearSystem, ReportsTheTrueResidualWhereRoundOffEndsIt) {
  for (const NamedPartitioner& p : partitioners()) {
    System<Node> system = heat(unit_square(24, 0.3), p.partition);
    const SolveReport report = system.solve({"test", 1e-30, 10000, PreconditionerKind::jacobi});
    EXPECT_TRUE(report.stagnated) << p.name;
    EXPECT_FALSE(report.converged) << p.name;
    EXPECT_GT(report.residual, 1e-17) << p.name;
    EXPECT_LE(report.residual, 1e-14) << p.name;
    EXPECT_LE(system.true_residual(), 3 * report.residual) << p.name;  // two roundings of the same
    EXPECT_GE(system.true_residual(), report.residual / 3) << p.name;
  }
}

TEST(LinearSystem, GivesTheSameBitsAgain) {
  System<Cell> system = pressure(unit_cube(4, 0.2));
  for (PreconditionerKind kind : kinds) {
    const SolveControl control{"test", 1e-9, 1000, kind};
    LinearSystem<Cell> made(system.space, system.rows, kind);
    std::vector<real> first;
    int iterations = 0;
    for (int k = 0; k < 4; ++k) {
      system.x.from_host(std::vector<real>(system.x.owned(), 0));
      if (k == 2) made.begin(system.b), made.iterate(5);  // what was measured in between leaves nothing behind
      const SolveReport report =
          k == 3 ? system.solve(control) : made.solve(system.b, system.x, control);  // at last made anew
      if (k == 0) first = system.x.to_host(), iterations = report.iterations;
      EXPECT_EQ(system.x.to_host(), first) << k;
      EXPECT_EQ(report.iterations, iterations) << k;
    }
  }
}

/// Where a device turns alone as many turns are queued as the last solves took: those after the end change nothing.
TEST(LinearSystem, EndsWhereItShouldIfMoreIsExpected) {
  System<Cell> system = pressure(unit_cube(4, 0.2));
  for (PreconditionerKind kind : kinds) {
    LinearSystem<Cell> experienced(system.space, system.rows, kind);
    const auto solve = [&](LinearSystem<Cell>& by, real tolerance) {
      system.x.from_host(std::vector<real>(system.x.owned(), 0));
      const SolveReport report = by.solve(system.b, system.x, {"test", tolerance, 1000, kind});
      return std::pair(report.iterations, system.x.to_host());
    };
    for (const real loose : {1e-3, 1e-6}) {
      int expected = 0;
      for (int k = 0; k < 5; ++k) expected = solve(experienced, 1e-10).first;
      LinearSystem<Cell> fresh(system.space, system.rows, kind);
      const auto ended = solve(fresh, loose);
      EXPECT_LT(ended.first, expected) << name_of(kind);
      EXPECT_EQ(solve(experienced, loose), ended) << name_of(kind) << ", " << loose;
    }
  }
}

TEST(LinearSystem, SolvesASingularSystemWithADatumInItsRange) {
  for (const NamedPartitioner& p : partitioners()) {
    for (PreconditionerKind kind : kinds) {
      System<Cell> system = pressure(unit_cube(4, 0.2), p.partition);
      const SolveReport report = system.solve({"test", 1e-10, 2000, kind});
      EXPECT_TRUE(report.converged);
      EXPECT_LE(system.true_residual(), 1.01e-10) << p.name;
      const std::vector<real> found = gather(system.x), known = gather(scattered_field<Cell>(*system.mesh, 4));
      for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_NEAR(found[i] - found[0], known[i] - known[0], 1e-8) << p.name;
    }
  }
}

TEST(LinearSystem, ReachesTheToleranceOfAWideRangeOfCoefficients) {
  for (const NamedPartitioner& p : partitioners()) {
    System<Node> system = badly_scaled_heat(unit_square(12, 0.3), p.partition);
    const SolveReport report = system.solve({"test", 1e-9, 5000, PreconditionerKind::jacobi});
    EXPECT_TRUE(report.converged) << p.name;
    EXPECT_LE(report.residual, 1e-9) << p.name;
    EXPECT_LE(system.true_residual(), 1.1e-9) << p.name;
  }
}

TEST(LinearSystem, ReportsToTheLogOfItsControl) {
  System<Cell> cells = pressure(unit_square(8, 0.3));
  LinearSystem<Cell> made(cells.space, cells.rows, PreconditionerKind::automatic);
  SolveLog log;
  SolveControl control = recorded_in(log, {"test", 1e-3, 5000, PreconditionerKind::automatic});
  made.solve(cells.b, cells.x, unrecorded(control));
  EXPECT_TRUE(log.entries().empty());
  control.tolerance = 1e-6;  // of this solve
  const SolveReport first = made.solve(cells.b, cells.x, control);
  SolutionHistory<Cell> past(cells.space, 1);
  const SolveReport second = made.solve(cells.b, cells.x, control, past);
  made.record_setup(control);  // once
  const SolveLog::Entry& entry = log.entries().at("test");
  EXPECT_EQ(entry.calls, 2);
  EXPECT_EQ(entry.iterations_total, first.iterations + second.iterations);
  EXPECT_EQ(entry.control.tolerance, 1e-3);
  EXPECT_EQ(entry.control.preconditioner, made.preconditioner());
  EXPECT_EQ(entry.seconds, first.seconds + second.seconds);
  EXPECT_GT(entry.setup_seconds, 0);
  EXPECT_EQ(entry.multigrid.has_value(), made.shape() != nullptr);
}

TEST(LinearSystem, StartsFewKernelsAnIteration) {
  System<Cell> cells = pressure(unit_square(8, 0.3));
  System<Node> nodes = heat(unit_square(8, 0.3));
  if (cells.mesh->comm().size() > 1) return;  // more where slices wait for the halo
  const auto kernels = [](auto& system, PreconditionerKind kind) {
    using L = typename std::remove_reference_t<decltype(system.b)>::location;
    LinearSystem<L> made(system.space, system.rows, kind);
    made.begin(system.b);
    made.iterate(16);
    const long before = kernel_launches();
    made.iterate(64);
    return static_cast<real>(kernel_launches() - before) / 64;
  };
  for (PreconditionerKind kind : pointwise_kinds) {
    EXPECT_LE(kernels(cells, kind), 3) << name_of(kind);
    EXPECT_LE(kernels(nodes, kind), 3) << name_of(kind);
  }
}

}  // namespace
}  // namespace solenoid::test
