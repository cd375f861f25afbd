/// Porous zones by both methods, in the plane and in space: exact pressure drops, Brinkman's layer, powers, resistances
/// and steps of any size, ranks, restarts.
#include <gtest/gtest.h>

#include <cmath>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "physics/flow/momentum/diagnostics.hpp"
#include "support/ducts.hpp"
#include "support/kept_state.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

constexpr real viscosity_in_zones = 0.1;

FlowZone zone_of(const PorousBody& body, const Vec3& low = {0, 0, 0}, const Vec3& high = {1, 1, 1}) {
  return {"filter", ZoneBox{low, high}, body};
}

PorousBody isotropic(real darcy, real forchheimer) {
  return {.darcy = darcy * Vec3{1, 1, 1}, .forchheimer = forchheimer * Vec3{1, 1, 1}};
}

FlowStepSettings settings_with(FlowMethod method, const std::vector<FlowZone>& zones,
                               ConvectionForm convection = ConvectionForm::none) {
  FlowStepSettings settings = settings_of(method, viscosity_in_zones);
  settings.convection = convection;
  settings.zones = zones;
  return settings;
}

/// The classical step's pressure settles by steps.
int steps_until_steady(FlowMethod method) { return method == FlowMethod::exact ? 40 : 150; }

/// Mean pressure at the inlet, the outlet's being 0, of a flow of 1 m/s through the duct, once it is steady.
real drop_in_duct(FlowMethod method, int dimension, int n, real wiggle, const FlowZone& zone) {
  const FlowProblem problem(Comm(), duct(dimension, n, wiggle));
  const LocalMesh& mesh = *problem.mesh;
  const auto flow = flow_in(problem, settings_with(method, {zone}),
                            frictionless(mesh, {{"left", Inlet{Vec3{1, 0, 0}}}, {"right", Outlet{}}}));
  flow->start_from_rest();
  advance(*flow, steps_until_steady(method), 0.5);
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

TEST(PorousZones, PlugsDropThePressureByTheirLaw_Steps) {
  constexpr real nu = viscosity_in_zones, whole = nu * 300 + real{40} / 2;
  in_both_methods([&](int dimension, FlowMethod method) {
    const int n = dimension == 2 ? 12 : 4;
    EXPECT_NEAR(drop_in_duct(method, dimension, n, 0.2, zone_of(isotropic(300, 40))), whole, 1e-10 * whole);
    EXPECT_NEAR(drop_in_duct(method, dimension, n, 0, zone_of(isotropic(300, 40), {0.25, 0, 0}, {0.75, 1, 1})),
                whole / 2, 1e-10 * whole);
  });
}

void expect_law_of_axes(FlowMethod method, PorousBody turned, int steps) {
  constexpr real nu = viscosity_in_zones;
  const real c = std::cos(real{0.5}), s = std::sin(real{0.5});
  turned.axes = {Vec3{c, s, 0}, Vec3{-s, c, 0}, Vec3{0, 0, 1}};
  const real along = nu * (turned.darcy.x * c * c + turned.darcy.y * s * s) +
                     (turned.forchheimer.x * c * c + turned.forchheimer.y * s * s) / 2;
  for (const int dimension : {2, 3}) {
    const FlowProblem problem(Comm(), endless_duct(dimension, dimension == 2 ? 8 : 3, 0.2));
    const auto flow =
        flow_in(problem, settings_with(method, {zone_of(turned)}), frictionless(*problem.mesh, {}, {drive_of_flux(1)}));
    flow->start_from_rest();
    advance(*flow, steps, 0.5);
    EXPECT_NEAR(flow->balance().pressure_drops()[0], along, 1e-10 * along) << dimension;
    EXPECT_NEAR(flow->balance().energy_budget().zones, along, 1e-10 * along) << dimension;
  }
}

TEST(PorousZones, AxesTurnTheirLaw) {
  expect_law_of_axes(FlowMethod::exact, {.darcy = {500, 20, 70}, .forchheimer = {30, 3, 9}}, 40);
}
TEST(PorousZones, AxesTurnTheirLawByClassicalSteps_Long) {
  expect_law_of_axes(FlowMethod::classical, {.darcy = {500, 200, 150}, .forchheimer = {30, 15, 15}}, 400);
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
LayerErrors errors_of_layers(FlowMethod method, int dimension, int n, real darcy, real height) {
  const FlowProblem problem(Comm(), endless_duct(dimension, n, 0));
  const LocalMesh& mesh = *problem.mesh;
  const BrinkmanLayers layers(darcy, height);
  const auto flow = flow_in(problem, settings_with(method, {zone_of(isotropic(darcy, 0), {0, 0, 0}, {1, height, 1})}),
                            conditions(mesh, {{"bottom", Wall{}}, {"top", Wall{}}, {"side", Symmetry{}}},
                                       {drive_of_flux(layers.potential(1))}));
  flow->start_from_rest();
  const bool is_exact = method == FlowMethod::exact;
  advance(*flow, is_exact ? 40 : 100, is_exact ? 4 : 0.2);
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

void expect_order_of_layers(FlowMethod method) {
  for (const real height : {real{1}, real{0.5}}) {
    const LayerErrors coarse = errors_of_layers(method, 2, 24, 100, height),
                      fine = errors_of_layers(method, 2, 48, 100, height);
    EXPECT_LE(fine.velocity, 0.002) << height;
    // The fit of the outputs is of a lower order where the second derivative jumps.
    EXPECT_GE(rate(coarse.velocity, fine.velocity, 2), height == 1 ? 2 : 1.3) << height;
    EXPECT_GE(rate(coarse.drop, fine.drop, 2), 2) << height;
  }
  const LayerErrors coarse = errors_of_layers(method, 3, 4, 30, 0.5), fine = errors_of_layers(method, 3, 8, 30, 0.5);
  EXPECT_GE(rate(coarse.velocity, fine.velocity, 2), 2);
  EXPECT_GE(rate(coarse.drop, fine.drop, 2), 2);
}

TEST(PorousZones, BrinkmansLayersConverge_Long) { expect_order_of_layers(FlowMethod::exact); }
TEST(PorousZones, BrinkmansLayersConvergeByClassicalSteps_Long) { expect_order_of_layers(FlowMethod::classical); }

/// u' = g - f u^2 / 2 of a fluid that a drop of g a length drives through the duct from rest: u = sqrt(2 g / f) tanh.
real error_in_time(FlowMethod method, int steps) {
  const FlowProblem problem(Comm(), endless_duct(2, 6, 0.2));
  PairDrive drive;
  drive.drop = Coefficient<real>(2);
  const auto flow =
      flow_in(problem, settings_with(method, {zone_of(isotropic(0, 4))}), frictionless(*problem.mesh, {}, {drive}));
  flow->start_from_rest();
  advance(*flow, steps, real{1} / steps);
  const real u = std::tanh(real{2});
  return std::abs(std::sqrt(2 * kinetic_energy(flow->state().velocity)) - u) / u;
}

TEST(PorousZones, ForchheimersDragIsOfSecondOrderInTime_Slow) {
  for (const FlowMethod method : both_methods) {
    const real coarse = error_in_time(method, 40), fine = error_in_time(method, 80);
    EXPECT_LE(fine, 1e-3);
    EXPECT_GE(rate(coarse, fine, 2), 1.8) << coarse << " " << fine;
  }
}

ZoneBall ball_in(int dimension) { return {{0.5, 0.5, dimension == 3 ? real{0.5} : 0}, 0.2}; }

/// Past a porous ball in the middle of the duct, with convection.
struct FlowPastBall {
  FlowProblem problem;
  std::unique_ptr<FlowStep> flow;

  FlowPastBall(FlowMethod method, int dimension, int n, const PorousBody& body, real viscosity = 0.01,
               const Comm& comm = Comm())
      : problem(comm, duct(dimension, n, 0.2)) {
    FlowStepSettings settings = settings_with(method, {{"body", ball_in(dimension), body}}, ConvectionForm::automatic);
    settings.viscosity = viscosity;
    settings.potential.tolerance = settings.momentum.tolerance = settings.pressure.tolerance = 1e-8;
    flow =
        flow_in(problem, settings, frictionless(*problem.mesh, {{"left", Inlet{Vec3{1, 0, 0}}}, {"right", Outlet{}}}));
  }
};

struct Passage {
  real energy;
  int iterations;  ///< at most in a step
};

Passage past_porous_ball(FlowMethod method, int dimension, real resistance, real dt, int steps) {
  FlowPastBall past(method, dimension, dimension == 2 ? 24 : 8, isotropic(resistance, resistance / 100));
  past.flow->start_from_rest();
  int iterations = 0;
  for (int k = 0; k < steps; ++k) {
    past.flow->advance(dt);
    const char* const solver = method == FlowMethod::exact ? "potential" : "momentum";
    iterations = std::max(iterations, past.flow->solves().last(solver).iterations);
  }
  EXPECT_EQ(max_divergence(past.flow->state().flux), 0);
  EXPECT_GE(past.flow->balance().energy_budget().zones, 0);
  return {kinetic_energy(past.flow->state().velocity), iterations};
}

TEST(PorousZones, ResistancesOfAnySizeAreStable_Long) {
  in_both_methods([&](int dimension, FlowMethod method) {
    real last = 0;
    for (const real darcy : {1e-3, 1e0, 1e3, 1e6, 1e9, 1e12}) {
      const Passage passage = past_porous_ball(method, dimension, darcy, 0.01, 12);
      EXPECT_GE(passage.energy, (1 - 1e-4) * last) << darcy;  // the less goes through, the faster is the rest
      EXPECT_LE(passage.energy, 0.7) << darcy;
      EXPECT_LE(passage.iterations, darcy <= 1e6 ? 35 : 400) << darcy;
      last = passage.energy;
    }
    EXPECT_GT(last, dimension == 2 ? 0.68 : 0.54);
  });
}

/// Without convection, whose steps are bounded.
TEST(PorousZones, ClassicalStepsOfAnyLengthAreStable_Steps) {
  for (const int dimension : {2, 3}) {
    const FlowProblem problem(Comm(), duct(dimension, dimension == 2 ? 10 : 3, 0.3));
    for (const real darcy : {1e1, 1e5, 1e12}) {
      real steady = 0;
      for (const real dt : {1e2, 1e0, 1e-2}) {
        FlowStepSettings settings =
            settings_with(FlowMethod::classical, {{"body", ball_in(dimension), isotropic(darcy, darcy / 10)}});
        settings.momentum.tolerance = settings.pressure.tolerance = 1e-8;
        const auto flow = flow_in(problem, settings,
                                  frictionless(*problem.mesh, {{"left", Inlet{Vec3{1, 0, 0}}}, {"right", Outlet{}}}));
        flow->start_from_rest();
        advance(*flow, dt < 0.1 ? 150 : 40, dt);
        const real energy = kinetic_energy(flow->state().velocity);
        if (steady == 0) steady = energy;
        EXPECT_NEAR(energy, steady, 1e-3 * steady) << darcy << ", step " << dt;
      }
    }
  }
}

TEST(PorousZones, BothMethodsHaveOneSteadyFlow_Steps) {
  for (const int dimension : {2, 3}) {
    FlowPastBall exact(FlowMethod::exact, dimension, dimension == 2 ? 12 : 4, isotropic(1e3, 1e2), 0.1),
        classical(FlowMethod::classical, dimension, dimension == 2 ? 12 : 4, isotropic(1e3, 1e2), 0.1);
    for (FlowPastBall* const past : {&exact, &classical}) {
      past->flow->start_from_rest();
      advance(*past->flow, 400, 0.02);
    }
    const LocalMesh& mesh = *exact.problem.mesh;
    const real apart = max_magnitude(mesh, exact.flow->state().flux - classical.flow->state().flux);
    EXPECT_LE(apart, 1e-7 * max_magnitude(exact.flow->state().flux)) << dimension;
    const real power = exact.flow->balance().energy_budget().zones;
    EXPECT_NEAR(classical.flow->balance().energy_budget().zones, power, 1e-7 * power);
  }
}

TEST(PorousZones, AreTheSameOnAnyNumberOfRanks) {
  in_both_methods([&](int dimension, FlowMethod method) {
    const int n = dimension == 2 ? 10 : 4;
    FlowPastBall here(method, dimension, n, isotropic(1e4, 1e2)),
        alone_here(method, dimension, n, isotropic(1e4, 1e2), 0.01, alone());
    for (FlowPastBall* const past : {&here, &alone_here}) {
      past->flow->start_from_rest();
      advance(*past->flow, 5, 0.01);
    }
    const std::vector<real> shared = gather(here.flow->state().flux), whole = gather(alone_here.flow->state().flux);
    real largest = 0, apart = 0;
    for (std::size_t f = 0; f < whole.size(); ++f) {
      largest = std::max(largest, std::abs(whole[f]));
      apart = std::max(apart, std::abs(shared[f] - whole[f]));
    }
    EXPECT_LE(apart, 1e-7 * largest);  // the tolerance is 1e-8
  });
}

/// From rest, so that Forchheimer's drag is another one in each step.
TEST(PorousZones, GoOnFromAStateInEveryBit_Again) {
  in_both_methods([&](int dimension, FlowMethod method) {
    const int n = dimension == 2 ? 10 : 3;
    FlowPastBall whole(method, dimension, n, isotropic(1e3, 1e3)), before(method, dimension, n, isotropic(1e3, 1e3)),
        after(method, dimension, n, isotropic(1e3, 1e3));
    KeptState kept(Comm{});
    whole.flow->start_from_rest();
    before.flow->start_from_rest();
    advance(*whole.flow, 8, 0.01);
    advance(*before.flow, 5, 0.01);
    before.flow->visit_state(kept);
    kept.restores = true;
    after.flow->visit_state(kept);
    after.flow->state_restored();
    EXPECT_TRUE(kept.missing.empty());
    advance(*after.flow, 3, 0.01);
    EXPECT_EQ(max_magnitude(*after.problem.mesh, after.flow->state().flux - whole.flow->state().flux), 0);
    EXPECT_EQ(after.flow->balance().energy_budget().zones, whole.flow->balance().energy_budget().zones);
  });
}

/// Drag of a cylinder in a row of them, 1 m apart between planes of symmetry, in a slow flow of 1 m/s in the mean: the
/// drop of the pressure from one to the next. Porous in this way, or a solid one of the same cells.
real drag_of_cylinder(FlowMethod method, int n, std::optional<real> darcy) {
  const ZoneBall disk = ball_in(2);
  MeshSource source = endless_duct(2, n, 0);
  if (!darcy) {
    source = without_cells(
        unit_square(n), [&](const Vec3& x) { return norm(x - disk.centre) <= disk.radius; }, "body");
    source = with_patches(std::move(source), [](const Vec3& x) {
      const std::string side = side_of_duct(x);
      return side == "side" ? "body" : side;
    });
    source.pairs = {{"left", "right"}};
  }
  const FlowProblem problem(Comm(), source);
  std::vector<FlowZone> zones;
  if (darcy) zones.push_back({"body", disk, isotropic(*darcy, 0)});
  FlowStepSettings settings = settings_with(method, zones);
  settings.potential.tolerance = settings.momentum.tolerance = settings.pressure.tolerance = 1e-9;
  const auto flow = flow_in(
      problem, settings,
      conditions(*problem.mesh, {{"bottom", Symmetry{}}, {"top", Symmetry{}}, {"body", Wall{}}}, {drive_of_flux(1)}));
  flow->start_from_rest();
  advance(*flow, method == FlowMethod::exact ? 20 : 60, 0.5);
  return flow->balance().pressure_drops()[0];
}

TEST(PorousZones, CylindersDragAsSolidOnesWhereTheyLetNothingThrough_Long) {
  std::vector<real> apart;
  for (const int n : {30, 60}) {
    const real solid = drag_of_cylinder(FlowMethod::exact, n, {});
    real last = 0;
    for (const real darcy : {1e2, 1e4, 1e6, 1e8}) {
      const real drag = drag_of_cylinder(FlowMethod::exact, n, darcy);
      EXPECT_GT(drag, last) << darcy;
      last = drag;
    }
    EXPECT_LT(last, solid);
    apart.push_back((solid - last) / solid);
    if (n > 30) continue;
    EXPECT_NEAR(drag_of_cylinder(FlowMethod::classical, n, 1e8), last, 1e-5 * last);
    EXPECT_NEAR(drag_of_cylinder(FlowMethod::classical, n, {}), solid, 1e-5 * solid);
  }
  EXPECT_LE(apart[1], 0.04);
  EXPECT_GE(rate(apart[0], apart[1], 2), 1.2);
}

}  // namespace
}  // namespace solenoid::test
