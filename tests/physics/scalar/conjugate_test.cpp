/// Solids beside a flow: one temperature, a flow in the fluid alone, and heat that is lost nowhere.
#include <gtest/gtest.h>

#include "mesh/submesh.hpp"
#include "physics/scalar/scalar_flow.hpp"
#include "support/figures.hpp"
#include "support/openings.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

/// A flow from left to right, walls elsewhere, and a solid "block".
ScalarFlowSetup heated_channel(FlowMethod method) {
  ScalarFlowSetup setup;
  TimeSettings time;
  time.end = 10;
  time.step.step = real{0.02};
  setup.time = setup.flow.time = time;
  setup.flow.settings.method = method;
  setup.flow.settings.viscosity = real{0.05};
  setup.flow.settings.convection = ConvectionForm::automatic;
  for (SolveControl* control :
       {&setup.flow.settings.potential, &setup.flow.settings.momentum, &setup.flow.settings.pressure}) {
    control->tolerance = real{1e-12};
  }
  const auto in = Coefficient<Vec3>::of_place([](const Vec3& x) { return Vec3{4 * x.y * (1 - x.y), 0, 0}; });
  setup.flow.boundary = {{"left", Inlet{in}}, {"right", Outlet{}}, {"bottom", Wall{}}, {"top", Wall{}}};
  ScalarSetup temperature;
  temperature.name = "temperature";
  temperature.is_temperature = true;
  temperature.diffusivity = real{0.05};
  temperature.settings.solver.tolerance = real{1e-12};
  temperature.boundary = {{"left", given_temperature(Coefficient<real>(0.1))}};
  temperature.initial = Coefficient<real>(0.1);
  temperature.solids = {{"block", real{0.4}, 3, Coefficient<real>(0)}};
  setup.scalars = {temperature};
  return setup;
}

bool in_block(const Vec3& x) {
  const real half = x.z == 0 ? 0.15 : 0.25;
  return std::abs(x.x - 0.4) < half && std::abs(x.y - 0.5) < half && (x.z == 0 || std::abs(x.z - 0.5) < half);
}

std::string side_of_channel(const Vec3& x) {
  return x.z < 1e-9 || x.z > 1 - 1e-9 ? side_of_square({0.5, 0, 0}) : side_of_square(x);
}

MeshSource heated_channel_mesh(int dimension) {
  const MeshSource source = dimension == 2 ? with_patches(unit_square(12, 0.2), side_of_square)
                                           : with_patches(unit_cube(6, 0.1), side_of_channel);
  return with_solid(source, in_block, "block");
}

struct HeatedChannel {
  ScalarFlowSetup setup;
  std::unique_ptr<LocalMesh> mesh;
  std::unique_ptr<Model> model;
  HeatedChannel(const ScalarFlowSetup& its_setup, const Comm& comm, const MeshSource& source,
                const Partitioner& partition = partition_cells)
      : setup(its_setup) {
    const GlobalMesh whole = build_topology(source);
    const std::vector<int> owner = partition(whole, comm.size());
    const RemainingMesh fluid = without_regions("case.toml", whole, setup.solids());
    std::vector<int> owner_in_fluid;
    for (const int cell : fluid.cells) owner_in_fluid.push_back(owner[cell]);
    mesh = std::make_unique<LocalMesh>(comm, distribute(comm, whole, owner, 1));
    model = setup.model(*mesh, distribute(comm, fluid.mesh, owner_in_fluid, setup.wide_layers()));
    model->start();
  }
  void run(int steps) {
    for (int step = 0; step < steps; ++step) {
      model->advance(model->next_step(setup.time->end));
      model->diagnose();
    }
  }
  real figure(const std::string& name) { return figure_of(*model, name); }
  std::vector<real> at_nodes(const std::string& name) {
    for (const Quantity& quantity : model->quantities()) {
      if (quantity.info.name != name || quantity.info.at != ValuesAt::nodes) continue;
      const Evaluated values = quantity.evaluate();
      if (const auto* of_reals = std::get_if<Field<Node>*>(&values)) return gather(**of_reals);
      const Field<Node, Vec3>& vectors = *std::get<Field<Node, Vec3>*>(values);
      Field<Node> sizes(*mesh);
      std::vector<real> own;
      for (const Vec3& v : vectors.to_host()) own.push_back(norm(v));
      sizes.from_host(own);
      return gather(sizes);
    }
    ADD_FAILURE() << "no quantity " << name;
    return {};
  }
};

class ConjugateHeat : public testing::TestWithParam<std::tuple<int, FlowMethod>> {
 protected:
  int dimension = std::get<0>(GetParam());
  FlowMethod method = std::get<1>(GetParam());
  MeshSource source = heated_channel_mesh(dimension);
};

/// In whatever steps, through openings, around a block of another conductivity and capacity.
TEST_P(ConjugateHeat, AConstantStaysOneInBits) {
  ScalarFlowSetup setup = heated_channel(method);
  setup.flow.settings.potential.tolerance = setup.flow.settings.pressure.tolerance = real{1e-3};
  HeatedChannel running(setup, Comm(), source);
  running.run(4);
  for (const real value : running.at_nodes("temperature")) ASSERT_EQ(value, 0.1);
  EXPECT_EQ(running.figure("max_divergence"), 0);
  EXPECT_GT(running.figure("kinetic_energy"), 0.05);
}

/// What a source makes in the block is stored there or goes into the fluid: over one step of Euler in every digit that
/// the solver leaves.
TEST_P(ConjugateHeat, HeatThatASolidMakesIsStoredOrGivenAway_Steps) {
  for (const ScalarConvection form : {ScalarConvection::central, ScalarConvection::upwind}) {
    ScalarFlowSetup setup = heated_channel(method);
    setup.flow.settings.scheme = setup.scalars[0].settings.scheme = setup.time->scheme = TimeScheme::euler;
    setup.scalars[0].settings.convection = form;
    setup.scalars[0].solids[0].source = Coefficient<real>(2);
    HeatedChannel running(setup, Comm(), source);
    running.run(5);
    const real before = running.figure("temperature_mean_block");
    running.run(1);
    const SolidRegion& block = setup.scalars[0].solids[0];
    const real heat = running.figure("heat_source"), volume = heat / 2,
               stored = volume * block.heat_capacity * (running.figure("temperature_mean_block") - before) / 0.02;
    EXPECT_NEAR(running.figure("heat_from_block") + stored, heat, 1e-9 * heat);
    EXPECT_GT(running.figure("heat_from_block"), 0.02 * heat);
    EXPECT_GT(running.figure("temperature_max_block"), running.figure("temperature_mean_block"));
    EXPECT_LT(std::abs(running.figure("heat_imbalance")), 1e-9 * heat);
  }
}

/// Layers at rest side by side conduct as the resistances in a row: exact, for the temperature is linear in each.
TEST_P(ConjugateHeat, LayersShareTheTemperatureByTheirResistance) {
  ScalarFlowSetup setup = heated_channel(method);
  setup.flow.boundary = {{"left", Wall{}}, {"right", Wall{}}, {"bottom", Wall{}}, {"top", Wall{}}};
  ScalarSetup& temperature = setup.scalars[0];
  temperature.diffusivity = 1;
  temperature.solids[0].conductivity = 4;
  temperature.boundary = {{"left", given_temperature(Coefficient<real>(1))},
                          {"right", given_temperature(Coefficient<real>(0))}};
  setup.time->step.step = setup.flow.time->step.step = 1;
  setup.time->scheme = setup.flow.settings.scheme = temperature.settings.scheme = TimeScheme::euler;
  setup.time->end = setup.flow.time->end = 100;
  const MeshSource layers = with_solid(
      dimension == 2 ? with_patches(unit_square(8), side_of_square) : with_patches(unit_cube(4), side_of_channel),
      [](const Vec3& x) { return x.x < 0.5; }, "block");
  HeatedChannel running(setup, Comm(), layers);
  running.run(20);
  const real heat = 1 / (0.5 / 4 + 0.5 / 1);
  EXPECT_NEAR(running.figure("heat_left"), heat, 1e-8);
  EXPECT_NEAR(running.figure("heat_from_block"), heat, 1e-8);
  EXPECT_NEAR(running.figure("heat_right"), -heat, 1e-8);
  EXPECT_NEAR(running.figure("temperature_mean_block"), 1 - heat * 0.25 / 4, 1e-8);
}

/// A plate under the stream that hardly conducts, heated from below: within a step no heat reaches the second row of
/// nodes, and with a mass that couples neighbours they would cool to balance the first.
TEST_P(ConjugateHeat, APoorConductorThatIsHeatedCoolsNowhere) {
  ScalarFlowSetup setup = heated_channel(method);
  ScalarSetup& temperature = setup.scalars[0];
  temperature.solids[0].conductivity = real{1e-4} * temperature.diffusivity;
  temperature.solids[0].heat_capacity = 1;
  temperature.initial = Coefficient<real>(300);
  temperature.boundary = {{"left", given_temperature(Coefficient<real>(300))},
                          {"bottom", given_heat_flux(Coefficient<real>(10))}};
  const auto velocity = Coefficient<Vec3>::of_place([](const Vec3& x) {
    return Vec3{x.y > 0.5 ? 16 * (x.y - 0.5) * (1 - x.y) : 0, 0, 0};
  });
  setup.flow.boundary["left"] = Inlet{velocity};
  const auto side = [this](const Vec3& x) {  // "bottom" is under the plate alone
    const bool is_lateral = dimension == 3 && std::abs(x.z - 0.5) > 0.5 - 1e-9;
    return is_lateral ? std::string("top") : side_of_square(x);
  };
  const MeshSource plate = with_solid(
      with_patches(dimension == 2 ? unit_square(8) : unit_cube(4), side), [](const Vec3& x) { return x.y < 0.5; },
      "block");
  HeatedChannel running(setup, Comm(), plate);
  real lowest = 300;
  for (int step = 0; step < 20; ++step) {
    running.run(1);
    lowest = std::min(lowest, running.figure("temperature_min"));
  }
  EXPECT_GT(lowest, 300 - 1e-6);
  EXPECT_GT(running.figure("temperature_max_block"), 350);
  EXPECT_LT(std::abs(running.figure("heat_imbalance")), 1e-8);
}

/// A dye stays out of the solid, and what is told of the flow is 0 there.
TEST_P(ConjugateHeat, NothingButHeatEntersASolid) {
  ScalarFlowSetup setup = heated_channel(method);
  ScalarSetup dye;
  dye.name = "dye";
  dye.diffusivity = real{0.05};
  dye.settings.convection = ScalarConvection::limited;
  dye.settings.solver.name = "dye";
  dye.boundary = {{"left", given_temperature(Coefficient<real>(1))}};
  dye.initial = Coefficient<real>(0);
  setup.scalars.push_back(dye);
  HeatedChannel running(setup, Comm(), source);
  running.run(5);
  const std::vector<real> in_all = running.at_nodes("dye"), speed = running.at_nodes("velocity");
  const GlobalMesh whole = build_topology(source);
  std::vector<char> touches_fluid(whole.nodes(), 0);
  for (int c = 0; c < whole.cells(); ++c) {
    for (const int n : whole.cell_nodes_of(c)) {
      if (whole.regions[whole.cell_region[c]] != "block") touches_fluid[n] = 1;
    }
  }
  int inside = 0;
  real most = 0, fastest = 0;
  for (int n = 0; n < whole.nodes(); ++n) {
    most = std::max(most, in_all[n]), fastest = std::max(fastest, speed[n]);
    if (touches_fluid[n]) continue;
    EXPECT_EQ(in_all[n], 0);
    EXPECT_EQ(speed[n], 0);
    ++inside;
  }
  EXPECT_GT(inside, 0);
  EXPECT_GT(most, 0.9);
  EXPECT_GT(fastest, 0.5);
  EXPECT_EQ(running.figure("dye_max"), most);
}

/// With a force of the temperature on the fluid, and nodes on the block's surface that ranks without fluid own.
TEST_P(ConjugateHeat, IsTheSameOnAnyPartition) {
  ScalarFlowSetup setup = heated_channel(method);
  setup.scalars[0].solids[0].source = Coefficient<real>(20);
  setup.scalars[0].buoyancy = BuoyancySettings{1, real{0.1}, {0, -20, 0}};
  struct Found {
    std::vector<real> temperature, speed, vorticity, heat;
  };
  const auto run = [&](const Comm& comm, const Partitioner& partition) {
    HeatedChannel running(setup, comm, source, partition);
    running.run(4);
    return Found{running.at_nodes("temperature"),
                 running.at_nodes("velocity"),
                 running.at_nodes("vorticity"),
                 {running.figure("heat_from_block"), running.figure("temperature_max_block")}};
  };
  const Found expected = run(alone(), partition_cells);
  for (const NamedPartitioner& partitioner : partitioners()) {
    const Found found = run(Comm(), partitioner.partition);
    expect_equal(found.temperature, expected.temperature, partitioner.name + ", temperature", 1e-10);
    expect_equal(found.speed, expected.speed, partitioner.name + ", speed", 1e-8);
    expect_equal(found.vorticity, expected.vorticity, partitioner.name + ", vorticity", 1e-8);
    expect_equal(found.heat, expected.heat, partitioner.name + ", heat", 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, ConjugateHeat,
                         testing::Combine(testing::Values(2, 3),
                                          testing::Values(FlowMethod::exact, FlowMethod::classical)),
                         [](const auto& test) {
                           return std::to_string(std::get<0>(test.param)) + "D_" +
                                  (std::get<1>(test.param) == FlowMethod::exact ? "exact" : "classical");
                         });

}  // namespace
}  // namespace solenoid::test
