/// Inflow from a plane inside: what it takes there, its rate in bits, the flow that develops, and its restart.
#include "physics/flow/boundary/recycled_inflow.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "field/assign.hpp"
#include "physics/flow/boundary/inlet_profile.hpp"
#include "physics/flow/momentum/diagnostics.hpp"
#include "support/flows.hpp"
#include "support/kept_state.hpp"
#include "support/mesh_kinds.hpp"
#include "support/openings.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

constexpr FlowMethod methods_recycled[] = {FlowMethod::exact, FlowMethod::classical};

InletRate recycled_rate(const Coefficient<real>& rate, real distance, ProfileShape shape = ProfileShape::uniform) {
  return {.rate = rate, .shape = shape, .recycled_from = distance};
}

MeshSource square_to_recycle(int n) { return with_patches(unit_square(n, real{0.2}), side_of_square); }
MeshSource cube_to_recycle(int n) { return with_patches(unit_cube(n, real{0.1}), side_of_cube); }

/// Enters on the left and leaves on the right, between walls.
FlowBoundaries recycling_duct(const LocalMesh& mesh, const InletRate& rate) {
  return conditions(mesh, {{"left", Inlet{{}, rate}}, {"right", Outlet{}}});
}

std::unique_ptr<FlowStep> recycling_flow(const FlowProblem& problem, FlowMethod method, const InletRate& rate,
                                         real viscosity = 0.05) {
  FlowStepSettings settings = open_settings(viscosity, 1e-11);
  settings.method = method;
  return make_flow_step(*problem.mesh, settings, recycling_duct(*problem.mesh, rate), 0, &problem.wide);
}

TEST(RecycledInflow, TakesTheLinearVelocityOfThePlane) {
  constexpr real nearly = 5e-6;  // its points are off the boundary by a millionth of the inlet
  for (const MeshSource& source : {square_to_recycle(8), cube_to_recycle(5)}) {
    const auto mesh = make_mesh(Comm(), source);
    const bool is_planar = mesh->dimension() == 2;
    const auto linear = [&](const Vec3& x) {
      return is_planar ? Vec3{1 + 2 * x.x - x.y, 3 * x.y - x.x, 0}
                       : Vec3{1 + 2 * x.x - x.y + x.z / 2, 3 * x.y - x.x, x.z - 2 * x.y};
    };
    const std::array gradient{Vec3{2, -1, 0}, is_planar ? Vec3{-1, 3, 0} : Vec3{-1, 3, -2},
                              is_planar ? Vec3{} : Vec3{real{0.5}, 0, 1}};
    const std::vector<char> no_walls(mesh->part().patches.size(), 0);
    const int left = places_of_patch(*mesh, "left")[0];
    const std::vector<PatchFace> patch = patch_surface(*mesh, no_walls, left);
    RecycledInflow recycled(*mesh, patch, 0.4, "case.toml");
    std::vector<NodeVelocity> velocity;
    for (const int node : recycled.plane().nodes()) {
      velocity.push_back({linear(mesh->part().points[node]), {gradient[0], gradient[1], gradient[2]}});
    }
    EXPECT_EQ(recycled.rate(0), 0);
    recycled.take(velocity, 0, 0.1);
    real rate = 0;
    for (const PatchFace& face : patch) {
      Vec3 centre;
      const std::size_t corners = is_planar ? 2 : 3;
      for (std::size_t k = 0; k < corners; ++k) centre += face.corner[k] / static_cast<real>(corners);
      const Vec3 expected = linear(centre + Vec3{0.4, 0, 0});
      const Vec3 found = recycled.at(std::array{BoundaryPlace{left, centre, face.id}}, 0.1)[0];
      EXPECT_LE(norm(found - expected), nearly);
      EXPECT_LE(norm(recycled.mean_on(face.id, 0.1) - expected), nearly);
      EXPECT_EQ(norm(recycled.mean_on(face.id, 0)), 0);
      EXPECT_NEAR(recycled.rate_up_to(face.id, {0, 0}, 7, 0.1)[0], rate, nearly);
      rate += face.area * expected.x;
      const bool is_last = face.id == patch.back().id;
      EXPECT_NEAR(recycled.rate_up_to(face.id, {0, 0}, 7, 0.1)[1], is_last ? 7 : rate, nearly);
    }
    EXPECT_NEAR(recycled.rate(0.1), rate, nearly);
  }
}

TEST(RecycledInflow, NamesWhatIsNotAPlaneInside) {
  const auto mesh = make_mesh(Comm(), square_to_recycle(6));
  const std::vector<char> no_walls(mesh->part().patches.size(), 0);
  const std::vector<PatchFace> left = patch_surface(*mesh, no_walls, places_of_patch(*mesh, "left")[0]);
  EXPECT_THROW(RecycledInflow(*mesh, left, 1.2, "case.toml"), Error);
  std::vector<PatchFace> bent = left, between_walls = left;
  bent[0].corner[1].x += real{0.1};
  EXPECT_THROW(RecycledInflow(*mesh, bent, 0.5, "case.toml"), Error);
  for (PatchFace& face : between_walls) face.on_wall = {true, true, true};
  EXPECT_THROW(RecycledInflow(*mesh, between_walls, 0.5, "case.toml"), Error);
}

/// The profile lets nothing in through the upper half, where recycled fluid enters; each face has the flux of its mean.
TEST(RecycledInflow, EntersWhereTheProfileIsZero) {
  for (const MeshSource& source : {square_to_recycle(8), cube_to_recycle(4)}) {
    const FlowProblem problem(Comm(), source);
    const LocalMesh& mesh = *problem.mesh;
    for (const FlowMethod method : methods_recycled) {
      InletRate rate = recycled_rate(real{1}, 0.5, ProfileShape::formula);
      rate.formula = Coefficient<real>::of_place([](const Vec3& x) { return std::max(real{0.5} - x.y, real{0}); });
      const auto flow = recycling_flow(problem, method, rate);
      flow->start_from_rest();
      for (int k = 0; k < 3; ++k) flow->advance(0.05);
      flow->require_given_fluxes();
      const RecycledInflow& recycled = *flow->boundaries().rate(places_of_patch(mesh, "left")[0])->recycled;
      const InletProfile& profile = *flow->boundaries().rate(places_of_patch(mesh, "left")[0])->profile;
      const std::vector<real> U = flow->state().flux.to_host();
      real above = 0;
      for (const BoundaryFace& b : mesh.boundary()) {
        if (!b.is_owned || mesh.part().patches[b.patch] != "left") continue;
        const std::int64_t id = mesh.numbering<Face>().global_id[b.face];
        const Vec3 mean = recycled.mean_on(id, flow->time()) + (1 - recycled.rate(flow->time())) * profile.mean_on(id);
        const real into = -static_cast<real>(b.orientation) * U[b.face];
        EXPECT_NEAR(into, -dot(mean, b.outward_area), 1e-12);
        if (mesh.geometry().face_centre[b.face].y > real{0.6}) above += into;
      }
      EXPECT_GT(mesh.comm().sum(above), 0.01);
    }
  }
}

/// As the rate changes from step to step.
TEST(RecycledInflow, LetsInTheFlowRateInBits) {
  const auto growing = Coefficient<real>::of_time([](real t) { return t < 0.03 ? 0.75 : 1.25; });
  for (const MeshSource& source : {square_to_recycle(7), cube_to_recycle(4)}) {
    const FlowProblem problem(Comm(), source);
    for (const FlowMethod method : methods_recycled) {
      const auto flow = recycling_flow(problem, method, recycled_rate(growing, 0.5));
      flow->start_from_rest();
      for (int k = 0; k < 4; ++k) {
        flow->advance(0.01);
        EXPECT_EQ(-outflow(*problem.mesh, flow->state().flux, "left"), k < 2 ? 0.75 : 1.25);
        EXPECT_EQ(max_divergence(flow->state().flux), 0);
      }
    }
  }
}

/// The root mean square of U_f / A_f on the inlet beside the parabola's, in a channel three times as long as high.
real error_of_parabola(FlowMethod method, int n) {
  const FlowProblem problem(Comm(), moved(with_patches(unit_square(n), side_of_square), [](const Vec3& x) {
                              return Vec3{3 * x.x, x.y, 0};
                            }));
  const LocalMesh& mesh = *problem.mesh;
  const auto flow = recycling_flow(problem, method, recycled_rate(real{1}, 1), 0.2);
  flow->start_from_rest();
  for (int k = 0; k < 60; ++k) flow->advance(0.05);
  const std::vector<real> U = flow->state().flux.to_host();
  real sum = 0, height = 0;
  for (const BoundaryFace& b : mesh.boundary()) {
    if (!b.is_owned || mesh.part().patches[b.patch] != "left") continue;
    const std::span<const int> ends = mesh.part().face_points_of(b.face);
    const auto up_to = [&](int p) {
      const real y = mesh.part().points[p].y;
      return 3 * y * y - 2 * y * y * y;
    };
    const real side = norm(b.outward_area);
    const real off = (std::abs(U[b.face]) - std::abs(up_to(ends[1]) - up_to(ends[0]))) / side;
    sum += side * off * off;
    height += side;
  }
  return std::sqrt(mesh.comm().sum(sum) / mesh.comm().sum(height));
}

TEST(RecycledInflow, APlugDevelopsIntoTheParabola_Long) {
  for (const FlowMethod method : methods_recycled) {
    const real coarse = error_of_parabola(method, 16), fine = error_of_parabola(method, 32);
    EXPECT_LE(fine, 1e-3);
    EXPECT_GE(rate(coarse, fine, 2), 1.7) << coarse << " " << fine;
  }
}

/// Steps of different lengths, some of them left out of the history.
TEST(RecycledInflow, GoesOnInBits_Again) {
  constexpr real steps[] = {0.02, 0.02, 1e-4, 0.02, 0.03, 0.03};
  for (const MeshSource& source : {square_to_recycle(7), cube_to_recycle(4)}) {
    const FlowProblem problem(Comm(), source);
    for (const FlowMethod method : methods_recycled) {
      const InletRate rate = recycled_rate(Coefficient<real>::of_time([](real t) { return 1 + t; }), 0.5);
      const auto whole = recycling_flow(problem, method, rate), first = recycling_flow(problem, method, rate),
                 second = recycling_flow(problem, method, rate);
      for (FlowStep* const flow : {whole.get(), first.get()}) {
        flow->start_from_rest();
        for (int k = 0; k < 3; ++k) flow->advance(steps[k]);
      }
      KeptState kept{Comm()};
      first->visit_state(kept);
      kept.restores = true;
      second->visit_state(kept);
      second->state_restored();
      for (int k = 3; k < 6; ++k) {
        whole->advance(steps[k]);
        second->advance(steps[k]);
      }
      expect_equal(second->state().flux.to_host(), whole->state().flux.to_host(), "fluxes", 0);
    }
  }
}

TEST(RecycledInflow, IsTheSameOnAnyNumberOfRanks) {
  const auto after_steps = [](const Comm& comm) {
    const FlowProblem problem(comm, cube_to_recycle(4));
    const auto flow = recycling_flow(problem, FlowMethod::exact, recycled_rate(real{1}, 0.5));
    flow->start_from_rest();
    for (int k = 0; k < 4; ++k) flow->advance(0.02);
    return gather(flow->state().flux);
  };
  expect_equal(after_steps(Comm()), after_steps(alone()), "fluxes", 1e-9);
}

}  // namespace
}  // namespace solenoid::test
