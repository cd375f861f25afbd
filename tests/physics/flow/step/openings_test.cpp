/// Openings that fluid enters from rest outside, and the pressure of a stratified fluid there.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
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
  made.inflow = OutletInflow::directed;
  return made;
}

/// Forms of convection and friction that openings are part of.
struct Form {
  int dimension;
  ConvectionForm convection;
  DiffusionForm diffusion;
};
constexpr std::array forms{Form{2, ConvectionForm::divergence, DiffusionForm::rotational},
                           Form{3, ConvectionForm::divergence, DiffusionForm::rotational},
                           Form{3, ConvectionForm::skew, DiffusionForm::stress}};

FlowStepSettings settings_in_form(const Form& form, FlowMethod method, real viscosity, real tolerance) {
  FlowStepSettings settings = open_settings(viscosity, tolerance, form.convection);
  settings.diffusion = form.diffusion;
  settings.method = method;
  return settings;
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

void start_with_vortices(FlowStep& flow, const LocalMesh& mesh) {
  const Geometry& geometry = mesh.geometry();
  std::vector<real> fluxes;
  for (int f = 0; f < mesh.owned<Face>(); ++f) {
    const Vec3& x = geometry.face_centre[f];
    const Vec3 speed{std::sin(4 * x.y + 1) + x.z, std::cos(5 * x.x), std::sin(3 * x.x + 2 * x.y)};
    fluxes.push_back(geometry.face_area[f] * dot(geometry.face_normal[f], speed));
  }
  Field<Face> start(mesh, fluxes);
  flow.project(start);
}

/// Vortices decay through this boundary: no step brings energy.
void expect_decay(const FlowProblem& problem, const Form& form, const FlowBoundaries& open) {
  const LocalMesh& mesh = *problem.mesh;
  for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
    const FlowStepSettings settings = settings_in_form(form, method, 1e-4, 1e-10);
    const auto flow = make_flow_step(mesh, settings, open, 0, &problem.wide);
    start_with_vortices(*flow, mesh);
    const real begun = kinetic_energy(flow->state().velocity);
    real before = begun;
    for (int k = 0; k < 60; ++k) {
      flow->advance(0.01);
      const real now = kinetic_energy(flow->state().velocity);
      EXPECT_LE(now, before * (1 + 1e-9)) << form.dimension << "D, step " << k;
      before = now;
    }
    EXPECT_LE(before, 0.8 * begun);
  }
}

/// Vortices in a box without walls: fluid comes and goes, and nothing brings energy.
TEST(Openings, NeverBringEnergy_Steps) {
  for (const Form& form : forms) {
    const int dimension = form.dimension;
    const FlowProblem problem(Comm(), dimension == 2 ? with_patches(unit_square(10, 0.2), side_of_square)
                                                     : with_patches(unit_cube(4, 0.2), side_of_cube));
    expect_decay(problem, form, FlowBoundaries(opening(Coefficient<real>(real{0}))));
  }
}

/// A parallel stream that a total pressure draws in along the normal: u^2/2 = p_0, as through a natural outlet.
TEST(Openings, DrawAStreamInAsTorricelliSays_Steps) {
  for (const Form& form : forms) {
    const int dimension = form.dimension;
    const FlowProblem problem(Comm(), dimension == 2 ? with_patches(unit_square(5, 0.3), side_of_square)
                                                     : with_patches(unit_cube(2, 0.3), side_of_cube));
    const LocalMesh& mesh = *problem.mesh;
    std::map<std::string, FlowBoundary> sides{{"left", opening(real{2})}, {"right", opening(real{0})}};
    for (const char* side : {"top", "bottom", "side"}) sides[side] = Symmetry{};
    for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
      const FlowStepSettings settings = settings_in_form(form, method, 0.01, 1e-11);
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

/// The direction of a slanted stream, of any length.
Vec3 slant(int dimension) { return dimension == 2 ? Vec3{2, 1, 0} : Vec3{2, 1, real{-0.7}}; }

/// The sides that a slanted stream enters through, by its direction, and those that it leaves through.
std::map<std::string, FlowBoundary> sides_of_stream(int dimension, real total_pressure) {
  Outlet entry = opening(total_pressure);
  entry.direction = Coefficient<Vec3>(slant(dimension));
  const FlowBoundary exit = Outlet{real{0}};
  return {{"left", entry}, {"bottom", entry}, {"back", entry}, {"right", exit}, {"top", exit}, {"front", exit}};
}

std::string side_of_box(const Vec3& x) {
  constexpr real near = 1e-6;
  if (x.z > 1 - near) return "back";
  return x.x < near ? "left" : x.x > 1 - near ? "right" : x.y < near ? "bottom" : x.y > 1 - near ? "top" : "front";
}

/// Of all faces, over the largest flux of the exact stream.
real error_of_stream(const LocalMesh& mesh, const Field<Face>& flux, const Vec3& velocity) {
  const std::vector<real> found = flux.to_host(),
                          exact = flux_of_velocity(mesh, [&](const Vec3&) { return velocity; }).to_host();
  real worst = 0, largest = 0;
  for (std::size_t f = 0; f < found.size(); ++f) {
    worst = std::max(worst, std::abs(found[f] - exact[f]));
    largest = std::max(largest, std::abs(exact[f]));
  }
  return mesh.comm().max(worst) / mesh.comm().max(largest);
}

/// A total pressure draws a slanted stream through a box from rest: |u|^2/2 = p_0 along the direction.
TEST(Openings, DrawASlantedStreamIn_Steps) {
  for (const Form& form : forms) {
    const int dimension = form.dimension;
    const FlowProblem problem(Comm(), dimension == 2 ? with_patches(unit_square(5, 0.3), side_of_square)
                                                     : with_patches(unit_cube(2, 0.3), side_of_box));
    const LocalMesh& mesh = *problem.mesh;
    const FlowBoundaries sides = conditions(mesh, sides_of_stream(dimension, 2));
    const Vec3 stream = 2 * slant(dimension) / norm(slant(dimension));
    for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
      const FlowStepSettings settings = settings_in_form(form, method, 0.01, 1e-11);
      const auto flow = make_flow_step(mesh, settings, sides, 0, &problem.wide);
      flow->start_from_rest();
      for (int k = 0; k < 600; ++k) flow->advance(0.02);
      EXPECT_LE(error_of_stream(mesh, flow->state().flux, stream), 1e-7) << dimension << "D";
      const real u_in = std::abs(stream.x) + std::abs(stream.y) + std::abs(stream.z);  // of a side's area 1
      const EnergyBudget budget = flow->balance().energy_budget();
      EXPECT_NEAR(budget.pressure, 2 * u_in, 1e-6);
      EXPECT_NEAR(budget.inflow, -2 * u_in, 1e-6);
      EXPECT_NEAR(budget.numerical, 0, 1e-6);
    }
  }
}

/// Vortices in a box whose sides all draw fluid in along slanted directions: nothing brings energy.
TEST(Openings, SlantedInflowNeverBringsEnergy_Steps) {
  for (const Form& form : forms) {
    const int dimension = form.dimension;
    const FlowProblem problem(Comm(), dimension == 2 ? with_patches(unit_square(10, 0.2), side_of_square)
                                                     : with_patches(unit_cube(4, 0.2), side_of_box));
    std::map<std::string, FlowBoundary> sides;
    for (const auto& [side, inward] :
         {std::pair{"left", Vec3{1, 0, 0}}, std::pair{"right", Vec3{-1, 0, 0}}, std::pair{"bottom", Vec3{0, 1, 0}},
          std::pair{"top", Vec3{0, -1, 0}}, std::pair{"front", Vec3{0, 0, 1}}, std::pair{"back", Vec3{0, 0, -1}}}) {
      Outlet slanted = opening(real{0});
      const Vec3 along{-inward.y, inward.x, 0};
      slanted.direction = Coefficient<Vec3>::of_place([inward, along](const Vec3& x) {
        return inward + (1 + std::sin(9 * (x.x + x.y))) * along + (inward.z == 0 ? Vec3{} : Vec3{1, real{-0.5}, 0});
      });
      sides[side] = slanted;
    }
    expect_decay(problem, form, conditions(*problem.mesh, sides));
  }
}

}  // namespace
}  // namespace solenoid::test
