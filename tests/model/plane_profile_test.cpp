/// Profiles over planes: linear functions are exact, layers of nodes have their own means, variances those of known
/// fields, on any partition; and planes that a mesh cannot have are refused.
#include "model/plane_profile.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

std::string profile_error(const LocalMesh& mesh, const ProfilePlanes& planes) {
  try {
    const PlaneProfile profile(mesh, planes, {}, "p");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    EXPECT_TRUE(error.collective());
    return error.what();
  }
  return "";
}

/// `work(mesh, normal)` on distorted meshes, with every partition and in two directions.
template <class Work>
void with_directions(const Work& work) {
  for (const MeshSource& source : {unit_square(9, 0.3), unit_cube(4, 0.2)}) {
    for (const NamedPartitioner& p : partitioners()) {
      const auto mesh = make_mesh(Comm(), source, p.partition);
      work(*mesh, Vec3{0, 1, 0});
      work(*mesh, source.dimension == 2 ? Vec3{0.6, 0.8, 0} : Vec3{2, -1, 2} / 3);
    }
  }
}

/// Values of 2 - 3 s at nodes or in cells.
std::vector<real> linear_values(const LocalMesh& mesh, const Vec3& normal, ValuesAt at) {
  const auto linear = [&](const Vec3& x) { return 2 - 3 * dot(normal, x); };
  return at == ValuesAt::nodes ? sampled_field<Node>(mesh, linear).all_to_host()
                               : sampled_field<Cell>(mesh, linear).all_to_host();
}

TEST(PlaneProfile, IsExactForLinearFieldsWhoseVarianceIsNone) {
  with_directions([](const LocalMesh& mesh, const Vec3& normal) {
    for (const ProfilePlanes& planes :
         {ProfilePlanes{normal, {}, 4}, ProfilePlanes{normal, {0.3, 0.55, 0.8}}, ProfilePlanes{normal, {0.2, 0.7}}}) {
      const PlaneProfile profile(mesh, planes, {}, "p");
      for (const ValuesAt at : {ValuesAt::nodes, ValuesAt::cells}) {
        const std::vector<real> values = linear_values(mesh, normal, at);
        const std::vector<double> means = profile.means(values, at, 1), spread = profile.spread(values, at, 1, means);
        for (std::size_t k = 0; k < profile.positions().size(); ++k) {
          EXPECT_NEAR(means[k], 2 - 3 * profile.positions()[k], 200 * round_off);
          EXPECT_NEAR(spread[k], 0, 200 * round_off);
        }
      }
    }
  });
}

TEST(PlaneProfile, SharesOutTheWholeMesh) {
  with_directions([](const LocalMesh& mesh, const Vec3& normal) {
    const PlaneProfile profile(mesh, {normal, {}, 3}, {}, "p");
    double sum = 0;
    for (const double volume : profile.volumes()) sum += volume;
    EXPECT_NEAR(sum, 1, 20 * round_off);
  });
}

TEST(PlaneProfile, OfLayersHasTheMeansAndVariancesOfEach) {
  for (const MeshSource& source : {unit_square(6), unit_cube(5)}) {
    const auto mesh = make_mesh(Comm(), source);
    const PlaneProfile profile(*mesh, {}, {}, "p");  // without planes: the layers
    const int layers = source.dimension == 2 ? 7 : 6;
    ASSERT_EQ(std::ssize(profile.positions()), layers);
    // volumes are the same at x and 1 - x: y^2 is the mean; in the cube, without nodes at x = 1/2, the variance is 1
    const auto values = sampled_field<Node>(*mesh, [](const Vec3& x) {
      const real side = x.x - real{0.5};
      return x.y * x.y + (std::abs(side) < real{0.01} ? 0 : std::copysign(real{1}, side));
    });
    const std::vector<double> means = profile.means(values.all_to_host(), ValuesAt::nodes, 1),
                              spread = profile.spread(values.all_to_host(), ValuesAt::nodes, 1, means);
    const double h = 1.0 / (layers - 1);
    for (int k = 0; k < layers; ++k) {
      EXPECT_NEAR(profile.positions()[k], k * h, round_off);
      if (source.dimension == 3 && (k == 0 || k == layers - 1)) continue;  // Kuhn's division is uneven there
      EXPECT_NEAR(means[k], k * h * k * h, 20 * round_off);
      if (source.dimension == 2) continue;
      EXPECT_NEAR(spread[k], 1, 20 * round_off);
    }
  }
}

/// The largest error of the variances of u = (sin 2 pi x, cos 2 pi x, sin 2 pi x cos 2 pi z) about planes y = const.
double error_of_spread(int n, ValuesAt at) {
  const auto mesh = make_mesh(Comm(), unit_cube(n, 0.2));
  const PlaneProfile profile(*mesh, {{0, 1, 0}, {}, 3}, {}, "p");
  constexpr real turn = 2 * std::numbers::pi_v<real>;
  std::vector<real> values;
  const auto add = [&](const Vec3& x) {
    const real s = std::sin(turn * x.x), c = std::cos(turn * x.x);
    values.insert(values.end(), {s, c, s * std::cos(turn * x.z)});
  };
  if (at == ValuesAt::nodes) {
    for (int i = 0; i < mesh->total<Node>(); ++i) add(mesh->part().points[i]);
  } else {
    for (int i = 0; i < mesh->total<Cell>(); ++i) add(mesh->geometry().cell_centre[i]);
  }
  const std::vector<double> spread = profile.spread(values, at, 3, profile.means(values, at, 3));
  constexpr double expected[] = {0.5, 0.5, 0.25, 0, 0, 0};
  double error = 0;
  for (std::size_t k = 0; k < spread.size(); ++k) error = std::max(error, std::abs(spread[k] - expected[k % 6]));
  return error;
}

TEST(PlaneProfile, ConvergesToTheVariancesOfKnownFields) {
  for (const ValuesAt at : {ValuesAt::nodes, ValuesAt::cells}) {
    const double coarse = error_of_spread(5, at), fine = error_of_spread(10, at);
    EXPECT_LT(fine, 0.02);
    EXPECT_LT(fine, coarse / 2);
  }
}

TEST(PlaneProfile, LeavesOutSolids) {
  const MeshSource source = with_solid(
      unit_square(8), [](const Vec3& x) { return x.y > real{0.5}; }, "plate");
  const auto mesh = make_mesh(Comm(), source);
  const PlaneProfile whole(*mesh, {}, {}, "p"), fluid(*mesh, {}, {"plate"}, "p");
  EXPECT_NEAR(whole.positions().back(), 1, round_off);
  EXPECT_NEAR(fluid.positions().back(), 0.5, round_off);
  EXPECT_NEAR(fluid.volumes().front(), whole.volumes().front(), round_off);
}

TEST(PlaneProfile, OfAPlaceHasTheCellsThereAlone) {
  const MeshSource source = with_solid(
      unit_square(8), [](const Vec3& x) { return x.x > real{0.5}; }, "right");
  const auto mesh = make_mesh(Comm(), source);
  const ProfilePlanes planes{{0, 1, 0}, {}, 3, BoxOfPoints{{0, 0, 0}, {0.5, 0.75, 0}}};
  const PlaneProfile left(*mesh, planes, {}, "p"), same(*mesh, {{0, 1, 0}, {0, 0.375, 0.75}}, {"right"}, "p");
  EXPECT_EQ(left.positions(), same.positions());
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(left.volumes()[k], same.volumes()[k], round_off);
  std::vector<real> of_nodes, of_cells;
  for (int n = 0; n < mesh->total<Node>(); ++n) of_nodes.push_back(mesh->part().points[n].x > real{0.5} ? 100 : 1);
  for (int c = 0; c < mesh->total<Cell>(); ++c)
    of_cells.push_back(mesh->geometry().cell_centre[c].x > real{0.5} ? 100 : 1);
  for (const double mean : left.means(of_nodes, ValuesAt::nodes, 1)) EXPECT_NEAR(mean, 1, round_off);
  for (const double mean : left.means(of_cells, ValuesAt::cells, 1)) EXPECT_NEAR(mean, 1, round_off);
  EXPECT_NE(left.place(), same.place());
  EXPECT_EQ(profile_error(*mesh, {{0, 1, 0}, {}, 3, BallOfPoints{{3, 0, 0}, 1}}),
            "p: `within`: fewer than two planes of nodes lie there; the mesh reaches from (0, 0) to (1, 1) m");
}

TEST(PlaneProfile, RefusesPlanesThatTheMeshCannotHave) {
  const auto flat = make_mesh(Comm(), unit_square(4));
  EXPECT_EQ(profile_error(*flat, {{0, 0.6, 0.8}, {}, 3}),
            "p: `direction`: points out of the mesh of triangles, expected one with z = 0");
  EXPECT_EQ(profile_error(*flat, {{0, 1, 0}, {}, 9}),
            "p: `points`: the plane at 0.125 m has too few nodes of the mesh about it for a mean, expected planes in "
            "the mesh and further apart");
  EXPECT_EQ(profile_error(*flat, {{0, 1, 0}, {0.5, 1.5, 2}}),
            "p: `positions`: the plane at 2 m has too few nodes of the mesh about it for a mean, expected planes in "
            "the mesh and further apart");
  const auto distorted = make_mesh(Comm(), unit_square(9, 0.3));
  EXPECT_EQ(profile_error(*distorted, {{0.6, 0.8, 0}, {}}),
            "p: the nodes of the mesh are not in layers along `direction`: expected `points` or `positions`");
  MeshSource source = with_patches(unit_square(4), [](const Vec3& x) {
    return x.x == 0 ? "left" : x.x == 1 ? "right" : "wall";
  });
  source.pairs = {{"left", "right"}};
  const auto periodic = make_mesh(Comm(), source);
  EXPECT_EQ(profile_error(*periodic, ProfilePlanes{}), "");
  EXPECT_EQ(profile_error(*periodic, {{0.6, 0.8, 0}, {}, 3}),
            "p: `direction`: has a part along the period from `left` to `right`, expected one normal to it");
}

}  // namespace
}  // namespace solenoid::test
