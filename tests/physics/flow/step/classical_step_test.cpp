/// The classical fractional step against the exact one, whose equations in space it shares.
#include <gtest/gtest.h>

#include <cmath>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "physics/flow/momentum/diagnostics.hpp"
#include "support/flows.hpp"
#include "support/openings.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

FlowStepSettings classical_settings(real viscosity, real tolerance = 1e-11, int passes = 1) {
  FlowStepSettings settings = tight_settings(viscosity, tolerance);
  settings.method = FlowMethod::classical;
  settings.passes = passes;
  return settings;
}

struct FluxAndPressure {
  std::vector<real> flux, pressure;
};

FluxAndPressure look_at(FlowStep& flow, const FlowProblem& problem) {
  VelocityReconstruction fit(*problem.mesh, problem.wide, flow.boundaries());
  Field<Node, NodeVelocity> nodes(*problem.mesh);
  const auto fitted = fit.fit(flow.state().flux, flow.time(), nodes);
  return {gather(flow.state().flux), gather(flow.balance().pressure(fitted))};
}

/// Takes that many steps to `end`; every other one is `ratio` times the one before.
void take_steps(FlowStep& flow, int steps, real end, real ratio) {
  const real shorter = 2 * end / (static_cast<real>(steps) * (1 + ratio));
  for (int k = 0; k < steps; ++k) {
    flow.advance(k % 2 == 0 ? shorter : ratio * shorter);
    ASSERT_EQ(max_divergence(flow.state().flux), 0);
  }
}

/// The manufactured flow whose forces and walls change in time.
FluxAndPressure closed_flow(const FlowStepSettings& settings, int steps, real ratio) {
  const FlowProblem problem(Comm(), unit_square(8, 0.2));
  const ManufacturedFlow manufactured{settings.viscosity, false};
  const auto flow = make_flow_step(*problem.mesh, settings, manufactured.walls(), 0);
  start(*flow, manufactured);
  take_steps(*flow, steps, 0.5, ratio);
  return look_at(*flow, problem);
}

/// An inlet that swells and two outlets, one of which presses.
FluxAndPressure open_flow(const FlowStepSettings& settings, int steps, real ratio) {
  const FlowProblem problem(Comm(), with_patches(square_with_hole(8), side_of_branching));
  FlowStepSettings central = settings;
  central.convection = ConvectionForm::central;
  const auto flow = make_flow_step(*problem.mesh, central, branching(*problem.mesh, 1), 0);
  flow->start_from_rest();
  take_steps(*flow, steps, 0.5, ratio);
  return look_at(*flow, problem);
}

/// Both settle on the same equations in space: the exact step's finest solution is the one to converge to. With
/// `enough` passes the error is the exact step's.
template <class Flow>
void expect_second_order(const Flow& run, real viscosity, real ratio, int enough) {
  const int steps = 40;
  const FluxAndPressure limit = run(tight_settings(viscosity, 1e-12), 12 * steps, 1),
                        exact = run(tight_settings(viscosity, 1e-12), 2 * steps, ratio);
  const auto run_classical = [&](int count, int passes) {
    return run(classical_settings(viscosity, 1e-12, passes), count, ratio);
  };
  const FluxAndPressure coarse = run_classical(steps, 1), fine = run_classical(2 * steps, 1),
                        best = run_classical(2 * steps, enough);
  for (const auto quantity : {&FluxAndPressure::flux, &FluxAndPressure::pressure}) {
    const real at_first = distance(coarse.*quantity, limit.*quantity), then = distance(fine.*quantity, limit.*quantity);
    EXPECT_GE(rate(at_first, then, 2), 1.9) << at_first << " " << then;
    EXPECT_LE(distance(best.*quantity, limit.*quantity), 1.3 * distance(exact.*quantity, limit.*quantity));
  }
}

TEST(ClassicalStep, IsOfSecondOrderInTime_Long) { expect_second_order(closed_flow, 0.02, 1, 2); }
TEST(ClassicalStep, IsOfSecondOrderInUnevenSteps_Long) { expect_second_order(closed_flow, 0.02, 1.5, 2); }
TEST(ClassicalStep, IsOfSecondOrderWithOpenings_Long) { expect_second_order(open_flow, 0.05, 1, 3); }

TEST(ClassicalStep, SettlesOnTheExactStepsFlow_Steps) {
  const auto settled = [](FlowStepSettings settings, real dt) {
    settings.convection = ConvectionForm::central;
    const FlowProblem problem(Comm(), with_patches(square_with_hole(8), side_of_branching));
    const auto flow = make_flow_step(*problem.mesh, settings, branching(*problem.mesh, 0), 0);
    flow->start_from_rest();
    for (int k = 0; k < 5000; ++k) {
      flow->advance(dt);
      if (flow->rate_of_change() < 1e-12) break;
    }
    return look_at(*flow, problem);
  };
  const FluxAndPressure exact = settled(tight_settings(0.05), 0.04);
  for (const auto& [passes, dt] : {std::pair(1, 0.02), {2, 0.04}}) {
    const FluxAndPressure found = settled(classical_settings(0.05, 1e-10, passes), static_cast<real>(dt));
    EXPECT_LE(distance(found.flux, exact.flux), 1e-9) << passes << " " << dt;
  }
}

TEST(ClassicalStep, FlowsTheSameOnAnyPartition) {
  const auto fluxes = [](const Comm& comm, const Partitioner& partition) {
    const auto mesh = make_mesh(comm, with_patches(square_with_hole(12), side_of_branching), partition);
    FlowStepSettings settings = classical_settings(0.02, 1e-13);
    settings.convection = ConvectionForm::central;
    const auto flow = make_flow_step(*mesh, settings, branching(*mesh, 1), 0);
    flow->start_from_rest();
    take_steps(*flow, 8, 0.16, 1);
    return gather(flow->state().flux);
  };
  const std::vector<real> expected = fluxes(alone(), partition_cells);
  for (const NamedPartitioner& p : partitioners()) expect_equal(fluxes(Comm(), p.partition), expected, p.name, 1e-10);
}

TEST(ClassicalStep, BeginsFromRestInFewSolves) {
  const FlowProblem problem(Comm(), with_patches(square_with_hole(8), side_of_branching));
  FlowStepSettings settings = classical_settings(0.05, 1e-3);
  settings.convection = ConvectionForm::central;
  const auto flow = make_flow_step(*problem.mesh, settings, branching(*problem.mesh, 0), 0);
  flow->start_from_rest();
  const SolveLog::Entry& pressure = flow->solves().entries().at("pressure");
  EXPECT_GT(pressure.calls, 1);
  EXPECT_LE(pressure.calls, 60);
  EXPECT_EQ(pressure.control.tolerance, settings.pressure.tolerance);
}

TEST(ClassicalStep, DivergenceIsZeroAtAnyTolerance) {
  for (const real tolerance : {1e-1, 1e-2, 1e-4, 1e-8}) {
    for (const NamedPartitioner& p : partitioners()) {
      const auto mesh = make_mesh(Comm(), unit_square(9, 0.3), p.partition);
      const ManufacturedFlow manufactured{0.02, false};
      const auto flow = make_flow_step(*mesh, classical_settings(0.02, tolerance), manufactured.walls(), 0);
      start(*flow, manufactured);
      take_steps(*flow, 6, 0.06, 1);
    }
  }
}

/// Before the first step it comes from the momentum equation.
TEST(ClassicalStep, StartsWithTheExactStepsPressure) {
  const FlowProblem problem(Comm(), unit_square(8, 0.2));
  const ManufacturedFlow manufactured{0.02, false};
  std::vector<real> pressure[2];
  for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
    FlowStepSettings settings = tight_settings(0.02, 1e-12);
    settings.method = method;
    const auto flow = make_flow_step(*problem.mesh, settings, manufactured.walls(), 0);
    start(*flow, manufactured);
    pressure[method == FlowMethod::exact] = look_at(*flow, problem).pressure;
  }
  EXPECT_LE(distance(pressure[0], pressure[1]), 1e-7);
}

TEST(ClassicalStep, KnowsItsStreamFunction) {
  const auto mesh = make_mesh(Comm(), with_patches(square_with_hole(12), side_of_branching));
  FlowStepSettings settings = classical_settings(0.02, 1e-12);
  settings.convection = ConvectionForm::central;
  const auto flow = make_flow_step(*mesh, settings, branching(*mesh, 1), 0);
  flow->start_from_rest();
  take_steps(*flow, 4, 0.08, 1);
  Field<Face> difference(*mesh);
  difference = mesh->C * halo(flow->stream_function()) - flow->state().flux;
  EXPECT_LE(max_magnitude(difference), 1e-10);
}

}  // namespace
}  // namespace solenoid::test
