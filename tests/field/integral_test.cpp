/// Sums with weights: integrals and means over a volume group of a mesh that has two.
#include "field/integral.hpp"

#include <gtest/gtest.h>

#include "field/assign.hpp"
#include "support/meshes.hpp"

namespace solenoid::test {
namespace {

/// The source with its cells left of x = 1/4 in volume group "left" and those beyond 1/2 in "right"; the rest in none.
MeshSource two_regions(MeshSource source) {
  source.regions = {"left", "right"};
  const int corners = source.dimension + 1;
  for (int c = 0; c < source.cell_count(); ++c) {
    real x = 0;
    for (int k = 0; k < corners; ++k) x += source.points[source.cells[corners * c + k]].x / corners;
    source.cell_region[c] = x < real{0.25} ? 0 : x > real{0.5} ? 1 : -1;
  }
  return source;
}

TEST(Integral, OfALinearFunctionOverAVolumeGroup) {
  for (const MeshSource& source : {two_regions(unit_square(8)), two_regions(unit_cube(4))}) {
    for (const NamedPartitioner& p : partitioners()) {
      const auto mesh = make_mesh(Comm(), source, p.partition);
      const Field<Cell> x = sampled_field<Cell>(*mesh, [](const Vec3& place) { return 3 * place.x + place.y; });
      const Field<Cell> left = region_weight(*mesh, 0), right = region_weight(*mesh, 1);
      EXPECT_NEAR(sum(*mesh, volumes(*mesh), left), 0.25, 1e-14) << p.name;
      EXPECT_NEAR(integral(*mesh, x), 2, 1e-13) << p.name;
      EXPECT_NEAR(mean(*mesh, x), 2, 1e-13) << p.name;
      EXPECT_NEAR(mean(*mesh, x, left), 0.375 + 0.5, 1e-13) << p.name;
      EXPECT_NEAR(integral(*mesh, x, left), 0.25 * (0.375 + 0.5), 1e-14) << p.name;
      EXPECT_NEAR(mean(*mesh, x, right), 2.25 + 0.5, 1e-13) << p.name;
      EXPECT_NEAR(integral(*mesh, 2 * x, right), 2.25 + 0.5, 1e-13) << p.name;
    }
  }
}

TEST(Integral, WeightsCountInInnerProducts) {
  for (const NamedPartitioner& p : partitioners()) {
    const auto mesh = make_mesh(Comm(), two_regions(unit_square(8)), p.partition);
    const Field<Cell> x = scattered_field<Cell>(*mesh, 1), y = scattered_field<Cell>(*mesh, 2);
    const Field<Cell> left = region_weight(*mesh, 0), scattered = scattered_field<Cell>(*mesh, 3);
    real expected = 0, within = 0;
    const std::vector<real> is_left = gather(left);
    for (std::int64_t id = 0; id < mesh->global_count<Cell>(); ++id) {
      expected += value_of(id, 3) * value_of(id, 1) * value_of(id, 2);
      if (is_left[id] == 1) within += value_of(id, 1) * value_of(id, 2);
    }
    EXPECT_NEAR(dot(x, y, scattered), expected, 1e-13) << p.name;
    EXPECT_NEAR(dot(x, y, left), within, 1e-13) << p.name;
    EXPECT_NEAR(sum(*mesh, x * y, left), within, 1e-13) << p.name;
    EXPECT_GT(std::abs(within - dot(x, y)), 0.1) << p.name;
  }
}

TEST(Integral, RefusesAVolumeGroupThatIsNotThere) {
  const auto mesh = make_mesh(Comm(), two_regions(unit_square(4)));
  EXPECT_THROW(region_weight(*mesh, 2), Error);
  EXPECT_THROW(region_weight(*mesh, -1), Error);
  const Field<Cell> x = scattered_field<Cell>(*mesh), nowhere(*mesh);
  EXPECT_THROW(mean(*mesh, x, nowhere), Error);
}

}  // namespace
}  // namespace solenoid::test
