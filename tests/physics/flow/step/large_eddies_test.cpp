/// Flows with modelled eddies, by both methods: a profile between plates, where their energy goes, laminar ones that
/// models leave alone, steps of any length, and any number of ranks.
#include <gtest/gtest.h>

#include <cmath>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "physics/flow/momentum/diagnostics.hpp"
#include "physics/flow/step/flow_method.hpp"
#include "support/flows.hpp"
#include "support/mesh_kinds.hpp"
#include "support/openings.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

using Kind = EddyViscosity::Kind;
constexpr FlowMethod methods_of_eddies[] = {FlowMethod::exact, FlowMethod::classical};

EddyViscosity usual(Kind kind) { return {kind, EddyViscosity::usual_constant(kind)}; }

FlowStepSettings eddy_settings(FlowMethod method, real viscosity, const EddyViscosity& model) {
  FlowStepSettings settings = tight_settings(viscosity, 1e-10);
  settings.method = method;
  settings.eddies = model;
  settings.diffusion = DiffusionForm::automatic;
  settings.convection = ConvectionForm::automatic;
  return settings;
}

MeshSource channel_of_eddies(int n) {
  const auto side = [](const Vec3& x) -> std::string {
    constexpr real near = 1e-9;
    return x.x < near ? "left" : x.x > 1 - near ? "right" : x.y < near || x.y > 1 - near ? "wall" : "side";
  };
  MeshSource source = with_patches(unit_cube(n), side);
  source.pairs = {{"left", "right"}};
  return source;
}

struct EddyProfile {
  real error, budget, model_share;
  std::vector<real> flux;
};

/// The steady flow by a pressure drop of 1 a length, nu = 0.05, beside the one with that stress: (nu + l^2 |u'|) u' =
/// 1/2 - y.
EddyProfile eddy_profile(FlowMethod method, const EddyViscosity& model, int n) {
  constexpr real nu = 0.05;
  const FlowProblem problem(Comm(), channel_of_eddies(n));
  const LocalMesh& mesh = *problem.mesh;
  PairDrive drive;
  drive.drop = Coefficient<real>(1);
  FlowStepSettings settings = eddy_settings(method, nu, model);
  settings.convection = ConvectionForm::none;
  const auto flow = make_flow_step(mesh, settings, conditions(mesh, {{"wall", Wall{}}, {"side", Symmetry{}}}, {drive}),
                                   0, &problem.wide);
  flow->start_from_rest();
  for (int k = 0; k < 400; ++k) flow->advance(0.2);
  const real volume = real{1} / (6 * n * n * n);
  const real l = model.kind == Kind::smagorinsky ? model.squared_length(volume) : 0;
  const auto slope = [&](real y) {
    const real stress = std::abs(0.5 - y);
    return std::copysign(2 * stress / (nu + std::sqrt(nu * nu + 4 * l * stress)), 0.5 - y);
  };
  constexpr int count = 4000;
  std::vector<real> profile{0};
  for (int k = 0; k < count; ++k) {
    const real y = static_cast<real>(k) / count, half = real{0.5} / count;
    profile.push_back(profile.back() + (slope(y) + 4 * slope(y + half) + slope(y + 2 * half)) / (6 * count));
  }
  const Field<Face> exact = flux_of_velocity(mesh, [&](const Vec3& x) {
    return Vec3{profile[static_cast<std::size_t>(std::lround(x.y * count))], 0, 0};
  });
  Field<Face> error(mesh);
  error = flow->state().flux - exact;
  const EnergyBudget budget = flow->balance().energy_budget();
  EXPECT_NEAR(flow->dissipation_by_eddies(), budget.model, 1e-9 * budget.dissipation);
  const real left = budget.change - (budget.pressure - budget.dissipation - budget.model);
  return {norm(error) / norm(exact), std::abs(left) / budget.dissipation, budget.model / budget.dissipation,
          gather(flow->state().flux)};
}

TEST(LargeEddies, ProfileBetweenPlatesHasTheModelsStress_Long) {
  const EddyViscosity model{Kind::smagorinsky, 1};
  const EddyProfile coarse = eddy_profile(FlowMethod::exact, model, 4),
                    fine = eddy_profile(FlowMethod::exact, model, 8),
                    classical = eddy_profile(FlowMethod::classical, model, 4);
  EXPECT_GT(coarse.model_share, 0.3);
  EXPECT_LE(fine.error, 0.03);
  EXPECT_GE(rate(coarse.error, fine.error, 2), 1.4) << coarse.error << " " << fine.error;
  for (const EddyProfile* const of : {&coarse, &fine, &classical}) EXPECT_LE(of->budget, 1e-7);
  expect_equal(classical.flux, coarse.flux, "both methods", 1e-6);
}

/// The three models that know shear leave a parabola alone but for the errors of the mesh.
TEST(LargeEddies, LaminarShearIsLeftAlone_Long) {
  for (const Kind kind : {Kind::wale, Kind::vreman, Kind::sigma}) {
    const EddyProfile found = eddy_profile(FlowMethod::exact, usual(kind), 6);
    EXPECT_LE(found.model_share, 2e-3) << static_cast<int>(kind);
    EXPECT_LE(found.budget, 1e-7) << static_cast<int>(kind);
  }
}

real rest_of_scattered(FlowMethod method, const EddyViscosity& model, const MeshSource& source, real dt, int steps) {
  const FlowProblem problem(Comm(), source);
  const LocalMesh& mesh = *problem.mesh;
  FlowStepSettings settings = eddy_settings(method, 1e-4, model);
  settings.convection = ConvectionForm::none;
  const auto flow = make_flow_step(mesh, settings, FlowBoundaries(Wall{Vec3{}}), 0, &problem.wide);
  Field<Edge> potential = scattered_field<Edge>(mesh);
  Field<Face> flux(mesh);
  flux = mesh.C * halo(potential);
  flow->project(flux);
  const real first = kinetic_energy(flow->state().velocity);
  real most = first;
  for (int k = 0; k < steps; ++k) {
    flow->advance(dt);
    most = std::max(most, kinetic_energy(flow->state().velocity));
  }
  EXPECT_LE(most, 1.02 * first) << static_cast<int>(model.kind) << " " << dt;
  return kinetic_energy(flow->state().velocity) / first;
}

/// In steps far longer than the eddies' stress takes through a cell, with nine times their viscosity; in cells ten
/// times as wide as high in steps of any Courant number that convection has.
TEST(LargeEddies, FlowsComeToRestInStepsOfAnyLength_Long) {
  const auto flat = moved(unit_cube(4, 0.1), [](const Vec3& x) { return Vec3{x.x, x.y, x.z / 10}; });
  for (const Kind kind : {Kind::smagorinsky, Kind::wale, Kind::vreman, Kind::sigma}) {
    EddyViscosity model = usual(kind);
    model.constant *= kind == Kind::vreman ? 9 : 3;
    for (const FlowMethod method : methods_of_eddies) {
      for (const real dt : {1e-3, 1e-2, 0.1, 1.0, 10.0}) {
        EXPECT_LE(rest_of_scattered(method, model, unit_cube(4, 0.15), dt, 40), 0.5) << dt;
      }
      EXPECT_LE(rest_of_scattered(method, model, flat, 1e-4, 40), 0.9);
    }
  }
}

/// A vortex under a lid.
std::vector<real> under_a_lid(const Comm& comm, FlowMethod method, Kind kind) {
  const FlowProblem problem(comm, unit_cube(4, 0.15), partition_cells);
  const LocalMesh& mesh = *problem.mesh;
  const auto flow =
      make_flow_step(mesh, eddy_settings(method, 1e-3, usual(kind)), cavity_walls(mesh), 0, &problem.wide);
  flow->start_from_rest();
  for (int k = 0; k < 6; ++k) flow->advance(0.05);
  EXPECT_GT(flow->dissipation_by_eddies(), 0);
  return gather(flow->state().flux);
}

TEST(LargeEddies, AreTheSameOnAnyNumberOfRanks) {
  for (const FlowMethod method : methods_of_eddies) {
    for (const Kind kind : {Kind::smagorinsky, Kind::sigma}) {
      const std::vector<real> here = under_a_lid(Comm(), method, kind), alone_here = under_a_lid(alone(), method, kind);
      expect_equal(here, alone_here, "fluxes", 1e-8);
    }
  }
}

}  // namespace
}  // namespace solenoid::test
