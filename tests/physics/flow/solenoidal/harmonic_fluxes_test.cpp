/// Flows that go round what the boundary fixes: how many there are, and that the exact step in space has all of them.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "physics/flow/momentum/diagnostics.hpp"
#include "physics/flow/step/flow_method.hpp"
#include "support/flows.hpp"
#include "support/openings.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

using IsBody = std::function<bool(const Vec3&)>;

bool is_between(real x, real low, real high) { return x > low && x < high; }

/// Along z through the whole cube.
IsBody bar(real low, real high) {
  return [=](const Vec3& x) { return is_between(x.x, 0.4, 0.6) && is_between(x.y, low, high); };
}

std::string side(const Vec3& x) {
  constexpr real near = 1e-6;
  if (x.x < near) return "left";
  if (x.x > 1 - near) return "right";
  if (x.y < near) return "bottom";
  if (x.y > 1 - near) return "top";
  if (x.z < near) return "back";
  return x.z > 1 - near ? "front" : "body";
}

MeshSource cube_without(int n, const IsBody& is_body) {
  return with_patches(without_cells(unit_cube(n, 0), is_body, "body"), side);
}

FlowStepSettings exact_settings(real tolerance) {
  FlowStepSettings settings = open_settings(0.1, tolerance);
  settings.method = FlowMethod::exact;
  return settings;
}

FlowBoundaries through(const LocalMesh& mesh) {
  return conditions(mesh, {{"left", Inlet{Vec3{1, 0, 0}}}, {"right", Outlet{}}});
}

std::size_t loops_of(const LocalMesh& mesh, const FlowBoundaries& boundaries) {
  return make_flow_step(mesh, exact_settings(1e-6), boundaries, 0, nullptr)->loops().value().size();
}

TEST(HarmonicFluxes, AreAsManyAsTheDomainHas) {
  const IsBody none = [](const Vec3&) { return false; },
               two = [](const Vec3&x) { return bar(0.2, 0.4)(x) || bar(0.6, 0.8)(x); };
  const IsBody in_the_middle = [](const Vec3& x) { return bar(0.4, 0.6)(x) && is_between(x.z, 0.4, 0.6); };
  const IsBody joined = [=](const Vec3& x) {  // two bars, and a plate from one to the other in the middle
    return two(x) || (bar(0.4, 0.6)(x) && is_between(x.z, 0.4, 0.6));
  };
  for (const auto& [is_body, open, closed] :
       {std::tuple{none, 0, 0}, {in_the_middle, 0, 0}, {bar(0.4, 0.6), 1, 1}, {two, 2, 2}, {joined, 3, 3}}) {
    const auto mesh = make_mesh(Comm(), cube_without(5, is_body));
    EXPECT_EQ(loops_of(*mesh, through(*mesh)), open);
    EXPECT_EQ(loops_of(*mesh, FlowBoundaries(Wall{Vec3{}})), closed);
  }
  for (const NamedPartitioner& p : partitioners()) {
    EXPECT_EQ(loops_of(*make_mesh(Comm(), cube_without(5, joined), p.partition), FlowBoundaries(Wall{Vec3{}})), 3u)
        << p.name;
  }
}

TEST(HarmonicFluxes, ASecondOutletIsOneMore) {
  const auto mesh = make_mesh(Comm(), cube_without(4, [](const Vec3&) { return false; }));
  EXPECT_EQ(loops_of(*mesh, conditions(*mesh, {{"left", Outlet{}}, {"right", Outlet{}}})), 1u);
}

/// The cube with so many pairs of its sides.
MeshSource periodic_cube(int n, real wobble, int pairs) {
  MeshSource source = with_patches(unit_cube(n, wobble), side);
  const std::array<std::pair<std::string, std::string>, 3> all{
      {{"left", "right"}, {"back", "front"}, {"bottom", "top"}}};
  source.pairs.assign(all.begin(), all.begin() + pairs);
  return source;
}

TEST(HarmonicFluxes, GoThroughPeriodicPairs) {
  for (const auto& [pairs, loops] : {std::pair{1, 1}, {2, 2}, {3, 3}}) {
    const auto mesh = make_mesh(Comm(), periodic_cube(4, 0, pairs));
    EXPECT_EQ(loops_of(*mesh, FlowBoundaries(Wall{Vec3{}})), loops) << pairs << " pairs";
  }
}

/// Whatever the mesh: a probe that by chance has little of the loop is followed by others.
TEST(HarmonicFluxes, GoThroughAPeriodicBoxOnEveryMesh_Steps) {
  for (int n = 3; n <= 8; ++n) {
    for (const real displacement : {0.0, 0.1, 0.2}) {
      const auto mesh = make_mesh(Comm(), periodic_cube(n, displacement, 1));
      EXPECT_EQ(loops_of(*mesh, FlowBoundaries(Wall{Vec3{}})), 1u) << n << " " << displacement;
    }
  }
}

/// Through a box without walls: of three loops one carries what is given, one follows a force, and one rests.
TEST(HarmonicFluxes, CarryAGivenFluxThroughABox) {
  for (const NamedPartitioner& p : partitioners()) {
    const auto mesh = make_mesh(Comm(), periodic_cube(4, 0.15, 3), p.partition);
    const FlowBoundaries boundaries(std::vector<FlowBoundary>(mesh->part().patches.size(), Wall{Vec3{}}),
                                    {PairDrive{Coefficient<real>(0.5), {}}, {}, {}});
    const auto flow = make_flow_step(*mesh, exact_settings(1e-10), boundaries, 0, nullptr);
    EXPECT_EQ(flow->loops().value().size(), 2u);
    flow->set_body_force(Coefficient<Vec3>(Vec3{0, 0.3, 0}));
    for (int k = 0; k < 5; ++k) {
      flow->advance(0.1);
      EXPECT_EQ(max_divergence(flow->state().flux), 0);
    }
    const std::vector<real> through = flow->through_pairs();
    EXPECT_NEAR(through[0], 0.5, 1e-9) << p.name;
    EXPECT_NEAR(through[1], 0, 1e-8) << p.name;
    EXPECT_NEAR(through[2], 0.15, 1e-8) << p.name;  // 0.3 m/s^2 * 0.5 s * 1 m^2
    EXPECT_NEAR(flow->balance().pressure_drops()[0], 0, 1e-7) << p.name;
  }
}

/// Slots of loops are edges of the fluid there: the preconditioner is none the worse for it.
TEST(HarmonicFluxes, TakeNoMoreIterationsWithoutWalls) {
  const auto iterations = [](int pairs) {
    const auto mesh = make_mesh(Comm(), periodic_cube(8, 0.15, pairs));
    const FlowBoundaries boundaries(std::vector<FlowBoundary>(mesh->part().patches.size(), Wall{Vec3{}}),
                                    std::vector<PairDrive>(static_cast<std::size_t>(pairs)));
    const auto flow = make_flow_step(*mesh, exact_settings(1e-8), boundaries, 0, nullptr);
    flow->set_body_force(Coefficient<Vec3>::of_place([](const Vec3& x) {
      constexpr real turn = 2 * std::numbers::pi_v<real>;
      return Vec3{std::sin(turn * x.y), std::sin(turn * x.z), std::sin(turn * x.x)};
    }));
    for (int k = 0; k < 3; ++k) flow->advance(0.02);
    const SolveLog::Entry& log = flow->solves().entries().at(flow->settings().potential.name);
    return static_cast<real>(log.iterations_total) / static_cast<real>(log.calls);
  };
  const real between_walls = iterations(0), without = iterations(3);
  EXPECT_LE(without, 1.1 * between_walls) << between_walls;
}

void run_to_steady_state(FlowStep& flow, real dt) {
  for (int k = 0; k < 2000; ++k) {
    flow.advance(dt);
    EXPECT_EQ(max_divergence(flow.state().flux), 0);
    if (flow.rate_of_change() < 1e-10) return;
  }
  ADD_FAILURE() << "not steady: " << flow.rate_of_change();
}

std::vector<real> settled(const LocalMesh& mesh, FlowStepSettings settings, FlowMethod method,
                          const FlowBoundaries& boundaries) {
  settings.method = method;
  const auto flow = make_flow_step(mesh, settings, boundaries, 0, nullptr);
  flow->start_from_rest();
  run_to_steady_state(*flow, 0.04);
  return gather(flow->state().flux);
}

/// What passes above and below a bar that is off the middle is no one's to choose: both methods find the same.
TEST(HarmonicFluxes, AStreamDividesAroundABar_Long) {
  const auto mesh = make_mesh(Comm(), cube_without(5, bar(0.2, 0.4)));
  const FlowBoundaries boundaries = through(*mesh);
  const std::vector<real> exact = settled(*mesh, exact_settings(1e-11), FlowMethod::exact, boundaries);
  EXPECT_LE(distance(settled(*mesh, exact_settings(1e-11), FlowMethod::classical, boundaries), exact), 1e-7);
  FlowStepSettings jacobi = exact_settings(1e-11);  // potentials with other gradients in them
  jacobi.potential.preconditioner = PreconditionerKind::jacobi;
  EXPECT_LE(distance(settled(*mesh, jacobi, FlowMethod::exact, boundaries), exact), 1e-7);
}

TEST(HarmonicFluxes, FlowTheSameOnAnyPartition) {
  const auto begun = [](const Comm& comm, const Partitioner& partition) {
    const auto mesh = make_mesh(comm, cube_without(5, bar(0.2, 0.4)), partition);
    const auto flow = make_flow_step(*mesh, exact_settings(1e-13), through(*mesh), 0, nullptr);
    flow->start_from_rest();
    for (int k = 0; k < 6; ++k) flow->advance(0.04);
    return gather(flow->state().flux);
  };
  const std::vector<real> serial = begun(alone(), partition_cells);
  for (const NamedPartitioner& p : partitioners()) {
    EXPECT_LE(distance(begun(Comm(), p.partition), serial), 1e-10) << p.name;
  }
}

/// Walls that slide drive a flow around a closed ring.
TEST(HarmonicFluxes, WallsDriveAFlowAroundARing_Steps) {
  const IsBody is_hole = [](const Vec3& x) { return is_between(x.x, 0.25, 0.75) && is_between(x.y, 0.25, 0.75); };
  const auto mesh = make_mesh(Comm(), cube_without(4, is_hole));
  const FlowBoundaries boundaries = conditions(*mesh, {{"top", Wall{Vec3{1, 0, 0}}}, {"bottom", Wall{Vec3{-1, 0, 0}}}});
  EXPECT_EQ(loops_of(*mesh, boundaries), 1u);
  const std::vector<real> exact = settled(*mesh, exact_settings(1e-11), FlowMethod::exact, boundaries);
  EXPECT_LE(distance(settled(*mesh, exact_settings(1e-11), FlowMethod::classical, boundaries), exact), 1e-7);
}

}  // namespace
}  // namespace solenoid::test
