/// Assembled matrices on edges, faces and cells against serial loops, against the operators that they are products of,
/// and by what they must leave alone.
#include <gtest/gtest.h>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "operators/finite_volumes.hpp"
#include "operators/interpolation.hpp"
#include "operators/means.hpp"
#include "operators/nedelec.hpp"
#include "operators/p1.hpp"
#include "reference/serial.hpp"
#include "solve/sparse_matrix.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

/// Equal, and not all zero.
void expect_match(const std::vector<real>& found, const std::vector<real>& expected, const std::string& what) {
  EXPECT_TRUE(std::any_of(expected.begin(), expected.end(), [](real value) { return value != 0; })) << what;
  expect_equal(found, expected, what);
}

template <class L>
std::vector<real> times(const MatrixRows& rows, Field<L>& x) {
  Field<L> y(x.mesh());
  y = SparseMatrix<L>(rows) * halo(x);
  return gather(y);
}

/// The whole matrix by global ids, row after row, on every rank.
template <class L>
std::vector<real> dense(const LocalMesh& mesh, const MatrixRows& rows) {
  const auto& id = mesh.numbering<L>().global_id;
  const std::int64_t n = mesh.global_count<L>();
  std::vector<real> all(n * n, 0);
  for (int i = 0; i < rows.rows(); ++i) {
    for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) all[id[i] * n + id[rows.column[k]]] += rows.value[k];
  }
  mesh.comm().sum(std::span<real>(all));
  return all;
}

real asymmetry(const std::vector<real>& a, std::int64_t n) {
  real worst = 0, scale = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      worst = std::max(worst, std::abs(a[i * n + j] - a[j * n + i]));
      scale = std::max(scale, std::abs(a[i * n + j]));
    }
  }
  return worst / scale;
}

/// The smallest pivot of a Cholesky factorisation, relative to its diagonal coefficient; not positive: indefinite.
real smallest_pivot(std::vector<real> a, std::int64_t n) {
  real smallest = 1;
  for (std::int64_t k = 0; k < n; ++k) {
    real pivot = a[k * n + k];
    for (std::int64_t j = 0; j < k; ++j) pivot -= a[k * n + j] * a[k * n + j];
    smallest = std::min(smallest, pivot / a[k * n + k]);
    if (!(pivot > 0)) return smallest;
    a[k * n + k] = std::sqrt(pivot);
    for (std::int64_t i = k + 1; i < n; ++i) {
      for (std::int64_t j = 0; j < k; ++j) a[i * n + k] -= a[i * n + j] * a[k * n + j];
      a[i * n + k] /= a[k * n + k];
    }
  }
  return smallest;
}

void expect_ascending_columns(const LocalNumbering& numbering, const MatrixRows& rows) {
  ASSERT_EQ(rows.rows(), numbering.owned);
  for (int i = 0; i < rows.rows(); ++i) {
    for (int k = rows.offset[i] + 1; k < rows.offset[i + 1]; ++k) {
      ASSERT_LT(numbering.global_id[rows.column[k - 1]], numbering.global_id[rows.column[k]]);
    }
  }
}

class Assembled : public testing::TestWithParam<std::tuple<int, int>> {
 protected:
  MeshSource source = std::get<0>(GetParam()) == 2 ? unit_square(7, 0.3) : unit_cube(3, 0.2);
  std::unique_ptr<LocalMesh> mesh = make_mesh(Comm(), source, all_partitioners()[std::get<1>(GetParam())].partition);
  Field<Face> inner{*mesh, inner_conductance(*mesh)};

  /// Some conductance on every face, the boundary's too: 2 + sin.
  Field<Face> any_conductance() const {
    std::vector<real> values = scattered_field<Face>(*mesh, 9).to_host();
    for (real& value : values) value += 2;
    return {*mesh, values};
  }
};

TEST_P(Assembled, EqualTheSerialLoops) {
  const SerialMesh serial(source);
  const auto cells = scattered_values(serial.mesh.cells()), faces = scattered_values(serial.mesh.faces()),
             edges = scattered_values(serial.mesh.edges());
  Field<Cell> p = scattered_field<Cell>(*mesh);
  Field<Face> u = scattered_field<Face>(*mesh), any = any_conductance();
  Field<Edge> s = scattered_field<Edge>(*mesh);

  expect_match(gather(inner), serial.inner_conductance(), "A/L");
  expect_match(times(two_point_laplacian(*mesh, inner), p),
               serial.two_point_laplacian(serial.inner_conductance(), cells), "two-point Laplacian");
  expect_match(times(two_point_laplacian(*mesh, any), p), serial.two_point_laplacian(gather(any), cells),
               "two-point Laplacian with walls");
  expect_match(times(curl_curl(*mesh), s), serial.curl_curl(edges), "curl-curl");
  expect_match(times(edge_mass(*mesh), s), serial.edge_mass(edges), "edge mass");
  const std::vector<real> mass = serial.rt0_mass(faces);
  expect_match(times(rt0_mass(*mesh), u), mass, "RT0 mass");
  std::vector<real> diffusion = serial.face_diffusion(gather(any), faces);
  expect_match(times(face_diffusion(*mesh, any), u), diffusion, "friction with walls");
  diffusion = serial.face_diffusion(serial.inner_conductance(), faces);
  expect_match(times(face_diffusion(*mesh, inner), u), diffusion, "friction");
  std::vector<real> momentum(mass.size());
  for (std::size_t f = 0; f < mass.size(); ++f) momentum[f] = 30 * mass[f] + real(0.02) * diffusion[f];
  expect_match(times(momentum_matrix(*mesh, 30, real(0.02)), u), momentum, "momentum");
}

TEST_P(Assembled, ColumnsAscendInTheirGlobalIds) {
  expect_ascending_columns(mesh->numbering<Node>(), p1_stiffness(*mesh));
  expect_ascending_columns(mesh->numbering<Edge>(), curl_curl(*mesh));
  expect_ascending_columns(mesh->numbering<Edge>(), edge_mass(*mesh));
  expect_ascending_columns(mesh->numbering<Face>(), rt0_mass(*mesh));
  expect_ascending_columns(mesh->numbering<Face>(), momentum_matrix(*mesh, 1, 1));
  expect_ascending_columns(mesh->numbering<Cell>(), two_point_laplacian(*mesh, inner));
}

TEST_P(Assembled, CurlCurlIsRotationMassCurl) {
  Field<Edge> s = scattered_field<Edge>(*mesh), composed(*mesh);
  Field<Face> u(*mesh), mu(*mesh);
  Field<Cell, Vec3> cells(*mesh);
  u = mesh->C * halo(s);
  apply_face_mass(halo(u), cells, mu);
  composed = mesh->R * halo(mu);
  expect_match(times(curl_curl(*mesh), s), gather(composed), "R M C");
  if (mesh->dimension() == 2) {
    EXPECT_EQ(curl_curl(*mesh).value, p1_stiffness(*mesh).value);
  }
}

/// In 2D, where a potential has no gradient, it is constants that have no curl.
TEST_P(Assembled, CurlCurlTakesGradientsToZero) {
  Field<Edge> gradient(*mesh);
  std::vector<real> values(gradient.owned(), 1);
  const MeshPart& part = mesh->part();
  for (int e = 0; e < gradient.owned() && mesh->dimension() == 3; ++e) {
    const auto potential = [&](int end) {
      return value_of(part.node_numbering.global_id[part.edge_nodes[2 * e + end]]);
    };
    values[e] = potential(1) - potential(0);
  }
  gradient.from_host(values);
  Field<Edge> zero(*mesh), other = scattered_field<Edge>(*mesh), nonzero(*mesh);
  const SparseMatrix<Edge> matrix(curl_curl(*mesh));
  zero = matrix * halo(gradient);
  nonzero = matrix * halo(other);
  EXPECT_GT(max_magnitude(gradient), 0.5);
  EXPECT_LE(max_magnitude(zero), round_off * max_magnitude(nonzero));
}

TEST_P(Assembled, TwoPointLaplacianIsMinusTheDivergenceOfTheFluxes) {
  Field<Face> any = any_conductance(), flux(*mesh);
  Field<Cell> p = scattered_field<Cell>(*mesh), composed(*mesh);
  flux = any * (mesh->G * halo(p));
  composed = real{-1} * (mesh->D * halo(flux));
  expect_match(times(two_point_laplacian(*mesh, any), p), gather(composed), "-D w G");
}

TEST_P(Assembled, RaviartThomasMassIsTheFaceMassOfDivergenceFreeFluxes) {
  Field<Edge> s = scattered_field<Edge>(*mesh);
  Field<Face> u(*mesh), mu(*mesh);
  Field<Cell, Vec3> cells(*mesh);
  u = mesh->C * halo(s);
  apply_face_mass(halo(u), cells, mu);
  expect_match(times(rt0_mass(*mesh), u), gather(mu), "M C s");
}

TEST_P(Assembled, RaviartThomasMassIsSymmetricPositiveDefinite) {
  const std::int64_t n = mesh->global_count<Face>();
  const std::vector<real> mass = dense<Face>(*mesh, rt0_mass(*mesh));
  EXPECT_LE(asymmetry(mass, n), 1e-15);
  EXPECT_GT(smallest_pivot(mass, n), 0.01);
}

TEST_P(Assembled, EdgeMassIsSymmetricPositiveDefinite) {
  const std::int64_t n = mesh->global_count<Edge>();
  const std::vector<real> mass = dense<Edge>(*mesh, edge_mass(*mesh));
  EXPECT_LE(asymmetry(mass, n), 1e-15);
  EXPECT_GT(smallest_pivot(mass, n), 0.01);
}

TEST_P(Assembled, RaviartThomasMassIntegratesConstantVelocities) {
  const bool planar = mesh->dimension() == 2;
  const Vec3 a{1.5, -0.5, planar ? 0.0 : 2.0}, b{-0.25, 1, planar ? 0.0 : 0.75};
  Field<Face> u = constant_flux(*mesh, a), v = constant_flux(*mesh, b), mu(*mesh);
  mu = SparseMatrix<Face>(rt0_mass(*mesh)) * halo(u);
  EXPECT_NEAR(dot(v, mu), dot(a, b), 1e-13);  // the domain has the volume 1
}

TEST_P(Assembled, FaceDiffusionIsSymmetricAndNotNegative) {
  const std::int64_t n = mesh->global_count<Face>();
  EXPECT_LE(asymmetry(dense<Face>(*mesh, face_diffusion(*mesh, inner)), n), 1e-14);
  std::vector<real> shifted = dense<Face>(*mesh, face_diffusion(*mesh, inner));
  real scale = 0;
  for (std::int64_t f = 0; f < n; ++f) scale = std::max(scale, shifted[f * n + f]);
  for (std::int64_t f = 0; f < n; ++f) shifted[f * n + f] += 1e-10 * scale;  // it is singular
  EXPECT_GT(smallest_pivot(shifted, n), 0);
}

TEST_P(Assembled, FaceDiffusionLeavesConstantVelocitiesAlone) {
  Field<Face> u = constant_flux(*mesh, {1.5, -0.5, mesh->dimension() == 3 ? 2.0 : 0.0}), other(*mesh), zero(*mesh);
  const SparseMatrix<Face> free(face_diffusion(*mesh, inner));
  zero = free * halo(u);
  Field<Face> scattered = scattered_field<Face>(*mesh);
  other = free * halo(scattered);
  EXPECT_LE(max_magnitude(zero), round_off * max_magnitude(other) * max_magnitude(u));

  Field<Face> any = any_conductance();
  other = SparseMatrix<Face>(face_diffusion(*mesh, any)) * halo(u);
  EXPECT_GT(dot(u, other), 1);  // walls at rest hold it
}

TEST_P(Assembled, FaceDiffusionIsTheFrictionOfTheCellVelocities) {
  Field<Face> u = scattered_field<Face>(*mesh), composed(*mesh);
  Field<Cell, Vec3> velocity(*mesh), friction(*mesh);
  interpolate(halo(u), velocity);
  const SparseMatrix<Cell> laplacian(two_point_laplacian(*mesh, inner));
  const std::vector<Vec3> in = velocity.to_host();
  std::vector<Vec3> out(in.size());
  using Component = real Vec3::*;
  for (const Component component : {&Vec3::x, &Vec3::y, &Vec3::z}) {
    std::vector<real> along(in.size());
    for (std::size_t c = 0; c < in.size(); ++c) along[c] = in[c].*component;
    Field<Cell> x(*mesh, along), y(*mesh);
    y = laplacian * halo(x);
    along = y.to_host();
    for (std::size_t c = 0; c < in.size(); ++c) out[c].*component = along[c] / mesh->geometry().cell_volume[c];
  }
  friction.from_host(out);
  integrate(halo(friction), composed);
  expect_match(times(face_diffusion(*mesh, inner), u), gather(composed), "J^T K J");
}

TEST_P(Assembled, MomentumMatrixIsSymmetricPositiveDefinite) {
  const std::int64_t n = mesh->global_count<Face>();
  const std::vector<real> momentum = dense<Face>(*mesh, momentum_matrix(*mesh, 30, real(0.02)));
  EXPECT_LE(asymmetry(momentum, n), 1e-14);
  EXPECT_GT(smallest_pivot(momentum, n), 0.01);
}

INSTANTIATE_TEST_SUITE_P(Meshes, Assembled, testing::Combine(testing::Values(2, 3), testing::Range(0, 4)),
                         [](const auto& test) {
                           return std::to_string(std::get<0>(test.param)) + "D_" +
                                  std::to_string(std::get<1>(test.param));
                         });

TEST(AssembledOnOneCell, TwoPointLaplacianHoldsTheCellAtZero) {
  const MeshSource triangle = without_cells(
      unit_square(1), [](const Vec3& x) { return x.x < x.y; }, "cut");
  const auto mesh = make_mesh(Comm(), triangle, all_on_last_rank);
  ASSERT_EQ(mesh->global_count<Cell>(), 1);
  Field<Face> inner(*mesh, inner_conductance(*mesh));
  EXPECT_EQ(dense<Cell>(*mesh, two_point_laplacian(*mesh, inner)), std::vector<real>{1});
}

/// x.D x <= x.M_e x for every x, and not by much: a tenth of D more would be too much for some.
TEST(Nedelec, LowerMassIsNowhereMoreThanTheMass) {
  for (const real flatness : {real{1}, real{0.1}}) {
    MeshSource source = unit_cube(2, 0.2);
    for (Vec3& x : source.points) x.z *= flatness;
    const auto mesh = make_mesh(alone(), source);
    const std::vector<real> lower = lower_edge_mass(*mesh);
    const auto less_by = [&](real factor) {
      MatrixRows mass = edge_mass(*mesh);
      for (int i = 0; i < mass.rows(); ++i) {
        for (int k = mass.offset[i]; k < mass.offset[i + 1]; ++k) {
          if (mass.column[k] == i) mass.value[k] -= factor * lower[i];
        }
      }
      return smallest_pivot(dense<Edge>(*mesh, mass), mesh->global_count<Edge>());
    };
    EXPECT_GT(less_by(0.999), 0) << flatness;
    EXPECT_LE(less_by(2), 0) << flatness;
  }
}

/// Of the first `count` rows.
std::vector<Vec3> means_of(const EdgeMeans& means, const Exchanged<Edge>& values, int count) {
  DeviceArray<Vec3> result(static_cast<std::size_t>(count));
  const auto rows = means.rows();
  const auto x = values.view();
  Vec3* const of_row = result.data();
  forall(
      count, SOLENOID_KERNEL(int i) { of_row[i] = rows(x, i); });
  return result.to_host();
}

TEST(EdgeMeans, AreThoseOfAConstantVector) {
  const Vec3 constant{1, -2, 3};
  const auto mesh = make_mesh(Comm(), unit_cube(3, 0.2));
  const MeshPart& part = mesh->part();
  std::vector<real> integrals;
  for (int e = 0; e < mesh->owned<Edge>(); ++e) {
    const std::span<const int> ends = part.edge_nodes_of(e);
    integrals.push_back(dot(constant, part.points[ends[1]] - part.points[ends[0]]));
  }
  Field<Edge> along(*mesh, integrals);
  const auto values = halo(along);
  for (const Vec3& mean : means_of(EdgeMeans::in_cells(*mesh), values, mesh->owned<Cell>())) {
    EXPECT_LE(norm(mean - constant), 1e-13);
  }
  const std::vector<Vec3> on_boundary = means_of(EdgeMeans::on_boundary(*mesh), values, mesh->boundary().owned().count);
  std::size_t row = 0;
  for (const BoundaryFace& b : mesh->boundary()) {
    if (!b.is_owned) continue;
    const Vec3 in_plane = constant - dot(constant, b.outward_normal) * b.outward_normal;
    EXPECT_LE(norm(on_boundary[row++] - in_plane), 1e-13);
  }
}

}  // namespace
}  // namespace solenoid::test
