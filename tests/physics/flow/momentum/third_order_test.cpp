/// Convection of third order: the stream functions fitted at nodes, and what faces carry by them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "field/assign.hpp"
#include "operators/interpolation.hpp"
#include "physics/flow/momentum/diagnostics.hpp"
#include "physics/flow/momentum/third_order_momentum.hpp"
#include "support/flows.hpp"
#include "support/openings.hpp"

namespace solenoid::test {
namespace {

/// psi and its velocity with derivatives: a cubic; `bend` = 0: a quadratic, whose velocity is linear.
struct Flow {
  real bend = 1;
  real potential(const Vec3& p) const {
    const real x = p.x, y = p.y;
    return 0.3 * x - 0.7 * y + x * x + 2 * x * y - 0.5 * y * y +
           bend * (0.4 * x * x * x - x * x * y + 0.6 * x * y * y + 0.2 * y * y * y);
  }
  Vec3 velocity(const Vec3& p) const {
    const real x = p.x, y = p.y;
    return {-0.7 + 2 * x - y + bend * (-x * x + 1.2 * x * y + 0.6 * y * y),
            -(0.3 + 2 * x + 2 * y + bend * (1.2 * x * x - 2 * x * y + 0.6 * y * y)), 0};
  }
  Vec3 change(const Vec3& p, const Vec3& d) const {
    const real x = p.x, y = p.y, u_x = 2 + bend * (-2 * x + 1.2 * y);
    return {u_x * d.x + (-1 + bend * (1.2 * x + 1.2 * y)) * d.y, -(2 + bend * (2.4 * x - 2 * y)) * d.x - u_x * d.y, 0};
  }
};

/// The fluid's own velocity on all sides but the right, which is an outlet.
FlowBoundaries boundaries_of(const LocalMesh& mesh, const Flow& flow) {
  const auto velocity = Coefficient<Vec3>::of_place([flow](const Vec3& x) { return flow.velocity(x); });
  return conditions(
      mesh, {{"left", Inlet{velocity}}, {"right", Outlet{}}, {"bottom", Inlet{velocity}}, {"top", Farfield{velocity}}});
}

Field<Face> flux_of_flow(const LocalMesh& mesh, const Flow& flow) {
  Field<Edge> s = sampled_field<Edge>(mesh, [&](const Vec3& x) { return flow.potential(x); });
  Field<Face> flux(mesh);
  flux = mesh.C * halo(s);
  return flux;
}

TEST(StreamFit, IsExactForQuadraticFlows) {
  const Flow flow;
  for (const NamedPartitioner& p : partitioners()) {
    FlowProblem problem(Comm(), with_patches(unit_square(7, 0.3), side_of_square), p.partition);
    const LocalMesh& mesh = *problem.mesh;
    const FlowBoundaries boundaries = boundaries_of(mesh, flow);
    StreamFit fit(mesh, problem.wide, boundaries);
    fit.sample(0);
    const std::vector<PlaneVelocity> found = fit.fit(flux_of_flow(mesh, flow)).field().all_to_host();
    for (int n = 0; n < mesh.total<Node>(); ++n) {
      const Vec3& x = mesh.part().points[n];
      EXPECT_LE(norm(found[n].value() - flow.velocity(x)), 1e-11) << p.name << " at " << x.x << " " << x.y;
      for (const Vec3& d : {Vec3{1, 0, 0}, Vec3{0, 1, 0}}) {
        EXPECT_LE(norm(found[n].change(d) - flow.change(x, d)), 1e-9) << p.name << " at " << x.x << " " << x.y;
      }
    }
  }
}

/// Of (u.n) u over a face, by a rule that is exact for quadratic velocities.
Vec3 integral(const LocalMesh& mesh, const Flow& flow, int face) {
  const std::span<const int> ends = mesh.part().face_nodes_of(face);
  const Vec3 a = mesh.part().points[ends[0]], b = mesh.part().points[ends[1]];
  const Vec3 area = mesh.geometry().face_area[face] * mesh.geometry().face_normal[face];
  const double outer = std::sqrt(0.6) / 2;
  Vec3 sum;
  for (const auto& [place, weight] : {std::pair{0.5 - outer, 5.0}, {0.5, 8.0}, {0.5 + outer, 5.0}}) {  // Gauss
    const Vec3 u = flow.velocity(a + place * (b - a));
    sum += (weight / 18 * dot(u, area)) * u;
  }
  return sum;
}

TEST(ThirdOrderMomentum, IsExactForLinearFlows) {
  const Flow flow{0};
  for (const NamedPartitioner& p : partitioners()) {
    FlowProblem problem(Comm(), with_patches(unit_square(7, 0.3), side_of_square), p.partition);
    const LocalMesh& mesh = *problem.mesh;
    const FlowBoundaries boundaries = boundaries_of(mesh, flow);
    ThirdOrderMomentum momentum(mesh, problem.wide, boundaries);
    momentum.sample(0);
    Field<Face, Vec3> carried(mesh);
    Field<Face> flux = flux_of_flow(mesh, flow);
    Field<Cell, Vec3> velocity(mesh);
    interpolate(halo(flux), velocity);
    momentum.carry(halo(flux), halo(velocity), carried);
    const std::vector<Vec3> found = carried.to_host();
    std::vector<char> on_boundary(found.size(), 0);
    for (const BoundaryFace& b : mesh.boundary()) {
      if (b.is_owned) on_boundary[b.face] = 1;
    }
    for (int f = 0; f < mesh.owned<Face>(); ++f) {
      if (on_boundary[f]) continue;
      const Vec3 exact = integral(mesh, flow, f);
      EXPECT_LE(norm(found[f] - exact), 1e-12) << p.name;
    }
  }
}

/// Of curved profiles what a face carries is right to second order at least, with its damped part.
TEST(ThirdOrderMomentum, ConvergesForQuadraticFlows_Long) {
  const Flow flow;
  const auto error = [&](int n) {
    FlowProblem problem(Comm(), with_patches(unit_square(n, 0.2), side_of_square));
    const LocalMesh& mesh = *problem.mesh;
    const FlowBoundaries boundaries = boundaries_of(mesh, flow);
    ThirdOrderMomentum momentum(mesh, problem.wide, boundaries);
    momentum.sample(0);
    Field<Face, Vec3> carried(mesh);
    Field<Face> flux = flux_of_flow(mesh, flow);
    Field<Cell, Vec3> velocity(mesh);
    interpolate(halo(flux), velocity);
    momentum.carry(halo(flux), halo(velocity), carried);
    std::vector<Vec3> found = carried.to_host();
    for (const BoundaryFace& b : mesh.boundary()) {
      if (b.is_owned) found[b.face] = integral(mesh, flow, b.face);
    }
    real largest = 0;
    for (int f = 0; f < mesh.owned<Face>(); ++f) {
      largest = std::max(largest, norm(found[f] - integral(mesh, flow, f)) / mesh.geometry().face_area[f]);
    }
    return mesh.comm().max(largest);
  };
  const real coarse = error(8), fine = error(32);
  EXPECT_GE(rate(coarse, fine, 4), 1.7) << coarse << " " << fine;
  EXPECT_LE(fine, 4e-3);
}

/// A square whose inner nodes are moved at random by up to `amount` of a spacing, another way for each number.
MeshSource random_square(int n, real amount, int number) {
  MeshSource square = unit_square(n);
  for (std::size_t i = 0; i < square.points.size(); ++i) {
    Vec3& x = square.points[i];
    const bool is_inner = x.x > 1e-9 && x.x < 1 - 1e-9 && x.y > 1e-9 && x.y < 1 - 1e-9;
    const auto id = static_cast<std::int64_t>(i);
    if (is_inner) x += amount / n * Vec3{value_of(id, 2 * number), value_of(id, 2 * number + 1), 0};
  }
  return with_patches(square, side_of_square);
}

/// Through a square by the pressure on its left side, p = 1, -1 and sin t: what moves is what the pressure gave, and is
/// never faster than Bernoulli's equation allows. `courant`: of the steps, of at most .005.
void expect_no_energy_gained(real amount, real courant) {
  const std::pair<const char*, Coefficient<real>> pressures[] = {
      {"in", real{1}},
      {"out", real{-1}},
      {"breathing", Coefficient<real>::of_time([](real t) { return std::sin(3 * t); })}};
  for (int number = 0; number < 20; ++number) {
    const FlowProblem problem(Comm(), random_square(8, amount, number));
    const LocalMesh& mesh = *problem.mesh;
    for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
      for (const auto& [name, pressure] : pressures) {
        FlowStepSettings settings = open_settings(1e-3, 1e-8);
        settings.method = method;
        const auto flow = make_flow_step(
            mesh, settings, conditions(mesh, {{"left", Outlet{pressure}}, {"right", Outlet{}}}), 0, &problem.wide);
        real given = 0;
        while (flow->time() < 2) {
          const real rate = courant_rate(flow->state().flux), dt = std::min(real{0.005}, courant / rate);
          flow->advance(dt);
          const real through = outflow(mesh, flow->state().flux, "right");
          given += dt * pressure.at(Vec3{}, flow->time()) * through;
          ASSERT_LE(kinetic_energy(flow->state().velocity), given)
              << name << " on mesh " << number << " at " << flow->time();
          ASSERT_LE(std::abs(through), std::sqrt(real{2})) << name << " on mesh " << number << " at " << flow->time();
        }
      }
    }
  }
}

TEST(ThirdOrderMomentum, GainsNoEnergyThroughOutlets_Long) {
  constexpr real any = 1e6;
  expect_no_energy_gained(0.3, any);
}

/// Angles down to .7 degrees and cells of a hundredth of the mean: at steps of .005 s their Courant number is 5.
TEST(ThirdOrderMomentum, GainsNoEnergyThroughOutletsBesideFlatCells_Long) { expect_no_energy_gained(0.35, 1.2); }

}  // namespace
}  // namespace solenoid::test
