/// Scaled Jacobians: of ideal elements, of sheared ones by hand, in any orientation; and of what a mesh is divided
/// into.
#include "io/msh/element_quality.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace solenoid {
namespace {

constexpr real round_off = 100 * std::numeric_limits<real>::epsilon();
const real root3 = std::sqrt(real{3}), root2 = std::sqrt(real{2});

std::vector<Vec3> ideal_cube() {
  return {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
}

/// Of each shape the ideal element.
std::vector<std::pair<ElementShape, std::vector<Vec3>>> ideal_elements() {
  const Vec3 a{0, 0, 0}, b{1, 0, 0}, c{real{1} / 2, root3 / 2, 0}, up{0, 0, 1};
  return {{ElementShape::triangle, {a, b, c}},
          {ElementShape::quadrangle, {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}},
          {ElementShape::tetrahedron, {a, b, c, {real{1} / 2, root3 / 6, root2 / root3}}},
          {ElementShape::hexahedron, ideal_cube()},
          {ElementShape::prism, {a, b, c, a + up, b + up, c + up}},
          {ElementShape::pyramid, {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {real{1} / 2, real{1} / 2, root2 / 2}}}};
}

TEST(ScaledJacobian, OfIdealElementsIsOneInAnySizeAndOrientation) {
  for (const auto& [shape, ideal] : ideal_elements()) {
    for (const real size : {real(1e-3), real(1), real(-20)}) {  // negative: inside out as a whole
      std::vector<Vec3> corners = ideal;
      for (Vec3& x : corners) x = {size * x.x, size * x.y, std::abs(size) * x.z};
      if (dimension_of(shape) == 3 && size < 0) {
        for (Vec3& x : corners) x.y = -x.y;
      }
      EXPECT_NEAR(scaled_jacobian(shape, corners), 1, round_off) << plural_of(shape) << size;
    }
  }
}

TEST(ScaledJacobian, OfShearedElementsIsTheSineOfTheAngle) {
  for (const auto& [shape, ideal] : ideal_elements()) {
    if (shape != ElementShape::quadrangle && shape != ElementShape::hexahedron) continue;
    std::vector<Vec3> corners = ideal;
    for (Vec3& x : corners) x = {3 * (x.x + x.y / root3), 3 * x.y, 7 * x.z};  // 60 degrees between two edges
    EXPECT_NEAR(scaled_jacobian(shape, corners), root3 / 2, round_off);
  }
  std::vector<Vec3> corners = ideal_cube();
  corners[6] = {real(0.2), real(0.2), real(0.2)};  // behind the plane through its neighbours
  EXPECT_LT(scaled_jacobian(ElementShape::hexahedron, corners), 0);
  corners[6] = corners[5];
  EXPECT_EQ(scaled_jacobian(ElementShape::hexahedron, corners), 0);
}

TEST(ScaledJacobian, BeforeAndAfterADivisionAreToldTogether) {
  MeshSource mesh;
  mesh.dimension = 3;
  mesh.points = ideal_cube();
  mesh.points.push_back({2, 0, 0});
  for (std::int64_t k = 0; k < 9; ++k) mesh.point_ids.push_back(10 * k + 3);
  DividedElements elements{{ElementShape::quadrangle, ElementShape::hexahedron}, {3, 13, 23, 33}};
  for (std::size_t k = 0; k < 8; ++k) elements.nodes.push_back(mesh.point_ids[k]);
  std::vector<std::int64_t> simplices;
  append_simplices(ElementShape::hexahedron, std::span(elements.nodes).subspan(4), simplices);
  for (const std::int64_t id : simplices) mesh.cells.push_back(static_cast<int>(id / 10));
  mesh.cell_ids.assign(6, 7);
  mesh.cells.insert(mesh.cells.end(), {1, 8, 2, 5});  // a tetrahedron of the file, which does not count
  mesh.cell_ids.push_back(8);
  const auto before = shape_before(elements, mesh), after = shape_after(mesh);
  ASSERT_TRUE(before && after);
  EXPECT_EQ(before->worst, 1);
  EXPECT_EQ(before->mean, 1);
  // sqrt(2) over the largest product of three edges at a corner: four of Kuhn's tetrahedra have 1 sqrt(2) sqrt(3), one
  // at a corner of the cube has 1 sqrt(2) sqrt(2), one within has sqrt(2) sqrt(2) sqrt(3).
  EXPECT_NEAR(after->worst, root2 / (2 * root3), round_off);
  EXPECT_NEAR(after->mean, (4 / root3 + root2 / 2 + root2 / (2 * root3)) / 6, round_off);
  EXPECT_EQ(text_of_shapes(elements, mesh),
            "scaled Jacobian (1: cubes, regular tetrahedra) of the elements: worst 1, mean 1; of their tetrahedra: "
            "worst 0.408, mean 0.571");
  EXPECT_EQ(text_of_shapes({}, mesh),
            "scaled Jacobian (1: cubes, regular tetrahedra) of their tetrahedra: worst 0.408, mean 0.571");
  mesh.cell_ids = {1, 2, 3, 4, 5, 6, 7};
  EXPECT_EQ(text_of_shapes({}, mesh), "");
}

}  // namespace
}  // namespace solenoid
