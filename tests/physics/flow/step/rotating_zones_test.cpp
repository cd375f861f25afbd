/// Zones that turn, by both methods in the plane and in space: a zone of everything beside the frame that turns, solid
/// rotation, porous bodies, blocks and what they move, pressures, forces and powers, restarts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "model/patch_integral.hpp"
#include "physics/flow/momentum/diagnostics.hpp"
#include "support/kept_state.hpp"
#include "support/openings.hpp"
#include "support/rotating_zones.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

void expect_closed(const EnergyBudget& budget, real tolerance) {
  EXPECT_NEAR(budget.change,
              budget.pressure + budget.inflow + budget.force + budget.frame + budget.boundary_friction -
                  budget.dissipation - budget.numerical,
              tolerance * budget.dissipation);
}

/// A box with a lid that moves along itself and a porous block, all of which turns, from the frame's rest: step by step
/// the same flow.
TEST(RotatingZones, OfEverythingAreTheFrameThatTurns_Slow) {
  in_methods_and_dimensions([](int dimension, FlowMethod method) {
    const FlowProblem problem(Comm(), box_of_zone(dimension, dimension == 2 ? 8 : 4, 0.2));
    const LocalMesh& mesh = *problem.mesh;
    const RotatingFrame& frame = frame_of_zone(dimension);
    const std::vector<FlowBoundary> walls = cavity_of(mesh, Vec3{1, 0, 0});
    FlowStepSettings in_frame = settings_of_zones(method), with_zone = in_frame;
    in_frame.frame = frame;
    in_frame.zones = {porous_zone(20, 30)};
    with_zone.zones = {zone_of_all(frame), porous_zone(20, 30)};
    const auto relative = make_flow_step(mesh, in_frame, walls, 0, &problem.wide);
    const auto absolute =
        make_flow_step(mesh, with_zone, with_turning_walls(walls, with_zone.zones, mesh), 0, &problem.wide);
    relative->start_from_rest();
    Field<Face> solid(mesh), difference(mesh);
    solid.copy_from(absolute->rotating_zones()->solid_flux(0));
    EXPECT_EQ(max_divergence(solid), 0);
    absolute->project(solid);
    solid.copy_from(absolute->rotating_zones()->solid_flux(0));
    for (int k = 0; k < 10; ++k) relative->advance(0.02), absolute->advance(0.02);
    EXPECT_EQ(max_divergence(absolute->state().flux), 0);
    difference = absolute->state().flux - solid - relative->state().flux;
    EXPECT_GT(norm(relative->state().flux), 1e-2);
    EXPECT_LT(norm(difference), 1e-10 * norm(relative->state().flux));
    EXPECT_LT(largest_apart(pressure_shown(*absolute, problem), pressure_shown(*relative, problem)), 1e-8);
    std::vector<int> all(mesh.part().patches.size());
    std::iota(all.begin(), all.end(), 0);
    const PatchIntegral patch(mesh, all);
    const auto moment = [&](FlowStep& flow) {
      Tractions& tractions = flow.balance().tractions();
      return patch.moment_of(tractions.pressure, frame.point) + patch.moment_of(tractions.friction, frame.point);
    };
    EXPECT_NEAR(norm(moment(*absolute) - moment(*relative)), 0, 1e-8);
  });
}

/// The fluid and its walls turn as one body; it stays so, and the pressure carries it around.
TEST(RotatingZones, SolidRotationIsExactInThem_Slow) {
  in_methods_and_dimensions([](int dimension, FlowMethod method) {
    const FlowProblem problem(Comm(), box_of_zone(dimension, dimension == 2 ? 8 : 4, 0.3));
    const LocalMesh& mesh = *problem.mesh;
    const RotatingFrame& frame = frame_of_zone(dimension);
    FlowStepSettings settings = settings_of_zones(method);
    settings.zones = {zone_of_all(frame)};
    const auto flow = make_flow_step(mesh, settings, with_turning_walls(cavity_of(mesh, Vec3{}), settings.zones, mesh),
                                     0, &problem.wide);
    Field<Face> solid(mesh), change(mesh);
    solid.copy_from(flow->rotating_zones()->solid_flux(0));
    flow->project(solid);
    for (int k = 0; k < 10; ++k) flow->advance(0.1);
    change = flow->state().flux - flow->rotating_zones()->solid_flux(0);
    EXPECT_LT(max_magnitude(change), 1e-13);
    std::vector<int> all(mesh.part().patches.size());
    std::iota(all.begin(), all.end(), 0);
    const std::vector<real> force = PatchIntegral(mesh, all).of(&flow->balance().tractions().pressure);
    const Vec3 middle = dimension == 2 ? Vec3{0.5, 0.5, 0} : Vec3{0.5, 0.5, 0.5},
               outwards = -cross(frame.rate, frame.velocity(middle));
    EXPECT_NEAR(norm(Vec3{force[0], force[1], force[2]} - outwards), 0, 1e-11);
    EXPECT_NEAR(norm(flow->balance().force_in_fluid(ForceTestFunction(mesh, all)) - outwards), 0, 1e-11);
  });
}

/// What is porous turns with them and lets the fluid that turns with it pass, however much it resists.
TEST(RotatingZones, TurnPorousBodies_Steps) {
  in_methods_and_dimensions([](int dimension, FlowMethod method) {
    const FlowProblem problem(Comm(), box_of_zone(dimension, dimension == 2 ? 8 : 4, 0.3));
    const LocalMesh& mesh = *problem.mesh;
    for (const real resistance : {1e3, 1e9}) {
      FlowStepSettings settings = settings_of_zones(method);
      settings.zones = {zone_of_all(frame_of_zone(dimension)), porous_zone(resistance, resistance)};
      const auto flow = make_flow_step(
          mesh, settings, with_turning_walls(cavity_of(mesh, Vec3{}), settings.zones, mesh), 0, &problem.wide);
      Field<Face> solid(mesh), change(mesh);
      solid.copy_from(flow->rotating_zones()->solid_flux(0));
      flow->project(solid);
      for (int k = 0; k < 10; ++k) flow->advance(0.1);
      change = flow->state().flux - flow->rotating_zones()->solid_flux(0);
      EXPECT_LT(max_magnitude(change), 1e-13) << resistance;
      EXPECT_NEAR(flow->dissipation_by_zones(), 0, 1e-13 * resistance);
    }
  });
}

/// A box with a block in the middle that turns in a zone around it, whose surface follows the cells.
struct Stirred {
  FlowProblem problem;
  std::unique_ptr<FlowStep> flow;
  Stirred(int dimension, FlowMethod method, ConvectionForm convection = ConvectionForm::divergence,
          DiffusionForm diffusion = DiffusionForm::automatic)
      : problem(Comm(), without_cells(box_of_zone(dimension, dimension == 2 ? 14 : 8, 0.2), is_in_block, "block")) {
    const Vec3 middle = dimension == 2 ? Vec3{0.5, 0.5, 0} : Vec3{0.5, 0.5, 0.5};
    FlowStepSettings settings = settings_of_zones(method, 0.1);
    settings.convection = convection;
    settings.diffusion = diffusion;
    settings.zones = {
        {.name = "stirrer", .place = ZoneBall{middle, 0.38}, .rotating = RotatingFrame{{0, 0, 2}, middle}}};
    const LocalMesh& mesh = *problem.mesh;
    const std::vector<FlowBoundary> walls(mesh.part().patches.size(), Wall{});
    flow = make_flow_step(mesh, settings, with_turning_walls(walls, settings.zones, mesh), 0, &problem.wide);
    flow->start_from_rest();
  }
  static bool is_in_block(const Vec3& x) {
    const Vec3 from = x - Vec3{0.5, 0.5, 0.5};
    if (x.z == 0) return std::abs(from.x) < 0.2 && std::abs(from.y) < 0.1;
    return std::max({std::abs(from.x), std::abs(from.y), std::abs(from.z)}) < 0.14;
  }
};

TEST(RotatingZones, BlocksMoveTheFluidAndCloseTheBudget_Steps) {
  in_methods_and_dimensions([](int dimension, FlowMethod method) {
    const bool is_exact = method == FlowMethod::exact;
    for (const ConvectionForm form : {ConvectionForm::divergence, ConvectionForm::upwind}) {
      if ((!is_exact || dimension == 3) && form == ConvectionForm::upwind) continue;
      const bool has_vorticity = dimension == 2 || !is_exact;  // whose tractions are those of its powers, on any mesh
      Stirred stirred(dimension, method, form, has_vorticity ? DiffusionForm::rotational : DiffusionForm::automatic);
      FlowStep& flow = *stirred.flow;
      const LocalMesh& mesh = flow.mesh();
      for (int k = 0; k < 600 && (k < 5 || flow.rate_of_change() > 1e-8); ++k) flow.advance(0.05);
      EXPECT_LE(flow.rate_of_change(), 1e-8);
      EXPECT_EQ(max_divergence(flow.state().flux), 0);
      EXPECT_EQ(outflow(mesh, flow.state().flux, "block"), 0);  // in integers: nothing enters or leaves in sum
      const EnergyBudget budget = flow.balance().energy_budget();
      EXPECT_GT(budget.dissipation, 1e-3);
      expect_closed(budget, 1e-7);
      const RotatingFrame frame{{0, 0, 2}, flow.settings().zones[0].rotating->point};
      const PatchIntegral block(mesh, places_of_patch(mesh, "block"));
      Tractions& tractions = flow.balance().tractions();
      const Vec3 moment =
          block.moment_of(tractions.pressure, frame.point) + block.moment_of(tractions.friction, frame.point);
      EXPECT_LT(moment.z, 0);
      const real power = -dot(frame.rate, moment);
      if (form == ConvectionForm::divergence && has_vorticity) {
        EXPECT_NEAR(power, dimension == 2 ? 0.22166845 : 0.04255402, 1e-7);  // on any number of ranks
      }
      const real supplied = budget.pressure + budget.boundary_friction;
      EXPECT_NEAR(supplied, power, (has_vorticity ? 1e-9 : 0.4) * power);
    }
  });
}

TEST(RotatingZones, HaveNoWallInPart) {
  const FlowProblem problem(Comm(), unit_square(8));
  const LocalMesh& mesh = *problem.mesh;
  const std::vector<FlowZone> zones{{.name = "rotor", .place = ZoneBall{{0.5, 1, 0}, 0.3}, .rotating = plane_of_zone}};
  const auto turns = [&](bool is_told_from_rest) {
    const std::vector<FlowBoundary> walls(mesh.part().patches.size(), Wall{Vec3{}, is_told_from_rest});
    for (const FlowBoundary& wall : with_turning_walls(walls, zones, mesh)) {
      if (std::get<Wall>(wall).turns) return true;
    }
    return false;
  };
  EXPECT_FALSE(turns(true));
  try {
    turns(false);
    ADD_FAILURE() << "a wall in part in a zone was not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    EXPECT_NE(std::string(error.what()).find("is a wall in part in [zone.rotor]"), std::string::npos);
  }
}

TEST(RotatingZones, RestartInBits_Again) {
  in_methods_and_dimensions([](int dimension, FlowMethod method) {
    Stirred first(dimension, method), second(dimension, method);
    for (int k = 0; k < 3; ++k) first.flow->advance(0.02);
    KeptState kept{Comm()};
    first.flow->visit_state(kept);
    kept.restores = true;
    second.flow->visit_state(kept);
    second.flow->state_restored();
    EXPECT_TRUE(kept.missing.empty());
    for (int k = 0; k < 3; ++k) first.flow->advance(0.02), second.flow->advance(0.02);
    EXPECT_EQ(first.flow->state().flux.to_host(), second.flow->state().flux.to_host());
  });
}

}  // namespace
}  // namespace solenoid::test
