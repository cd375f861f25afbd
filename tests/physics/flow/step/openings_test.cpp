/// Openings that fluid enters from rest outside, and the pressure of a stratified fluid there.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "field/inner_product.hpp"
#include "physics/flow/momentum/buoyancy.hpp"
#include "physics/flow/momentum/diagnostics.hpp"
#include "physics/flow/momentum/hydrostatic_pressure.hpp"
#include "physics/flow/step/flow_method.hpp"
#include "support/flows.hpp"
#include "support/openings.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

Outlet opening(const Coefficient<real>& total_pressure) {
  Outlet made{total_pressure};
  made.inflow = OutletInflow::straight;
  return made;
}

/// Of a fluid that gets lighter upwards: dp/dz = beta g (T - T_ref), along any gravity.
TEST(HydrostaticPressure, IsTheIntegralOfTheBuoyancy) {
  const BuoyancySettings buoyancy{.expansion = 3e-3, .reference = 290, .gravity = {0, 3, -4}};
  const auto height = [](const Vec3& x) { return (-3 * x.y + 4 * x.z) / 5; };
  const Coefficient<real> pressure = hydrostatic_pressure(
      buoyancy,
      Coefficient<real>::of_place_and_time([&](const Vec3& x, real t) { return 295 + t * std::pow(height(x), 4); }));
  EXPECT_TRUE(pressure.depends_on_time());
  for (const Vec3& x : {Vec3{1, 2, 3}, Vec3{0, 1, -2}, Vec3{5, 0, 0}}) {
    const real z = height(x);
    EXPECT_NEAR(pressure.at(x, 2), 3e-3 * 5 * (5 * z + 2 * std::pow(z, 5) / 5), 1e-12);
  }
}

/// A room with doors at several heights, open to layers like those inside.
TEST(HydrostaticPressure, LayersBesideDoorsStayAtRest_Again) {
  for (const int dimension : {2, 3}) {
    for (const NamedPartitioner& p : partitioners()) {
      const FlowProblem problem(Comm(),
                                dimension == 2 ? with_patches(square_with_hole(9), side_of_branching)
                                               : with_patches(unit_cube(4, 0.1), side_of_cube),
                                p.partition);
      const LocalMesh& mesh = *problem.mesh;
      const BuoyancySettings settings{.expansion = 3e-3, .reference = 290, .gravity = {0, real{-9.81}, 0}};
      const auto layers = [](const Vec3& x) { return 293 + 15 * x.y; };
      std::vector<real> values;
      for (int n = 0; n < mesh.owned<Node>(); ++n) values.push_back(layers(mesh.part().points[n]));
      Field<Node> temperature(mesh, values);
      Buoyancy buoyancy(mesh, settings);
      buoyancy.compute(halo(temperature));
      const Outlet door = opening(hydrostatic_pressure(settings, Coefficient<real>::of_place(layers)));
      for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
        FlowStepSettings flow_settings = open_settings(1e-3);
        flow_settings.method = method;
        const auto flow = make_flow_step(
            mesh, flow_settings, conditions(mesh, {{"left", door}, {"lower", door}, {"upper", door}, {"right", door}}),
            0, &problem.wide);
        flow->set_buoyancy(buoyancy);
        flow->start_from_rest();
        for (int k = 0; k < 10; ++k) flow->advance(0.1);
        // The classical method's first pressure is right to 1e-4 of a step's correction.
        EXPECT_LE(max_magnitude(flow->state().flux), method == FlowMethod::exact ? 1e-12 : 1e-6)
            << dimension << "D, " << p.name;
      }
    }
  }
}

/// Vortices in a box without walls: fluid comes and goes, and nothing brings energy.
TEST(Openings, NeverBringEnergy_Steps) {
  const auto speed = [](const Vec3& x) {
    return Vec3{std::sin(4 * x.y + 1) + x.z, std::cos(5 * x.x), std::sin(3 * x.x + 2 * x.y)};
  };
  for (const int dimension : {2, 3}) {
    const FlowProblem problem(Comm(), dimension == 2 ? with_patches(unit_square(10, 0.2), side_of_square)
                                                     : with_patches(unit_cube(4, 0.2), side_of_cube));
    const LocalMesh& mesh = *problem.mesh;
    const FlowBoundaries open(opening(Coefficient<real>(real{0})));
    for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
      FlowStepSettings settings = open_settings(1e-4, 1e-10, ConvectionForm::automatic);
      settings.method = method;
      const auto flow = make_flow_step(mesh, settings, open, 0, &problem.wide);
      std::vector<real> fluxes;
      for (int f = 0; f < mesh.owned<Face>(); ++f) {
        const Geometry& geometry = mesh.geometry();
        fluxes.push_back(geometry.face_area[f] * dot(geometry.face_normal[f], speed(geometry.face_centre[f])));
      }
      Field<Face> start(mesh, fluxes);
      flow->project(start);
      const real begun = kinetic_energy(flow->state().velocity);
      real before = begun;
      for (int k = 0; k < 60; ++k) {
        flow->advance(0.01);
        const real now = kinetic_energy(flow->state().velocity);
        EXPECT_LE(now, before * (1 + 1e-9)) << dimension << "D, step " << k;
        before = now;
      }
      EXPECT_LE(before, 0.8 * begun);
    }
  }
}

/// A parallel stream that a total pressure draws in along the normal: u^2/2 = p_0, as through a natural outlet.
TEST(Openings, DrawAStreamInAsTorricelliSays_Steps) {
  for (const int dimension : {2, 3}) {
    const FlowProblem problem(Comm(), dimension == 2 ? with_patches(unit_square(5, 0.3), side_of_square)
                                                     : with_patches(unit_cube(2, 0.3), side_of_cube));
    const LocalMesh& mesh = *problem.mesh;
    std::map<std::string, FlowBoundary> sides{{"left", opening(real{2})}, {"right", opening(real{0})}};
    for (const char* side : {"top", "bottom", "side"}) sides[side] = Symmetry{};
    for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
      FlowStepSettings settings = open_settings(0.01, 1e-11, ConvectionForm::automatic);
      settings.method = method;
      const auto flow = make_flow_step(mesh, settings, conditions(mesh, sides), 0, &problem.wide);
      flow->start_from_rest();
      for (int k = 0; k < 400; ++k) flow->advance(0.025);
      EXPECT_NEAR(outflow(mesh, flow->state().flux, "right"), 2, 1e-7);
      const EnergyBudget budget = flow->balance().energy_budget();
      EXPECT_NEAR(budget.pressure, 4, 1e-6);
      EXPECT_NEAR(budget.inflow, -4, 1e-6);
      EXPECT_NEAR(budget.numerical, 0, 1e-6);
    }
  }
}

}  // namespace
}  // namespace solenoid::test
