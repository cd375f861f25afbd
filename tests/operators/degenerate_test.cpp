/// Operators and solvers on meshes as small as they can be, where most ranks own nothing: against serial loops.
#include <gtest/gtest.h>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "operators/finite_volumes.hpp"
#include "operators/interpolation.hpp"
#include "operators/nedelec.hpp"
#include "operators/p1.hpp"
#include "reference/serial.hpp"
#include "solve/linear_system.hpp"
#include "solve/row_pass.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

template <class L>
std::vector<real> times(const MatrixRows& rows, const LocalMesh& mesh) {
  Field<L> x = scattered_field<L>(mesh), y(mesh), again(mesh);
  const SparseMatrix<L> matrix(rows);
  y = matrix * halo(x);
  multiply(matrix, x, again);
  EXPECT_EQ(y.to_host(), again.to_host());
  return gather(y);
}

/// One triangle, one tetrahedron, two triangles.
class Degenerate : public testing::TestWithParam<std::tuple<int, int>> {
 protected:
  static MeshSource made() {
    switch (std::get<0>(GetParam())) {
      case 0:
        return strip(1);
      case 1:
        return single_tetrahedron();
      default:
        return strip(2);
    }
  }
  MeshSource source = made();
  std::unique_ptr<LocalMesh> mesh = make_mesh(Comm(), source, all_partitioners()[std::get<1>(GetParam())].partition);
  SerialMesh serial{source};
};

TEST_P(Degenerate, OperatorsEqualTheSerialLoops) {
  const auto faces = scattered_values(serial.mesh.faces());
  const auto cells = scattered_values(serial.mesh.cells());
  const auto edges = scattered_values(serial.mesh.edges());
  const auto nodes = scattered_values(serial.mesh.nodes());
  Field<Face> u = scattered_field<Face>(*mesh), on_faces(*mesh);
  Field<Cell> p = scattered_field<Cell>(*mesh), on_cells(*mesh);
  Field<Edge> s = scattered_field<Edge>(*mesh), on_edges(*mesh);

  on_cells = mesh->D * halo(u);
  expect_equal(gather(on_cells), serial.divergence(faces), "divergence");
  on_faces = mesh->G * halo(p);
  expect_equal(gather(on_faces), serial.gradient(cells), "gradient");
  on_faces = mesh->C * halo(s);
  expect_equal(gather(on_faces), serial.curl(edges), "curl");
  on_edges = mesh->R * halo(u);
  expect_equal(gather(on_edges), serial.rotation(faces), "rotation");

  Field<Cell, Vec3> velocity(*mesh);
  interpolate(halo(u), velocity);
  const std::vector<Vec3> expected = serial.interpolation(faces);
  const std::vector<Vec3> found = velocity.to_host();
  for (int c = 0; c < velocity.owned(); ++c)
    EXPECT_LE(norm(found[c] - expected[mesh->numbering<Cell>().global_id[c]]), 1e-13 * (1 + norm(found[c])));
  integrate(halo(velocity), on_faces);
  expect_equal(gather(on_faces), serial.integration(expected), "integration");

  expect_equal(times<Node>(p1_stiffness(*mesh), *mesh), serial.stiffness(nodes), "stiffness");
  expect_equal(times<Node>(p1_mass(*mesh), *mesh), serial.mass(nodes), "mass");
  expect_equal(times<Edge>(curl_curl(*mesh), *mesh), serial.curl_curl(edges), "curl-curl");
  expect_equal(times<Face>(rt0_mass(*mesh), *mesh), serial.rt0_mass(faces), "face mass");
  const std::vector<real> conductance = serial.inner_conductance();
  Field<Face> inner(*mesh, inner_conductance(*mesh));
  expect_equal(gather(inner), conductance, "conductance");
  expect_equal(times<Face>(face_diffusion(*mesh, inner), *mesh), serial.face_diffusion(conductance, faces), "friction");
}

TEST_P(Degenerate, SumsAndExtremesCountWhatThereIs) {
  Field<Face> u = scattered_field<Face>(*mesh);
  const auto faces = scattered_values(serial.mesh.faces());
  real squares = 0, largest = 0;
  for (real value : faces) squares += value * value, largest = std::max(largest, std::abs(value));
  EXPECT_NEAR(dot(u, u), squares, 1e-14 * squares);
  EXPECT_EQ(max_magnitude(u), largest);
}

TEST_P(Degenerate, SystemsAreSolvedAsByElimination) {
  const int n = serial.mesh.nodes();
  std::vector<real> a(n * n);
  for (int j = 0; j < n; ++j) {
    std::vector<real> unit(n, 0);
    unit[j] = 1;
    const std::vector<real> column = serial.mass(unit);
    for (int i = 0; i < n; ++i) a[i * n + j] = column[i];
  }
  const std::vector<real> expected = solve_dense(a, scattered_values(n));
  const Space<Node> space(*mesh, std::vector<int>(mesh->total<Node>(), Space<Node>::free));
  for (PreconditionerKind kind : {PreconditionerKind::none, PreconditionerKind::jacobi}) {
    Field<Node> b = scattered_field<Node>(*mesh), x(*mesh);
    LinearSystem<Node>(space, p1_mass(*mesh), kind).solve(b, x, {"test", 1e-13, 100, kind});
    const std::vector<real> found = gather(x);
    for (int i = 0; i < n; ++i) EXPECT_NEAR(found[i], expected[i], 1e-10 * std::abs(expected[0])) << i;
  }
}

TEST_P(Degenerate, PressureWithAHandfulOfCellsIsSolved) {
  Field<Face> conductance(*mesh, inner_conductance(*mesh));
  const MatrixRows rows = two_point_laplacian(*mesh, conductance);
  const Space<Cell> space(*mesh, std::vector<int>(mesh->total<Cell>(), Space<Cell>::free));
  Field<Cell> known = scattered_field<Cell>(*mesh), b(*mesh), x(*mesh);
  multiply(SparseMatrix<Cell>(rows), known, b);
  for (PreconditionerKind kind : {PreconditionerKind::none, PreconditionerKind::jacobi}) {
    x.from_host(std::vector<real>(x.owned(), 0));
    const SolveReport report = LinearSystem<Cell>(space, rows, kind).solve(b, x, {"test", 1e-12, 10, kind});
    EXPECT_TRUE(report.converged);
    EXPECT_LE(report.iterations, 2);
  }
}

TEST_P(Degenerate, NothingIsUnknownWhereAllIsPrescribed) {
  const Space<Node> space(*mesh, std::vector<int>(mesh->total<Node>(), Space<Node>::prescribed));
  EXPECT_EQ(space.unknowns(), 0);
  for (PreconditionerKind kind : {PreconditionerKind::none, PreconditionerKind::jacobi}) {
    Field<Node> b = scattered_field<Node>(*mesh, 1), x = scattered_field<Node>(*mesh, 2);
    const std::vector<real> before = x.to_host();
    const SolveReport report =
        LinearSystem<Node>(space, p1_stiffness(*mesh), kind).solve(b, x, {"test", 1e-10, 10, kind});
    EXPECT_EQ(report.iterations, 0);
    EXPECT_EQ(x.to_host(), before);
  }
}

std::string name_of(const testing::TestParamInfo<std::tuple<int, int>>& test) {
  const char* const meshes[]{"triangle", "tetrahedron", "two_triangles"};
  return std::string(meshes[std::get<0>(test.param)]) + "_" + std::to_string(std::get<1>(test.param));
}

INSTANTIATE_TEST_SUITE_P(Meshes, Degenerate, testing::Combine(testing::Range(0, 3), testing::Range(0, 4)), name_of);

}  // namespace
}  // namespace solenoid::test
