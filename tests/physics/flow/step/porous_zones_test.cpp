/// Porous zones by the exact method, in the plane and in space: exact pressure drops, Brinkman's layer, powers, and
/// resistances of any size.
#include <gtest/gtest.h>

#include <cmath>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "physics/flow/momentum/diagnostics.hpp"
#include "physics/flow/step/flow_method.hpp"
#include "support/flows.hpp"
#include "support/openings.hpp"

namespace solenoid::test {
namespace {

constexpr real viscosity_in_zones = 0.1;

std::string side_of_duct(const Vec3& x) {
  constexpr real near = 1e-9;
  return x.x < near ? "left" : x.x > 1 - near ? "right" : x.y < near ? "bottom" : x.y > 1 - near ? "top" : "side";
}

MeshSource duct(int dimension, int n, real wiggle) {
  return with_patches(dimension == 2 ? unit_square(n, wiggle) : unit_cube(n, wiggle), side_of_duct);
}

FlowZone zone_of(const PorousBody& body, const Vec3& low = {0, 0, 0}, const Vec3& high = {1, 1, 1}) {
  return {"filter", ZoneBox{low, high}, body};
}

PorousBody isotropic(real darcy, real forchheimer) {
  return {.darcy = darcy * Vec3{1, 1, 1}, .forchheimer = forchheimer * Vec3{1, 1, 1}};
}

FlowStepSettings settings_with(const std::vector<FlowZone>& zones, ConvectionForm convection = ConvectionForm::none) {
  FlowStepSettings settings = tight_settings(viscosity_in_zones, 1e-12);
  settings.diffusion = DiffusionForm::automatic;
  settings.convection = convection;
  settings.zones = zones;
  return settings;
}

/// Mean pressure at the inlet, the outlet's being 0, of a flow of 1 m/s through the duct, once it is steady.
real drop_in_duct(int dimension, int n, real wiggle, const FlowZone& zone, real dt = 0.5, int steps = 40) {
  const FlowProblem problem(Comm(), duct(dimension, n, wiggle));
  const LocalMesh& mesh = *problem.mesh;
  const auto flow = make_flow_step(mesh, settings_with({zone}),
                                   conditions(mesh, {{"left", Inlet{Vec3{1, 0, 0}}},
                                                     {"right", Outlet{}},
                                                     {"bottom", Symmetry{}},
                                                     {"top", Symmetry{}},
                                                     {"side", Symmetry{}}}),
                                   0, &problem.wide);
  flow->start_from_rest();
  for (int k = 0; k < steps; ++k) flow->advance(dt);
  const EnergyBudget budget = flow->balance().energy_budget();
  const std::vector<Opening>& openings = flow->balance().openings();
  const std::vector<real> pressures = flow->balance().pressures_at_openings();
  real drop = 0;
  for (std::size_t k = 0; k < openings.size(); ++k) drop = std::max(drop, pressures[k]);
  EXPECT_NEAR(budget.zones, drop, 1e-9 * drop);
  EXPECT_NEAR(budget.change, budget.pressure + budget.boundary_friction - budget.dissipation - budget.zones,
              1e-9 * drop);
  return drop;
}

TEST(PorousZones, PlugsDropThePressureByTheirLaw) {
  constexpr real nu = viscosity_in_zones;
  for (const int dimension : {2, 3}) {
    const int n = dimension == 2 ? 12 : 4;
    const real whole = nu * 300 + real{40} / 2;
    EXPECT_NEAR(drop_in_duct(dimension, n, 0.2, zone_of(isotropic(300, 40))), whole, 1e-10 * whole);
    EXPECT_NEAR(drop_in_duct(dimension, n, 0, zone_of(isotropic(300, 40), {0.25, 0, 0}, {0.75, 1, 1})), whole / 2,
                1e-10 * whole);
  }
}

TEST(PorousZones, AxesTurnTheirLaw) {
  constexpr real nu = viscosity_in_zones;
  for (const int dimension : {2, 3}) {
    PorousBody turned{.darcy = {500, 20, 70}, .forchheimer = {30, 3, 9}};
    const real c = std::cos(real{0.5}), s = std::sin(real{0.5});
    turned.axes = {Vec3{c, s, 0}, Vec3{-s, c, 0}, Vec3{0, 0, 1}};
    const real along = nu * (500 * c * c + 20 * s * s) + (30 * c * c + 3 * s * s) / 2;
    MeshSource source = duct(dimension, dimension == 2 ? 8 : 3, 0.2);
    source.pairs = {{"left", "right"}};
    const FlowProblem problem(Comm(), source);
    PairDrive drive;
    drive.flux = Coefficient<real>(1);
    const auto flow = make_flow_step(
        *problem.mesh, settings_with({zone_of(turned)}),
        conditions(*problem.mesh, {{"bottom", Symmetry{}}, {"top", Symmetry{}}, {"side", Symmetry{}}}, {drive}), 0,
        &problem.wide);
    flow->start_from_rest();
    for (int k = 0; k < 40; ++k) flow->advance(0.5);
    EXPECT_NEAR(flow->balance().pressure_drops()[0], along, 1e-10 * along) << dimension;
    EXPECT_NEAR(flow->balance().energy_budget().zones, along, 1e-10 * along) << dimension;
  }
}

/// Between plates at y = 0 and 1 by a pressure drop of 1 a length: porous below h with k^2 the resistance, free above.
/// u = a sinh(k y) + b (cosh(k y) - 1) below, -g (y^2 - 1) / 2 + c (y - 1) above, g = 1/nu, b = -g/k^2; u and u' are
/// continuous.
class BrinkmanLayers {
 public:
  BrinkmanLayers(real darcy, real height) : h_(height), k_(std::sqrt(darcy)), b_(-g / darcy) {
    const real S = std::sinh(k_ * h_), C = std::cosh(k_ * h_);
    const real value = -g * (h_ * h_ - 1) / 2 - b_ * (C - 1), slope = -g * h_ - b_ * k_ * S;
    a_ = (value - slope * (h_ - 1)) / (S - k_ * C * (h_ - 1));
    c_ = a_ * k_ * C - slope;
  }
  real velocity(real y) const {
    return y < h_ ? a_ * std::sinh(k_ * y) + b_ * (std::cosh(k_ * y) - 1) : -g * (y * y - 1) / 2 + c_ * (y - 1);
  }
  /// The integral of u from 0 to y.
  real potential(real y) const {
    const real low = std::min(y, h_);
    const real of_low = a_ * (std::cosh(k_ * low) - 1) / k_ + b_ * (std::sinh(k_ * low) / k_ - low);
    return of_low + (y > h_ ? of_free(y) - of_free(h_) : 0);
  }

 private:
  static constexpr real g = 1 / viscosity_in_zones;
  real of_free(real y) const { return -g * (y * y * y / 3 - y) / 2 + c_ * (y * y / 2 - y); }
  real h_, k_, b_, a_, c_;
};

struct LayerErrors {
  real velocity;  ///< of outputs, in space of the fluxes
  real drop;      ///< of the pressure
};

/// Relative, with the exact flow through the channel.
LayerErrors errors_of_layers(int dimension, int n, real darcy, real height) {
  MeshSource source = duct(dimension, n, 0);
  source.pairs = {{"left", "right"}};
  const FlowProblem problem(Comm(), source);
  const LocalMesh& mesh = *problem.mesh;
  const BrinkmanLayers layers(darcy, height);
  PairDrive drive;
  drive.flux = Coefficient<real>(layers.potential(1));
  const auto flow = make_flow_step(
      mesh, settings_with({zone_of(isotropic(darcy, 0), {0, 0, 0}, {1, height, 1})}),
      conditions(mesh, {{"bottom", Wall{}}, {"top", Wall{}}, {"side", Symmetry{}}}, {drive}), 0, &problem.wide);
  flow->start_from_rest();
  for (int k = 0; k < 40; ++k) flow->advance(4);
  const EnergyBudget budget = flow->balance().energy_budget();
  EXPECT_NEAR(budget.pressure, budget.dissipation + budget.zones, 1e-8 * budget.pressure);
  const real drop = std::abs(flow->balance().pressure_drops()[0] - 1);
  const auto velocity = [&](const Vec3& x) { return Vec3{layers.velocity(x.y), 0, 0}; };
  if (dimension == 2) {
    const auto potential = [&](const Vec3& x) { return layers.potential(x.y); };
    return {errors_of(*flow, problem, {potential, velocity, [](const Vec3&) { return real{0}; }}).node_velocity, drop};
  }
  Field<Face> exact = flux_of_velocity(mesh, velocity), error(mesh);
  error = flow->state().flux - exact;
  return {norm(error) / norm(exact), drop};
}

TEST(PorousZones, BrinkmansLayersConverge) {
  for (const real height : {real{1}, real{0.5}}) {
    const LayerErrors coarse = errors_of_layers(2, 24, 100, height), fine = errors_of_layers(2, 48, 100, height);
    EXPECT_LE(fine.velocity, 0.002) << height;
    // The fit of the outputs is of a lower order where the second derivative jumps.
    EXPECT_GE(rate(coarse.velocity, fine.velocity, 2), height == 1 ? 2 : 1.3) << height;
    EXPECT_GE(rate(coarse.drop, fine.drop, 2), 2) << height;
  }
  const LayerErrors coarse = errors_of_layers(3, 4, 30, 0.5), fine = errors_of_layers(3, 8, 30, 0.5);
  EXPECT_GE(rate(coarse.velocity, fine.velocity, 2), 2);
  EXPECT_GE(rate(coarse.drop, fine.drop, 2), 2);
}

/// u' = g - f u^2 / 2 of a fluid that a drop of g a length drives through the duct from rest: u = sqrt(2 g / f) tanh.
real error_in_time(int steps) {
  MeshSource source = duct(2, 6, 0.2);
  source.pairs = {{"left", "right"}};
  const FlowProblem problem(Comm(), source);
  const LocalMesh& mesh = *problem.mesh;
  PairDrive drive;
  drive.drop = Coefficient<real>(2);
  const auto flow = make_flow_step(
      mesh, settings_with({zone_of(isotropic(0, 4))}),
      conditions(mesh, {{"bottom", Symmetry{}}, {"top", Symmetry{}}, {"side", Symmetry{}}}, {drive}), 0, &problem.wide);
  flow->start_from_rest();
  for (int k = 0; k < steps; ++k) flow->advance(real{1} / steps);
  const real u = std::tanh(real{2});
  return std::abs(std::sqrt(2 * kinetic_energy(flow->state().velocity)) - u) / u;
}

TEST(PorousZones, ForchheimersDragIsOfSecondOrderInTime) {
  const real coarse = error_in_time(40), fine = error_in_time(80);
  EXPECT_LE(fine, 1e-3);
  EXPECT_GE(rate(coarse, fine, 2), 1.8) << coarse << " " << fine;
}

struct Passage {
  real energy;
  int iterations;  ///< at most in a step
};

/// A flow past a porous ball in the middle of the duct, with convection.
Passage past_porous_ball(int dimension, real darcy, real forchheimer, const ZonePlace& place, int steps = 12) {
  const FlowProblem problem(Comm(), duct(dimension, dimension == 2 ? 24 : 8, 0.2));
  const LocalMesh& mesh = *problem.mesh;
  FlowStepSettings settings =
      settings_with({{"body", place, isotropic(darcy, forchheimer)}}, ConvectionForm::automatic);
  settings.viscosity = 0.01;
  settings.potential.tolerance = 1e-8;
  const auto flow = make_flow_step(mesh, settings,
                                   conditions(mesh, {{"left", Inlet{Vec3{1, 0, 0}}},
                                                     {"right", Outlet{}},
                                                     {"bottom", Symmetry{}},
                                                     {"top", Symmetry{}},
                                                     {"side", Symmetry{}}}),
                                   0, &problem.wide);
  flow->start_from_rest();
  int iterations = 0;
  for (int k = 0; k < steps; ++k) {
    flow->advance(0.01);
    iterations = std::max(iterations, flow->solves().last("potential").iterations);
  }
  const EnergyBudget powers = flow->balance().energy_budget();
  EXPECT_GE(powers.zones, 0);
  return {kinetic_energy(flow->state().velocity), iterations};
}

TEST(PorousZones, ResistancesOfAnySizeAreStable) {
  for (const int dimension : {2, 3}) {
    real last = 0;
    for (const real darcy : {1e-3, 1e0, 1e3, 1e6, 1e9, 1e12}) {
      const ZoneBall ball{{0.5, 0.5, dimension == 3 ? real{0.5} : 0}, 0.2};
      const Passage passage = past_porous_ball(dimension, darcy, darcy / 100, ball);
      EXPECT_GE(passage.energy, (1 - 1e-4) * last) << darcy;  // the less goes through, the faster is the rest
      EXPECT_LE(passage.energy, 0.7) << darcy;
      EXPECT_LE(passage.iterations, darcy <= 1e6 ? 35 : 400) << darcy;
      last = passage.energy;
    }
    EXPECT_GT(last, dimension == 2 ? 0.68 : 0.54);
  }
}

}  // namespace
}  // namespace solenoid::test
