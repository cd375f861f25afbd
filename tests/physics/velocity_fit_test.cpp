/// The quadratic velocity fit: exact for quadratic flows on any mesh and partition, and between the nodes too.
#include "physics/velocity_fit.hpp"

#include <gtest/gtest.h>

#include "field/assign.hpp"
#include "physics/point_sampler.hpp"
#include "support/flows.hpp"

namespace solenoid::test {
namespace {

/// psi = a cubic; its velocity is the general quadratic divergence-free one.
real cubic(const Vec3& p) {
  const real x = p.x, y = p.y;
  return 0.3 * x - 0.7 * y + x * x + 2 * x * y - 0.5 * y * y + 0.4 * x * x * x - x * x * y + 0.6 * x * y * y +
         0.2 * y * y * y;
}
Vec3 cubic_velocity(const Vec3& p) {
  const real x = p.x, y = p.y;
  return {-0.7 + 2 * x - y - x * x + 1.2 * x * y + 0.6 * y * y,
          -(0.3 + 2 * x + 2 * y + 1.2 * x * x - 2 * x * y + 0.6 * y * y), 0};
}
real cubic_vorticity(const Vec3& p) { return -(2 + 2.4 * p.x - 2 * p.y - 1 + 1.2 * p.x + 1.2 * p.y); }

const WallMotion cubic_walls{[](int, const Vec3& x, real) { return cubic_velocity(x); }, false};

TEST(VelocityFit, IsExactForQuadraticFlows) {
  for (const NamedPartitioner& p : partitioners()) {
    FlowProblem problem(Comm(), unit_square(7, 0.3), p.partition);
    const LocalMesh& mesh = *problem.mesh;
    Field<Edge> s = sampled_field<Edge>(mesh, cubic);
    Field<Face> flux(mesh);
    flux = mesh.C * halo(s);
    VelocityFit fit(mesh, problem.wide);
    Field<Node, NodeVelocity> nodes(mesh);
    fit.fit(flux, cubic_walls, 0, nodes);
    const std::vector<NodeVelocity> found = nodes.all_to_host();
    for (int n = 0; n < mesh.total<Node>(); ++n) {
      const Vec3& x = mesh.part().points[n];
      EXPECT_LE(norm(found[n].value - cubic_velocity(x)), 1e-11) << p.name << " at " << x.x << " " << x.y;
      EXPECT_NEAR(found[n].curl().z, cubic_vorticity(x), 1e-9) << p.name;
      EXPECT_NEAR(found[n].gradient[0].x + found[n].gradient[1].y, 0, 1e-12);
    }

    const std::vector<Vec3> points{{0, 0, 0},   {0.5, 0.5, 0},   {0.123, 0.876, 0},
                                   {1, 0.3, 0}, {0.99, 0.01, 0}, {1, 1, 0}};
    const PointSampler sampler(mesh, points, "test");
    const std::vector<Vec3> velocity = sampler.velocity(found);
    for (std::size_t i = 0; i < points.size(); ++i)
      EXPECT_LE(norm(velocity[i] - cubic_velocity(points[i])), 1e-10) << p.name << " " << i;
  }
}

TEST(VelocityFit, WallNodesTakeTheWallsVelocity) {
  FlowProblem problem(Comm(), unit_square(6));
  const LocalMesh& mesh = *problem.mesh;
  Field<Face> still(mesh);
  VelocityFit fit(mesh, problem.wide);
  Field<Node, NodeVelocity> nodes(mesh);
  fit.fit(still, cavity_walls(mesh), 0, nodes);
  const std::vector<NodeVelocity> found = nodes.to_host();
  for (int n = 0; n < mesh.owned<Node>(); ++n) {
    const Vec3& x = mesh.part().points[n];
    if (x.y == 1 && x.x > 0 && x.x < 1) {
      EXPECT_EQ(found[n].value.x, 1);
    }
    if (x.y == 1 && (x.x == 0 || x.x == 1)) {
      EXPECT_EQ(found[n].value.x, 0.5);
    }  // the lid's corner: between lid and wall
    if (x.y == 0) {
      EXPECT_EQ(norm(found[n].value), 0);
    }
  }
}

TEST(PointSampler, NamesAPointOutsideTheMesh) {
  const auto mesh = make_mesh(Comm(), unit_square(4));
  try {
    PointSampler(*mesh, {{0.5, 0.5, 0}, {1.5, 0.5, 0}}, "[[line]] `profile`");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    EXPECT_EQ(std::string(error.what()), "[[line]] `profile`: the point (1.5, 0.5, 0) lies outside the mesh");
  }
}

}  // namespace
}  // namespace solenoid::test
