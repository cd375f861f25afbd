/// The exact step with openings: flows that it must keep, flux that is given, symmetry, fluid that comes back.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "model/patch_integral.hpp"
#include "operators/convection.hpp"
#include "physics/flow/momentum/diagnostics.hpp"
#include "physics/flow/step/exact_step.hpp"
#include "support/flows.hpp"
#include "support/openings.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

constexpr ConvectionForm of_second_order_or_better[] = {ConvectionForm::divergence, ConvectionForm::central};

Coefficient<Vec3> parabola(real top = 1) {
  return Coefficient<Vec3>::of_place([top](const Vec3& x) { return Vec3{4 * (x.y / top) * (1 - x.y / top), 0, 0}; });
}

TEST(OpenFlow, AFreeStreamStaysAsItIs) {
  const Vec3 stream{1, 0.3, 0};
  for (const NamedPartitioner& p : partitioners()) {
    const FlowProblem problem(Comm(), with_patches(unit_square(9, 0.3), side_of_square), p.partition);
    const LocalMesh* const mesh = problem.mesh.get();
    const FlowBoundaries boundaries = conditions(
        *mesh, {{"left", Inlet{stream}}, {"bottom", Inlet{stream}}, {"top", Farfield{stream}}, {"right", Outlet{}}});
    for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
      for (const ConvectionForm convection :
           {ConvectionForm::divergence, ConvectionForm::central, ConvectionForm::upwind}) {
        FlowStepSettings settings = open_settings(0.01, 1e-12, convection);
        settings.method = method;
        const auto flow = make_flow_step(*mesh, settings, boundaries, 0, &problem.wide);
        Field<Face> exact = flux_of(*mesh, [&](const Vec3& x) { return stream.x * x.y - stream.y * x.x; });
        flow->project(exact);
        for (int k = 0; k < 5; ++k) flow->advance(0.02);
        Field<Face> difference(*mesh);
        difference = flow->state().flux - exact;
        EXPECT_LE(max_magnitude(difference), 1e-12) << p.name;
        EXPECT_LE(max_magnitude(flow->state().vorticity), 1e-9) << p.name;
        EXPECT_EQ(max_divergence(flow->state().flux), 0) << p.name;
      }
    }
  }
}

/// Between two walls, with an inlet's parabola, up to the outlet itself.
TEST(OpenFlow, PoiseuilleConverges_Long) {
  const auto errors = [&](int n) {
    FlowProblem problem(Comm(), with_patches(unit_square(n, 0.2), side_of_square));
    const LocalMesh& mesh = *problem.mesh;
    const real viscosity = 0.5;
    const FlowBoundaries boundaries = conditions(mesh, {{"left", Inlet{parabola()}}, {"right", Outlet{}}});
    ExactStep flow(mesh, open_settings(viscosity, 1e-10), boundaries, 0, &problem.wide);
    flow.start_from_rest();
    for (int k = 0; k < 40; ++k) flow.advance(0.1);
    VelocityReconstruction fit(mesh, problem.wide, boundaries);
    Field<Node, NodeVelocity> nodes(mesh);
    const auto fitted = fit.fit(flow.state().flux, flow.time(), nodes);
    const std::vector<NodeVelocity> u = nodes.to_host();
    const std::vector<real> p = flow.balance().pressure(fitted).to_host();
    real sums[2] = {0, 0};
    for (int i = 0; i < mesh.owned<Node>(); ++i) {
      const Vec3& x = mesh.part().points[i];
      const Vec3 miss = u[i].value - Vec3{4 * x.y * (1 - x.y), 0, 0};
      sums[0] += dot(miss, miss) / static_cast<real>(mesh.global_count<Node>());
    }
    for (int c = 0; c < mesh.owned<Cell>(); ++c) {
      sums[1] += mesh.geometry().cell_volume[c] * p[c];
    }
    mesh.comm().sum(std::span<real>(sums));
    EXPECT_EQ(max_divergence(flow.state().flux), 0);
    return std::array{std::sqrt(sums[0]), sums[1] / (4 * viscosity) - 1};
  };
  const auto coarse = errors(8), fine = errors(24);
  EXPECT_GE(rate(coarse[0], fine[0], 3), 1.3) << coarse[0] << " " << fine[0];
  EXPECT_LE(fine[0], 3e-3);
  EXPECT_LE(std::abs(fine[1]), 0.01);  // of the mean pressure
}

std::vector<real> branching_potential(const Comm& comm, const Partitioner& partition, ConvectionForm convection) {
  const FlowProblem problem(comm, with_patches(square_with_hole(12), side_of_branching), partition);
  const LocalMesh* const mesh = problem.mesh.get();
  ExactStep flow(*mesh, open_settings(0.02, 1e-12, convection), branching(*mesh, 1), 0, &problem.wide);
  flow.start_from_rest();
  for (int k = 0; k < 8; ++k) {
    flow.advance(0.02);
    const real entering = real{2} / 3 * (1 + std::sin(3 * flow.time()));
    EXPECT_NEAR(outflow(*mesh, flow.state().flux, "left"), -entering, 1e-12);
    EXPECT_NEAR(outflow(*mesh, flow.state().flux, "lower") + outflow(*mesh, flow.state().flux, "upper"), entering,
                1e-12);
    EXPECT_EQ(max_divergence(flow.state().flux), 0);
  }
  EXPECT_GT(outflow(*mesh, flow.state().flux, "lower"), outflow(*mesh, flow.state().flux, "upper"));
  return gather(flow.stream_function());
}

TEST(OpenFlow, FlowsTheSameOnAnyPartition) {
  for (const ConvectionForm convection : of_second_order_or_better) {
    const std::vector<real> expected = branching_potential(alone(), partition_cells, convection);
    for (const NamedPartitioner& p : partitioners()) {
      expect_equal(branching_potential(Comm(), p.partition, convection), expected, p.name, 1e-10);
    }
  }
}

TEST(OpenFlow, HalfAChannelIsHalfOfTheWhole) {
  MeshSource half = with_patches(unit_square(10, 0.3), side_of_square);
  struct AtNode {
    real vorticity, potential;
  };
  const auto by_place = [&](const MeshSource& source, const FlowBoundary& below) {
    const FlowProblem problem(Comm(), source);
    const LocalMesh* const mesh = problem.mesh.get();
    const auto profile = Coefficient<Vec3>::of_place([](const Vec3& x) { return Vec3{1 - x.y * x.y, 0, 0}; });
    const FlowBoundaries boundaries =
        conditions(*mesh, {{"left", Inlet{profile}}, {"right", Outlet{}}, {"bottom", below}});
    ExactStep flow(*mesh, open_settings(0.05, 1e-13), boundaries, 0, &problem.wide);
    flow.start_from_rest();
    for (int k = 0; k < 10; ++k) flow.advance(0.05);
    std::map<std::pair<real, real>, AtNode> at_place;
    const std::vector<real> omega = gather(flow.state().vorticity), s = gather(flow.stream_function()),
                            x = gather(sampled_field<Edge>(*mesh, [](const Vec3&place) { return place.x; })),
                            y = gather(sampled_field<Edge>(*mesh, [](const Vec3&place) { return place.y; }));
    for (std::size_t i = 0; i < omega.size(); ++i) at_place[{x[i], y[i]}] = {omega[i], s[i]};
    return at_place;
  };
  const auto of_half = by_place(half, Symmetry{}), of_whole = by_place(mirrored(half), Wall{});
  ASSERT_LT(of_half.size(), of_whole.size());
  const real offset = of_whole.at({0, 0}).potential - of_half.at({0, 0}).potential;
  for (const auto& [place, found] : of_half) {
    EXPECT_NEAR(found.potential + offset, of_whole.at(place).potential, 1e-12) << place.first << " " << place.second;
    EXPECT_NEAR(found.vorticity, of_whole.at(place).vorticity, 1e-9) << place.first << " " << place.second;
  }
}

/// A vortex of twice the stream's speed leaves: in its lower half fluid enters through the outlet.
TEST(OpenFlow, AStrongVortexLeaves_Steps) {
  const FlowProblem problem(Comm(), with_patches(unit_square(16, 0.2), side_of_square));
  const LocalMesh* const mesh = problem.mesh.get();
  const Vec3 stream{1, 0, 0};
  const FlowBoundaries boundaries =
      conditions(*mesh, {{"left", Inlet{stream}}, {"right", Outlet{}}, {"bottom", Symmetry{}}, {"top", Symmetry{}}});
  for (const ConvectionForm convection : of_second_order_or_better) {
    ExactStep flow(*mesh, open_settings(1e-4, 1e-4, convection), boundaries, 0, &problem.wide);
    Field<Face> flux = flux_of(*mesh, [](const Vec3& x) {
      const real r2 = ((x.x - 0.6) * (x.x - 0.6) + (x.y - 0.5) * (x.y - 0.5)) / 0.01;
      return x.y + real{0.33} * std::exp(-r2 / 2);
    });
    flow.project(flux);
    const real before = kinetic_energy(flow.state().velocity);
    real least = 0;  // through any face of the outlet
    for (int k = 0; k < 110; ++k) {
      flow.advance(0.01);
      const std::vector<real> U = flow.state().flux.to_host();
      for (const BoundaryFace& b : mesh->boundary()) {
        if (b.is_owned && mesh->part().patches[b.patch] == "right")
          least = std::min(least, real(b.orientation) * U[b.face] / mesh->geometry().face_area[b.face]);
      }
      ASSERT_LE(kinetic_energy(flow.state().velocity), 1.02 * before) << "step " << k;
    }
    EXPECT_LT(mesh->comm().min(least), -0.3);
    EXPECT_EQ(max_divergence(flow.state().flux), 0);
  }
}

/// A far field all around that turns and grows: fluxes around a closed line that change in every step, on any
/// partition.
TEST(OpenFlow, AFarFieldThatTurnsIsFollowed) {
  const auto stream = [](real t) { return Vec3{(1 + t) * std::cos(t), (1 + t) * std::sin(t), 0}; };
  for (const NamedPartitioner& p : partitioners()) {
    const FlowProblem problem(Comm(), with_patches(unit_square(9, 0.3), side_of_square), p.partition);
    const LocalMesh* const mesh = problem.mesh.get();
    ExactStep flow(*mesh, open_settings(0.01), Farfield{Coefficient<Vec3>::of_time(stream)}, 0, &problem.wide);
    flow.start_from_rest();
    for (int k = 0; k < 5; ++k) flow.advance(0.1);
    const Vec3 u = stream(flow.time());
    const Field<Face> exact = flux_of(*mesh, [&](const Vec3& x) { return u.x * x.y - u.y * x.x; });
    Field<Face> difference(*mesh);
    difference = flow.state().flux - exact;
    EXPECT_LE(max_magnitude(difference), 1e-10) << p.name;
    EXPECT_EQ(max_divergence(flow.state().flux), 0) << p.name;
  }
}

/// Explicit beside implicit friction: steps that grow, of fluid so thick that they are a thousand times those of the
/// cells.
TEST(OpenFlow, ThickFluidLeavesInGrowingSteps_Slow) {
  const FlowProblem problem(Comm(), with_patches(unit_square(12, 0.3), side_of_square));
  const LocalMesh* const mesh = problem.mesh.get();
  const FlowBoundaries boundaries = conditions(*mesh, {{"left", Inlet{parabola()}}, {"right", Outlet{}}});
  ExactStep flow(*mesh, open_settings(10, 1e-10), boundaries, 0, &problem.wide);
  flow.start_from_rest();
  real dt = 0.05;
  for (int k = 0; k < 20; ++k, dt *= 1.2) flow.advance(dt);
  EXPECT_LE(std::abs(kinetic_energy(flow.state().velocity) / real{4.0 / 15.0} - 1), 0.03);
}

/// Once a flow is steady, what it presses and rubs on the whole boundary is what momentum comes in.
TEST(OpenFlow, ForcesBalanceMomentum_Slow) {
  const FlowProblem problem(Comm(), with_patches(square_with_hole(10), side_of_branching));
  const LocalMesh* const mesh = problem.mesh.get();
  for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
    FlowStepSettings settings = open_settings(0.05, 1e-11);
    settings.method = method;
    const auto flow = make_flow_step(*mesh, settings, branching(*mesh, 0), 0, &problem.wide);
    flow->start_from_rest();
    for (int k = 0; k < 4000 && (k == 0 || flow->rate_of_change() > 1e-10); ++k) flow->advance(0.03);
    std::vector<int> all(mesh->part().patches.size());
    std::iota(all.begin(), all.end(), 0);
    const PatchIntegral boundary(*mesh, all);
    Tractions& tractions = flow->balance().tractions();
    const std::vector<real> pressure = boundary.of(&tractions.pressure), friction = boundary.of(&tractions.friction);
    BoundaryFaces faces(*mesh, flow->boundaries());
    faces.sample(0);
    Field<Face, Vec3> carried(*mesh);
    carry_momentum(flow->state().flux, halo(flow->state().velocity), FaceVelocity::central, carried);
    faces.carry_momentum(flow->state().flux, flow->state().velocity, carried);
    const std::vector<Vec3> momentum = carried.to_host();
    Vec3 leaving;
    for (const BoundaryFace& b : mesh->boundary()) {
      if (b.is_owned) leaving += static_cast<real>(b.orientation) * momentum[b.face];
    }
    EXPECT_NEAR(pressure[0] + friction[0] + mesh->comm().sum(leaving.x), 0, 1e-7);
    EXPECT_NEAR(pressure[1] + friction[1] + mesh->comm().sum(leaving.y), 0, 1e-7);
    EXPECT_GT(std::abs(pressure[0]) + std::abs(friction[0]), 0.1);
  }
}

/// Once a flow is steady: of the whole boundary to the solvers' tolerance, of a body to what the mesh leaves open.
TEST(OpenFlow, ForcesAreThoseOfTheFluidsBalance_Slow) {
  const FlowProblem problem(Comm(), with_patches(square_with_hole(10), side_of_branching));
  const LocalMesh& mesh = *problem.mesh;
  std::vector<int> all(mesh.part().patches.size());
  std::iota(all.begin(), all.end(), 0);
  const std::vector<int> body = places_of_patch(mesh, "hole");
  const FlowBoundaries turning = conditions(mesh, {{"top", Wall{Vec3{1, 0, 0}}}});
  const std::pair<FlowBoundaries, ConvectionForm> flows[] = {{branching(mesh, 0), ConvectionForm::divergence},
                                                             {turning, ConvectionForm::rotational}};
  for (const auto& [boundaries, convection] : flows) {
    for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
      FlowStepSettings settings = open_settings(0.05, 1e-11, convection);
      settings.method = method;
      const auto flow = make_flow_step(mesh, settings, boundaries, 0, &problem.wide);
      flow->start_from_rest();
      for (int k = 0; k < 4000 && (k == 0 || flow->rate_of_change() > 1e-10); ++k) flow->advance(0.03);
      for (const auto& [patches, bar] : {std::pair(all, 1e-7), std::pair(body, 0.03)}) {
        const PatchIntegral integral(mesh, patches);
        Tractions& tractions = flow->balance().tractions();
        const std::vector<real> pressure = integral.of(&tractions.pressure),
                                friction = integral.of(&tractions.friction);
        const Vec3 direct{pressure[0] + friction[0], pressure[1] + friction[1], 0};
        const Vec3 in_fluid = flow->balance().force_in_fluid(ForceTestFunction(mesh, patches));
        EXPECT_LE(norm(in_fluid - direct), bar * std::max(norm(direct), real{1}))
            << direct.x << " " << direct.y << " and " << in_fluid.x << " " << in_fluid.y;
      }
    }
  }
}

/// Powers of a steady flow add up, and upwinding is what the mesh takes of it.
TEST(OpenFlow, PowersAddUp_Steps) {
  const FlowProblem problem(Comm(), with_patches(square_with_hole(10), side_of_branching));
  const LocalMesh& mesh = *problem.mesh;
  std::map<ConvectionForm, real> share;
  for (const ConvectionForm convection :
       {ConvectionForm::divergence, ConvectionForm::central, ConvectionForm::upwind}) {
    const auto flow =
        make_flow_step(mesh, open_settings(0.05, 1e-11, convection), branching(mesh, 0), 0, &problem.wide);
    flow->start_from_rest();
    for (int k = 0; k < 4000 && (k == 0 || flow->rate_of_change() > 1e-10); ++k) flow->advance(0.03);
    const EnergyBudget budget = flow->balance().energy_budget();
    EXPECT_GT(budget.dissipation, 0.1);
    EXPECT_NEAR(budget.dissipation, flow->dissipation(), 1e-14);
    EXPECT_NEAR(budget.change, 0, 1e-8);
    EXPECT_NEAR(budget.pressure + budget.inflow + budget.boundary_friction - budget.dissipation - budget.numerical, 0,
                1e-7);
    share[convection] = budget.numerical / budget.dissipation;
  }
  EXPECT_LE(std::abs(share[ConvectionForm::central]), 0.02);
  EXPECT_LE(std::abs(share[ConvectionForm::divergence]), 0.1);
  EXPECT_GE(share[ConvectionForm::upwind], 3 * std::abs(share[ConvectionForm::divergence]));
  EXPECT_GE(share[ConvectionForm::upwind], 0.1);
}

/// A stream that a pressure draws in, from rest without energy: what leaves is all that the pressure gives, and neither
/// friction nor the mesh takes any.
TEST(OpenFlow, FluidThatIsDrawnInBringsNoEnergy_Steps) {
  for (const int dimension : {2, 3}) {
    const FlowProblem problem(Comm(), dimension == 2 ? with_patches(unit_square(5, 0.3), side_of_square)
                                                     : with_patches(unit_cube(2, 0.3), side_of_cube));
    const LocalMesh& mesh = *problem.mesh;
    std::map<std::string, FlowBoundary> sides{{"left", Outlet{real{1}}}, {"right", Outlet{}}};
    for (const char* side : {"top", "bottom", "side"}) sides[side] = Symmetry{};
    for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
      FlowStepSettings settings = open_settings(0.01, 1e-11, ConvectionForm::central);
      settings.method = method;
      const auto flow = make_flow_step(mesh, settings, conditions(mesh, sides), 0, &problem.wide);
      flow->start_from_rest();
      for (int k = 0; k < 640; ++k) flow->advance(0.025);
      const EnergyBudget budget = flow->balance().energy_budget();
      EXPECT_NEAR(budget.pressure, std::sqrt(real{2}), 1e-7);
      EXPECT_NEAR(budget.inflow, -std::sqrt(real{2}), 1e-7);
      for (const real nothing : {budget.numerical, budget.dissipation, budget.boundary_friction, budget.change}) {
        EXPECT_NEAR(nothing, 0, 1e-7);
      }
    }
  }
}

/// Between walls a force that is the same everywhere is borne by the pressure; with a stream that falls as it does it
/// makes none.
/// The classical method's first pressure is right to 1e-4, and so then is the rest.
TEST(OpenFlow, ABodyForcePressesOrAccelerates) {
  const Vec3 force{0.5, -9.81, 0};
  const FlowProblem problem(Comm(), with_patches(unit_square(9, 0.3), side_of_square));
  const LocalMesh& mesh = *problem.mesh;
  const FlowBoundaries falling(Farfield{Coefficient<Vec3>::of_time([force](real t) {
    return Vec3{force.x * t, force.y * t, 0};
  })});
  VelocityReconstruction fit(mesh, problem.wide, falling);
  Field<Node, NodeVelocity> nodes(mesh);
  for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
    for (const bool is_closed : {true, false}) {
      FlowStepSettings settings =
          open_settings(0.01, 1e-12, is_closed ? ConvectionForm::rotational : ConvectionForm::divergence);
      settings.method = method;
      const auto flow = make_flow_step(mesh, settings, is_closed ? FlowBoundaries(Wall{}) : falling, 0, &problem.wide);
      flow->set_body_force(force);
      for (int k = 0; k < 4; ++k) flow->advance(0.05);
      const Vec3 u = is_closed ? Vec3{} : flow->time() * force, slope = is_closed ? force : Vec3{};
      const Field<Face> exact = flux_of(mesh, [&](const Vec3& x) { return u.x * x.y - u.y * x.x; });
      Field<Face> difference(mesh);
      difference = flow->state().flux - exact;
      const bool splits = is_closed && method == FlowMethod::classical;
      EXPECT_LE(max_magnitude(difference), splits ? 1e-4 : 1e-10);
      const std::vector<real> p = flow->balance().pressure(fit.fit(flow->state().flux, flow->time(), nodes)).to_host();
      for (int c = 0; c < mesh.owned<Cell>(); ++c) {
        EXPECT_NEAR(p[c], dot(slope, mesh.geometry().cell_centre[c] - Vec3{0.5, 0.5, 0}), splits ? 1e-4 : 1e-7);
      }
    }
  }
}

}  // namespace
}  // namespace solenoid::test
