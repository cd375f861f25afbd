/// Kernels, copies and waits of a step, counted by the stand-in for a device, against budgets. The table of
/// docs/benchmarks/device.md.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

#include "model/model.hpp"
#include "physics/flow/flow_setup.hpp"
#include "support/meshes.hpp"
#include "support/water_waves.hpp"

namespace solenoid::test {
namespace {

using Counts = std::array<long, 7>;
constexpr Counts::size_type columns = std::tuple_size_v<Counts>;
constexpr std::array<const char*, columns> names{
    "kernels", "launches", "copies to the device", "copies to the host", "bytes to host", "waits", "allocations"};

Counts counts() {
  const cuda_on_host::Calls& all = cuda_on_host::calls();
  return {all.kernels,       all.launches, all.copies_to_device, all.copies_to_host,
          all.bytes_to_host, all.waits,    all.allocations};
}

/// Of ten steps after the first forty, as the loop of a run takes them: the median of each count.
Counts of_a_step(const ModelSetup& setup, const MeshSource& source) {
  constexpr int before = 40, steps = 10;
  const auto mesh = make_mesh(Comm(), source);
  const auto model = setup.model(*mesh, share_out(Comm(), source, setup.wide_layers()));
  model->start();
  std::array<std::array<long, steps>, columns> all;
  for (int k = -before; k < steps; ++k) {
    const Counts begun = counts();
    model->advance(model->next_step(setup.time->end));
    model->diagnose();
    const Counts ended = counts();
    for (std::size_t c = 0; k >= 0 && c < columns; ++c) all[c][static_cast<std::size_t>(k)] = ended[c] - begun[c];
  }
  Counts medians;
  for (std::size_t c = 0; c < columns; ++c) {
    std::sort(all[c].begin(), all[c].end());
    medians[c] = all[c][steps / 2];
  }
  return medians;
}

/// A lid over a fluid, at Reynolds number 400 in the plane and 100 in space, by the Courant number.
FlowSetup lid_driven(FlowMethod method, int dimension) {
  FlowSetup setup;
  setup.time.emplace();
  setup.time->end = 100;
  setup.time->step.cfl = 1;
  setup.settings.method = method;
  setup.settings.viscosity = dimension == 2 ? 2.5e-3 : 0.01;
  setup.boundary = {{"lid", Wall{Vec3{1, 0, 0}}}, {"wall", Wall{}}};
  return setup;
}

/// With the forms and tolerances of cases/cube.
FlowSetup as_in_cases(FlowSetup setup) {
  setup.settings.diffusion = DiffusionForm::automatic;
  setup.settings.convection = ConvectionForm::automatic;
  setup.settings.potential.tolerance = setup.settings.pressure.tolerance = 1e-2;
  setup.settings.momentum.tolerance = 1e-3;
  return setup;
}

/// Prints a row of the table.
void expect_within(const Counts& budget, const std::string& name, const ModelSetup& setup, const MeshSource& source) {
  const Counts found = of_a_step(setup, source);
  std::string row = "| " + name + " |";
  for (std::size_t c = 0; c < columns; ++c) {
    EXPECT_LE(found[c], budget[c]) << name << ": " << names[c];
    row += " " + std::to_string(found[c]) + " |";
  }
  std::printf("%s\n", row.c_str());
}

TEST(StepCalls, OfFlowsKeepToTheirBudget_Slow) {
  struct Flow {
    const char* name;
    FlowMethod method;
    int dimension;
    bool is_usual;
    Counts budget;
  };
  const Flow flows[] = {{"exact, cavity", FlowMethod::exact, 2, false, {228, 72, 2, 2, 176, 11, 0}},
                        {"classical, cavity", FlowMethod::classical, 2, false, {235, 110, 3, 3, 264, 16, 0}},
                        {"exact, cube", FlowMethod::exact, 3, false, {461, 71, 1, 1, 88, 7, 0}},
                        {"classical, cube", FlowMethod::classical, 3, false, {295, 104, 2, 2, 176, 12, 0}},
                        {"exact, as cases/cube", FlowMethod::exact, 3, true, {87, 56, 1, 1, 88, 6, 0}},
                        {"classical, as cases/cube", FlowMethod::classical, 3, true, {111, 85, 2, 2, 176, 10, 0}}};
  for (const Flow& flow : flows) {
    const FlowSetup setup = lid_driven(flow.method, flow.dimension);
    expect_within(flow.budget, flow.name, flow.is_usual ? as_in_cases(setup) : setup,
                  flow.dimension == 2 ? unit_square(40) : unit_cube(8));
  }
}

TEST(StepCalls, OfWaterWavesKeepToTheirBudget_Slow) {
  struct Waves {
    const char* name;
    PreconditionerKind kind;
    Counts budget;
  };
  const Waves all[] = {{"waves, jacobi", PreconditionerKind::jacobi, {636, 139, 5, 4, 352, 15, 0}},
                       {"waves, multigrid", PreconditionerKind::multigrid, {184, 74, 3, 4, 352, 15, 0}},
                       {"waves, elimination", PreconditionerKind::elimination, {460, 82, 3, 6, 528, 17, 0}}};
  for (const Waves& waves : all) {
    WaterWavesSetup setup = bay_with_ship();
    setup.time->end = 100;
    setup.elliptic.preconditioner = waves.kind;
    expect_within(waves.budget, waves.name, setup, unit_square(40));
  }
}

}  // namespace
}  // namespace solenoid::test
