/// Between nodes and edges in 3D: against serial loops, and by the identities that hold on any mesh.
#include "operators/nedelec.hpp"

#include <gtest/gtest.h>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "reference/serial.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

class EdgesAndNodes : public testing::TestWithParam<int> {
 protected:
  MeshSource source = unit_cube(3, 0.2);
  std::unique_ptr<LocalMesh> mesh = make_mesh(Comm(), source, all_partitioners()[GetParam()].partition);
  EdgeEnds ends{*mesh};

  /// v(position) at the nodes.
  template <class F>
  Field<Node, Vec3> vectors_at_nodes(const F& v) const {
    std::vector<Vec3> values;
    for (int n = 0; n < mesh->owned<Node>(); ++n) values.push_back(v(mesh->part().points[n]));
    Field<Node, Vec3> field(*mesh);
    field.from_host(values);
    return field;
  }
};

Vec3 swirl(const Vec3& x) { return {std::sin(3 * x.y), x.x * x.z, std::cos(2 * x.x) - x.y}; }

TEST_P(EdgesAndNodes, EqualTheSerialLoops) {
  const SerialMesh serial(source);
  Field<Node> p = scattered_field<Node>(*mesh);
  Field<Node, Vec3> v = vectors_at_nodes(swirl);
  Field<Edge> gradient(*mesh), integral(*mesh);
  gradient = ends.gradient() * halo(p);
  integral = ends.line_integrals(halo(v));
  expect_equal(gather(gradient), serial.edge_gradient(scattered_values(serial.mesh.nodes())), "gradient");
  std::vector<Vec3> whole;
  for (const Vec3& x : serial.mesh.points) whole.push_back(swirl(x));
  expect_equal(gather(integral), serial.line_integrals(whole), "line integrals");
}

TEST_P(EdgesAndNodes, CurlOfAGradientIsZeroInIntegers) {
  std::vector<real> values;
  for (int n = 0; n < mesh->owned<Node>(); ++n) {
    values.push_back(std::round(1e6 * value_of(mesh->numbering<Node>().global_id[n])));
  }
  Field<Node> p(*mesh, values);
  Field<Edge> gradient(*mesh);
  Field<Face> curl(*mesh);
  gradient = ends.gradient() * halo(p);
  curl = mesh->C * halo(gradient);
  EXPECT_GT(max_magnitude(gradient), 1e5);
  EXPECT_EQ(max_magnitude(curl), 0);
}

/// Beyond a periodic pair, too: an edge leads to where the cells around it have its other end.
TEST_P(EdgesAndNodes, LineIntegralsOfAConstantCloseAroundEveryFace) {
  MeshSource periodic = with_patches(source, [](const Vec3& x) -> std::string {
    constexpr real near = 1e-6;
    return x.x < near ? "left" : x.x > 1 - near ? "right" : x.y < near ? "bottom" : x.y > 1 - near ? "top" : "wall";
  });
  periodic.pairs = {{"left", "right"}, {"bottom", "top"}};
  const auto torus = make_mesh(Comm(), periodic, all_partitioners()[GetParam()].partition);
  const EdgeEnds its_ends(*torus);
  Field<Node, Vec3> constant(*torus);
  constant.from_host(std::vector<Vec3>(torus->owned<Node>(), Vec3{1, -0.7, 0.4}));
  Field<Edge> integral(*torus);
  Field<Face> around(*torus);
  integral = its_ends.line_integrals(halo(constant));
  around = torus->C * halo(integral);
  EXPECT_GT(max_magnitude(integral), 0.2);
  EXPECT_LE(max_magnitude(around), 1e-14);
}

TEST_P(EdgesAndNodes, TransposesAreAdjoint) {
  Field<Node> p = scattered_field<Node>(*mesh, 1), of_edges(*mesh);
  Field<Node, Vec3> v = vectors_at_nodes(swirl), gathered(*mesh);
  Field<Edge> s = scattered_field<Edge>(*mesh, 2), gradient(*mesh), integral(*mesh);
  gradient = ends.gradient() * halo(p);
  of_edges = ends.transposed_gradient() * halo(s);
  EXPECT_NEAR(dot(gradient, s), dot(p, of_edges), round_off * norm(gradient) * norm(s));

  integral = ends.line_integrals(halo(v));
  gathered = ends.transposed_integrals(halo(s));
  const std::vector<Vec3> of_v = v.to_host(), of_s = gathered.to_host();
  real sum = 0;
  for (int n = 0; n < v.owned(); ++n) sum += dot(of_v[n], of_s[n]);
  EXPECT_NEAR(dot(integral, s), mesh->comm().sum(sum), round_off * norm(integral) * norm(s));
}

/// The trapezoidal rule is exact along an edge: vectors that are the gradient of a quadratic integrate to differences.
TEST_P(EdgesAndNodes, LineIntegralsOfAGradientAreDifferences) {
  Field<Node> p = sampled_field<Node>(*mesh, [](const Vec3& x) { return x.x * x.x - 2 * x.y * x.z + 3 * x.z; });
  Field<Node, Vec3> v = vectors_at_nodes([](const Vec3& x) { return Vec3{2 * x.x, -2 * x.z, 3 - 2 * x.y}; });
  Field<Edge> difference(*mesh), integral(*mesh);
  difference = ends.gradient() * halo(p);
  integral = ends.line_integrals(halo(v));
  EXPECT_GT(max_magnitude(integral), 0.1);
  expect_equal(gather(integral), gather(difference), "Pi grad p");
}

INSTANTIATE_TEST_SUITE_P(Partitions, EdgesAndNodes, testing::Range(0, 4),
                         [](const auto& test) { return "partition_" + std::to_string(test.param); });

TEST(EdgesAndNodes2D, AreThereInSpaceAlone) {
  const auto mesh = make_mesh(Comm(), unit_square(3));
  EXPECT_THROW(EdgeEnds{*mesh}, Error);
}

}  // namespace
}  // namespace solenoid::test
