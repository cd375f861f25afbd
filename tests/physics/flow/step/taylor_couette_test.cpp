/// Flow between cylinders, the inner one turning, seen from rest, from that cylinder, and from it within a zone; a
/// wheel in a round tank, in a zone and in one frame.
#include <gtest/gtest.h>

#include <cmath>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "model/patch_integral.hpp"
#include "physics/flow/boundary/turning_walls.hpp"
#include "physics/flow/momentum/diagnostics.hpp"
#include "support/flows.hpp"
#include "support/geometries.hpp"
#include "support/openings.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

struct Couette {
  real error;   ///< relative, of the fluxes as the frame sees them
  real torque;  ///< of the fluid on the inner cylinder by density [m^4/s^2]
  Field<Face> flux;
};

constexpr real viscosity_in_gap = 0.1;

/// Once it is steady. The inner radius is .5 m, the outer one 1 m, and the inner cylinder turns at 1 rad/s.
Couette between_cylinders(const FlowProblem& problem, FlowMethod method, bool turns) {
  const LocalMesh& mesh = *problem.mesh;
  const RotatingFrame frame{{0, 0, 1}, {}};
  const auto inner = Coefficient<Vec3>::of_place([](const Vec3& x) { return Vec3{-x.y, x.x, 0}; });
  FlowStepSettings settings = tight_settings(viscosity_in_gap, 1e-12);
  settings.method = method;
  if (turns) settings.frame = frame;
  const auto flow =
      make_flow_step(mesh, settings,
                     conditions(mesh, {{"inner", Wall{turns ? Coefficient<Vec3>{} : inner}},
                                       {"outer", Wall{turns ? frame.relative(Vec3{}) : Coefficient<Vec3>{}}}}),
                     0, &problem.wide);
  // u = (1/r - r)/3 around: psi of u = (psi_y, -psi_x) is -(log r - r^2/2)/3, and r^2/2 less of the frame.
  Field<Face> exact = flux_of(mesh,
                              [&](const Vec3&x) {
                                const real square = dot(x, x), seen = turns ? square / 2 : 0;
                                return seen - (std::log(square) / 2 - square / 2) / 3;
                              }),
              error(mesh);
  flow->project(exact);
  for (int k = 0; k < 2000 && (k < 5 || flow->rate_of_change() > 1e-12); ++k) flow->advance(0.05);
  EXPECT_LT(flow->rate_of_change(), 1e-11);
  const EnergyBudget budget = flow->balance().energy_budget();
  EXPECT_NEAR(budget.frame, 0, 1e-14);
  EXPECT_NEAR(budget.change, budget.boundary_friction - budget.dissipation - budget.numerical,
              1e-9 * budget.dissipation);
  const PatchIntegral cylinder(mesh, places_of_patch(mesh, "inner"));
  Tractions& tractions = flow->balance().tractions();
  const Vec3 moment = cylinder.moment_of(tractions.pressure, {}) + cylinder.moment_of(tractions.friction, {});
  error = flow->state().flux - exact;
  Couette found{norm(error) / norm(exact), moment.z, Field<Face>(mesh)};
  found.flux.copy_from(flow->state().flux);
  return found;
}

/// The flows are as far apart as both are from the exact one. More would take a vorticity of solid rotation that is
/// uniform on every mesh, as its fluxes are exact: a node has a third of its triangles, which is not the area within
/// the bisectors of its edges that the circulation around it belongs to.
TEST(TaylorCouette, IsTheSameSeenFromTheCylinderUpToTheMesh_Long) {
  for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
    std::vector<real> apart, torque;
    for (const real size : {0.1, 0.05}) {
      const FlowProblem problem(Comm(), read_geometry("annulus.geo", size));
      const LocalMesh& mesh = *problem.mesh;
      const Couette rest = between_cylinders(problem, method, false),
                    turning = between_cylinders(problem, method, true);
      Field<Face> solid = flux_of(mesh, [](const Vec3&x) { return -dot(x, x) / 2; }), difference(mesh);
      difference = turning.flux + solid - rest.flux;
      apart.push_back(norm(difference) / norm(rest.flux));
      EXPECT_LT(norm(difference), rest.error * norm(rest.flux) + turning.error * norm(turning.flux));
      const real exact = -4 * pi * viscosity_in_gap / 3;
      torque.push_back(std::abs(turning.torque / exact - 1));
    }
    EXPECT_LT(apart[1], 8e-3);
    EXPECT_GT(std::log2(apart[0] / apart[1]), 1.4);
    EXPECT_LT(torque[1], 3e-3);
    EXPECT_GT(std::log2(torque[0] / torque[1]), 1.9);
  }
}

/// Of the fluid on a patch, by density [m^4/s^2].
real torque_on(FlowStep& flow, const std::string& patch) {
  const PatchIntegral there(flow.mesh(), places_of_patch(flow.mesh(), patch));
  Tractions& tractions = flow.balance().tractions();
  return (there.moment_of(tractions.pressure, {}) + there.moment_of(tractions.friction, {})).z;
}

void make_steady(FlowStep& flow, real dt, real enough) {
  for (int k = 0; k < 20000 && (k < 5 || flow.rate_of_change() > enough); ++k) flow.advance(dt);
  EXPECT_LT(flow.rate_of_change(), 2 * enough);
}

/// The same flow where the fluid within .75 m turns with the inner cylinder, or the other way round.
Couette with_zone(const FlowProblem& problem, FlowMethod method, real rate) {
  const LocalMesh& mesh = *problem.mesh;
  const auto inner = Coefficient<Vec3>::of_place([](const Vec3& x) { return Vec3{-x.y, x.x, 0}; });
  FlowStepSettings settings = tight_settings(viscosity_in_gap, 1e-12);
  settings.method = method;
  settings.convection = ConvectionForm::divergence;
  settings.zones = {{.name = "inside", .place = ZoneBall{{}, 0.75}, .rotating = RotatingFrame{{0, 0, rate}, {}}}};
  std::vector<FlowBoundary> of_patch;
  for (const std::string& patch : mesh.part().patches) {
    of_patch.push_back(patch == "outer" ? Wall{} : rate == 1 ? Wall{} : Wall{inner, true});
  }
  const auto flow =
      make_flow_step(mesh, settings, with_turning_walls(of_patch, settings.zones, mesh), 0, &problem.wide);
  Field<Face> exact = flux_of(mesh, [](const Vec3&x) { return -(std::log(dot(x, x)) - dot(x, x)) / 6; }), error(mesh);
  flow->project(exact);
  make_steady(*flow, 0.05, 1e-11);
  EXPECT_EQ(max_divergence(flow->state().flux), 0);
  const EnergyBudget budget = flow->balance().energy_budget();
  EXPECT_NEAR(budget.change, budget.pressure + budget.boundary_friction - budget.dissipation - budget.numerical,
              1e-8 * budget.dissipation);
  error = flow->state().flux - exact;
  Couette found{norm(error) / norm(exact), torque_on(*flow, "inner"), Field<Face>(mesh)};
  found.flux.copy_from(flow->state().flux);
  return found;
}

TEST(TaylorCouette, DoesNotMindAZoneUpToTheMesh_Long) {
  for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
    for (const real rate : {1, -1}) {
      std::vector<real> error, torque;
      for (const real size : {0.1, 0.05}) {
        const FlowProblem problem(Comm(), read_geometry("annulus.geo", size));
        const Couette found = with_zone(problem, method, rate);
        error.push_back(found.error);
        torque.push_back(std::abs(found.torque / (-4 * pi * viscosity_in_gap / 3) - 1));
      }
      EXPECT_LT(error[1], 8.5e-3) << rate;
      EXPECT_GT(std::log2(error[0] / error[1]), 1.2) << error[0] << " " << error[1];
      EXPECT_LT(torque[1], 2.5e-3);
      EXPECT_GT(std::log2(torque[0] / torque[1]), 1.9) << torque[0] << " " << torque[1];
    }
  }
}

/// Torque of the fluid on a wheel with six blades at 6 rad/s in a round tank, N D^2 / nu = 11, once it is steady: by a
/// zone within .25 m, or by one frame.
real torque_on_wheel(const FlowProblem& problem, real size, FlowMethod method, bool has_zone) {
  const LocalMesh& mesh = *problem.mesh;
  const RotatingFrame frame{{0, 0, 6}, {}};
  FlowStepSettings settings = tight_settings(1e-2, 1e-9);
  settings.method = method;
  settings.convection = ConvectionForm::divergence;
  std::vector<FlowBoundary> of_patch;
  for (const std::string& patch : mesh.part().patches) {
    const bool is_tank = patch == "tank";
    of_patch.push_back(has_zone ? Wall{Vec3{}, is_tank} : Wall{is_tank ? frame.relative(Vec3{}) : Vec3{}});
  }
  if (has_zone) {
    settings.zones = {{.name = "zone", .place = ZoneRegion{"zone"}, .rotating = frame}};
    of_patch = with_turning_walls(of_patch, settings.zones, mesh);
  } else {
    settings.frame = frame;
  }
  const auto flow = make_flow_step(mesh, settings, of_patch, 0, &problem.wide);
  if (has_zone) {
    flow->start_from_rest();
  } else {
    Field<Face> rest = flux_of(mesh, [](const Vec3& x) { return 3 * dot(x, x); });
    flow->project(rest);
  }
  make_steady(*flow, 0.1 * size, 2e-5);
  if (has_zone) {
    const EnergyBudget budget = flow->balance().energy_budget();
    const real power = -6 * torque_on(*flow, "wheel");
    EXPECT_NEAR(budget.change, budget.pressure + budget.boundary_friction - budget.dissipation - budget.numerical,
                1e-4 * budget.dissipation);
    EXPECT_NEAR((budget.pressure + budget.boundary_friction) / power, 1, 1e-2);
  }
  return torque_on(*flow, "wheel");
}

TEST(TaylorCouette, WheelsInARoundTankHaveTheTorqueOfOneFrame_Long) {
  std::vector<real> apart;
  for (const real size : {0.05, 0.025}) {
    const FlowProblem problem(Comm(), read_geometry("tests/round-tank.geo", size));
    const real zone = torque_on_wheel(problem, size, FlowMethod::exact, true),
               one = torque_on_wheel(problem, size, FlowMethod::exact, false);
    EXPECT_LT(one, 0);
    apart.push_back(std::abs(zone / one - 1));
    if (size < 0.05) continue;
    EXPECT_NEAR(torque_on_wheel(problem, size, FlowMethod::classical, true) / zone, 1, 1e-6);
  }
  EXPECT_LT(apart[1], 2e-3);
  EXPECT_GT(std::log2(apart[0] / apart[1]), 1.5) << apart[0] << " " << apart[1];
}

}  // namespace
}  // namespace solenoid::test
