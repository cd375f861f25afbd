/// Mesh operators on ranks and devices against serial loops, adjointness, exactness, and the identities between
/// matrices.
#include "operators/interpolation.hpp"

#include <gtest/gtest.h>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "operators/boundary_circulation.hpp"
#include "operators/convection.hpp"
#include "operators/nedelec.hpp"
#include "operators/p1.hpp"
#include "physics/flow/momentum/diagnostics.hpp"
#include "reference/serial.hpp"
#include "solve/linear_system.hpp"
#include "solve/sparse_matrix.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

class Operators : public testing::TestWithParam<std::tuple<int, int>> {
 protected:
  MeshSource source = std::get<0>(GetParam()) == 2 ? unit_square(7, 0.3) : unit_cube(3, 0.2);
  std::unique_ptr<LocalMesh> mesh = make_mesh(Comm(), source, all_partitioners()[std::get<1>(GetParam())].partition);
};

TEST_P(Operators, EqualTheSerialLoops) {
  const SerialMesh serial(source);
  const auto faces = scattered_values(serial.mesh.faces());
  const auto cells = scattered_values(serial.mesh.cells());
  const auto edges = scattered_values(serial.mesh.edges());
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
  apply_face_mass(halo(u), velocity, on_faces);
  const std::vector<Vec3> expected = serial.interpolation(faces);
  const std::vector<Vec3> found = velocity.to_host();
  for (int c = 0; c < velocity.owned(); ++c) {
    EXPECT_LE(norm(found[c] - expected[mesh->numbering<Cell>().global_id[c]]), round_off * (1 + norm(found[c])));
  }
  expect_equal(gather(on_faces), serial.integration(expected), "M U");

  Field<Node> x = scattered_field<Node>(*mesh), y(*mesh);
  const auto nodes = scattered_values(serial.mesh.nodes());
  y = SparseMatrix<Node>(p1_stiffness(*mesh)) * halo(x);
  expect_equal(gather(y), serial.stiffness(nodes), "stiffness");
  y = SparseMatrix<Node>(p1_mass(*mesh)) * halo(x);
  expect_equal(gather(y), serial.mass(nodes), "mass");
  y.from_host(p1_lumped_mass(*mesh));
  expect_equal(gather(y), serial.mass(std::vector<real>(serial.mesh.nodes(), 1)), "lumped mass");
}

TEST_P(Operators, GradientIsMinusDivergenceTransposed) {
  Field<Face> u = scattered_field<Face>(*mesh), gp(*mesh);
  Field<Cell> p = scattered_field<Cell>(*mesh), div(*mesh);
  gp = mesh->G * halo(p);
  div = mesh->D * halo(u);
  EXPECT_NEAR(dot(gp, u), -dot(p, div), 1e-13 * norm(p) * norm(u));
}

TEST_P(Operators, RotationIsCurlTransposed) {
  Field<Edge> s = scattered_field<Edge>(*mesh), ru(*mesh);
  Field<Face> u = scattered_field<Face>(*mesh), cs(*mesh);
  cs = mesh->C * halo(s);
  ru = mesh->R * halo(u);
  EXPECT_NEAR(dot(cs, u), dot(s, ru), 1e-13 * norm(s) * norm(u));
}

TEST_P(Operators, DivergenceOfACurlIsRoundOff) {
  Field<Edge> s = scattered_field<Edge>(*mesh);
  Field<Face> u(*mesh);
  u = mesh->C * halo(s);
  EXPECT_LE(max_magnitude(*mesh, mesh->D * halo(u)), 1e-15 * 8);
}

TEST_P(Operators, FaceMassIsSymmetric) {
  Field<Face> u = scattered_field<Face>(*mesh, 1), v = scattered_field<Face>(*mesh, 2), mu(*mesh), mv(*mesh);
  Field<Cell, Vec3> cells(*mesh);
  apply_face_mass(halo(u), cells, mu);
  apply_face_mass(halo(v), cells, mv);
  EXPECT_NEAR(dot(mu, v), dot(u, mv), 1e-13 * norm(mu) * norm(v));
}

TEST_P(Operators, InterpolationIsExactForAConstantVelocity) {
  const Vec3 constant{1.5, -0.5, mesh->dimension() == 3 ? 2.0 : 0.0};
  Field<Face> u = constant_flux(*mesh, constant);
  Field<Cell, Vec3> cells(*mesh);
  interpolate(halo(u), cells);
  for (const Vec3& c : cells.to_host()) EXPECT_LE(norm(c - constant), 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Meshes, Operators, testing::Combine(testing::Values(2, 3), testing::Range(0, 4)),
                         [](const auto& test) {
                           return std::to_string(std::get<0>(test.param)) + "D_" +
                                  std::to_string(std::get<1>(test.param));
                         });

TEST(Operators2D, RotationMassCurlIsTheCotangentLaplacian) {
  for (const NamedPartitioner& p : partitioners()) {
    const auto mesh = make_mesh(Comm(), unit_square(7, 0.3), p.partition);
    Field<Edge> s = scattered_field<Edge>(*mesh), composed(*mesh), assembled(*mesh);
    Field<Face> u(*mesh), mu(*mesh);
    Field<Cell, Vec3> cells(*mesh);
    u = mesh->C * halo(s);
    apply_face_mass(halo(u), cells, mu);
    composed = mesh->R * halo(mu);
    assembled = SparseMatrix<Edge>(p1_stiffness(*mesh)) * halo(s);
    composed = composed - assembled;
    EXPECT_LE(max_magnitude(composed), 1e-13 * max_magnitude(assembled)) << p.name;
  }
}

/// omega = W^-1 (R M U + b) is exact for solid-body rotation u = (-y, x), boundary nodes included.
TEST(Operators2D, VorticityOfSolidBodyRotationIsTwoUpToTheWalls) {
  const auto mesh = make_mesh(Comm(), unit_square(6, 0.3));
  const auto u_at = [](const Vec3& x) { return Vec3{-x.y, x.x, 0}; };
  // On a triangle the P1 potential of this quadratic flow differs from it, but the sum over the domain is exact: 2 *
  // area.
  Field<Edge> s = sampled_field<Edge>(*mesh, [](const Vec3&x) { return -(x.x * x.x + x.y * x.y) / 2; }),
              circulation(*mesh);
  BoundaryCirculation b(*mesh);
  std::vector<Vec3> on_boundary;
  for (const Vec3& x : boundary_places(*mesh)) on_boundary.push_back(u_at(x));
  b.set(on_boundary);
  circulation = SparseMatrix<Edge>(p1_stiffness(*mesh)) * halo(s) + b.field();
  EXPECT_NEAR(sum(*mesh, operand(circulation)), 2, 1e-13);
  real expected = 0;  // b alone sums to the circulation of the boundary: also 2 * area, by Stokes
  expected = sum(*mesh, operand(b.field()));
  EXPECT_NEAR(expected, 2, 1e-13);
}

/// R M U + b on the edges: what their mass makes of the vorticity.
Field<Edge> circulation(const LocalMesh& mesh, Field<Face>& flux, const std::function<Vec3(const Vec3&)>& velocity) {
  BoundaryCirculation b(mesh);
  std::vector<Vec3> on_boundary;
  for (const Vec3& x : boundary_places(mesh)) on_boundary.push_back(velocity(x));
  b.set(on_boundary);
  Field<Cell, Vec3> cells(mesh);
  Field<Face> momentum(mesh);
  Field<Edge> result(mesh);
  apply_face_mass(halo(flux), cells, momentum);
  result = mesh.R * halo(momentum) + b.field();
  return result;
}

TEST_P(Operators, AConstantVelocityHasNoVorticityUpToTheWalls) {
  const Vec3 u{1.5, -0.5, mesh->dimension() == 2 ? 0 : 0.75};
  Field<Face> flux = constant_flux(*mesh, u), none(*mesh);
  EXPECT_LE(max_magnitude(circulation(*mesh, flux, [u](const Vec3&) { return u; })), 1e-14);
  EXPECT_GE(max_magnitude(circulation(*mesh, none, [u](const Vec3&) { return u; })), 1e-3);
}

/// M_e omega = R M U + b of u = w x x: its integral over the cube is 2 w, boundary included. In each place it scatters,
/// as the fluxes know of the velocity in a cell to first order alone.
TEST(Operators3D, VorticityOfSolidBodyRotationIsRightOnTheWhole) {
  const Vec3 w{0.3, -0.5, 0.8}, constant{1, 2, -1.5};
  for (const NamedPartitioner& p : partitioners()) {
    const auto mesh = make_mesh(Comm(), unit_cube(4, 0.2), p.partition);
    const Geometry& geometry = mesh->geometry();
    std::vector<real> fluxes, along;
    for (int f = 0; f < mesh->owned<Face>(); ++f) {
      fluxes.push_back(geometry.face_area[f] * dot(cross(w, geometry.face_centre[f]), geometry.face_normal[f]));
    }
    for (int e = 0; e < mesh->owned<Edge>(); ++e) {
      const std::span<const int> ends = mesh->part().edge_nodes_of(e);
      along.push_back(dot(constant, mesh->part().points[ends[1]] - mesh->part().points[ends[0]]));
    }
    Field<Face> flux(*mesh, fluxes);
    Field<Edge> test(*mesh, along), vorticity(*mesh), weighted(*mesh);
    const Field<Edge> right_side = circulation(*mesh, flux, [&](const Vec3& x) { return cross(w, x); });
    const Space<Edge> all(*mesh, std::vector<int>(mesh->total<Edge>(), Space<Edge>::free));
    const MatrixRows mass = edge_mass(*mesh);
    const SolveControl control{"vorticity", 1e-13, 1000, PreconditionerKind::jacobi, 0, {}};
    const SolveReport report =
        LinearSystem<Edge>(all, mass, PreconditionerKind::jacobi).solve(right_side, vorticity, control);
    EXPECT_LE(report.iterations, 50) << p.name;
    weighted = SparseMatrix<Edge>(mass) * halo(vorticity);
    EXPECT_NEAR(dot(test, weighted), 2 * dot(constant, w), 1e-11) << p.name;
  }
}

TEST(Operators2D, RotationalConvectionDoesNoWork) {
  const auto mesh = make_mesh(Comm(), unit_square(9, 0.3));
  Field<Edge> s = scattered_field<Edge>(*mesh), omega = scattered_field<Edge>(*mesh, 5);
  Field<Face> u(*mesh), convection(*mesh);
  Field<Cell, Vec3> velocity(*mesh), by_cell(*mesh);
  u = mesh->C * halo(s);
  interpolate(halo(u), velocity);
  rotational_convection(halo(omega), velocity, by_cell);
  integrate(halo(by_cell), convection);
  EXPECT_LE(std::abs(dot(u, convection)), 1e-13 * norm(u) * norm(convection));
  EXPECT_GT(norm(convection), 0);
}

/// The largest and the smallest value of what a vortex in a box carries around, a disc where it is 1, elsewhere 0.
std::pair<real, real> bounds_after_a_turn(const LocalMesh& mesh, FaceVelocity kind) {
  Field<Edge> s = sampled_field<Edge>(mesh, [](const Vec3& x) { return std::sin(pi * x.x) * std::sin(pi * x.y); });
  Field<Face> flux(mesh);
  flux = mesh.C * halo(s);
  std::vector<Vec3> disc;
  for (int c = 0; c < mesh.owned<Cell>(); ++c) {
    disc.push_back({norm(mesh.geometry().cell_centre[c] - Vec3{0.5, 0.75, 0}) < 0.2 ? real(1) : real(0), 0, 0});
  }
  Field<Cell, Vec3> carried(mesh, disc), convection(mesh);
  Field<Face, Vec3> momentum(mesh);
  const real dt = real(0.5) / courant_rate(flux);
  real largest = 0, smallest = 0;
  for (int k = 0; k < 100; ++k) {
    carry_momentum(flux, halo(carried), kind, momentum);
    divergence_convection(halo(momentum), convection);
    carried = carried - dt * convection;
    for (const Vec3& u : carried.to_host()) largest = std::max(largest, u.x), smallest = std::min(smallest, u.x);
  }
  return {mesh.comm().max(largest), mesh.comm().min(smallest)};
}

/// Of fluxes without divergence upwinding makes means alone.
TEST(Operators2D, UpwindingStaysWithinBoundsThatCentralOversteps) {
  const auto mesh = make_mesh(Comm(), unit_square(24, 0.3));
  const auto [upwind_most, upwind_least] = bounds_after_a_turn(*mesh, FaceVelocity::upwind);
  EXPECT_LE(upwind_most, 1 + 1e-13);
  EXPECT_GE(upwind_least, -1e-13);
  const auto [central_most, central_least] = bounds_after_a_turn(*mesh, FaceVelocity::central);
  EXPECT_GE(central_most, 1.1);
  EXPECT_LE(central_least, -0.1);
}

/// nu s^T L W^-1 L s against nu int omega^2 for psi = (1 - r^2)^4 inside a circle on 41k equilateral triangles
/// (NUMERICS, bar 3).
TEST(Operators2D, DissipationOfASmoothFieldIsRight_Long) {
  const int n = 143;
  const auto mesh = make_mesh(Comm(), equilateral(n, 3));
  const Vec3 middle{2.25, 3 * std::sqrt(real{3}) / 4, 0};
  Field<Edge> s = sampled_field<Edge>(*mesh, [&](const Vec3& x) {
    const real q = std::max(real{0}, 1 - dot(x - middle, x - middle));
    return q * q * q * q;
  });
  Field<Edge> ls(*mesh), w(*mesh);
  w.from_host(p1_lumped_mass(*mesh));
  ls = SparseMatrix<Edge>(p1_stiffness(*mesh)) * halo(s);
  const real exact = 768 * 3.14159265358979323846 / 35;  // integral of (laplacian psi)^2
  const real ratio = sum(*mesh, ls * ls / w) / exact;
  RecordProperty("dissipation_ratio", std::to_string(ratio));
  EXPECT_NEAR(ratio, 1, 0.005);
}

}  // namespace
}  // namespace solenoid::test
