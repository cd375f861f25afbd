/// Temperature in a flow: layers at rest, heat that a cavity carries across, the same on any partition.
#include "physics/scalar/scalar_flow.hpp"

#include <gtest/gtest.h>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "physics/flow/momentum/diagnostics.hpp"
#include "support/figures.hpp"
#include "support/kept_state.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

/// A closed cavity between a hot side, x = 0, and a cold one, x = 1, or layers above each other; gravity along -y.
ScalarFlowSetup cavity(real rayleigh, FlowMethod method) {
  constexpr real prandtl = 0.71;
  ScalarFlowSetup setup;
  TimeSettings time;
  time.end = 1;
  time.step.cfl = real{0.8};
  setup.time = setup.flow.time = time;
  setup.flow.settings.method = method;
  setup.flow.settings.viscosity = prandtl;
  setup.flow.settings.convection = ConvectionForm::automatic;
  setup.flow.settings.potential.tolerance = setup.flow.settings.momentum.tolerance =
      setup.flow.settings.pressure.tolerance = real{1e-10};
  setup.flow.boundary = {{"hot", Wall{}}, {"cold", Wall{}}, {"sides", Wall{}}};
  ScalarSetup temperature;
  temperature.name = "temperature";
  temperature.is_temperature = true;
  temperature.diffusivity = 1;
  temperature.settings.solver.tolerance = real{1e-10};
  temperature.buoyancy = BuoyancySettings{1, real{0.5}, {0, -rayleigh * prandtl, 0}};
  temperature.nusselt = NusseltScale{};
  temperature.initial = Coefficient<real>(0.5);
  temperature.boundary = {{"hot", given_temperature(Coefficient<real>(1))},
                          {"cold", given_temperature(Coefficient<real>(0))}};
  setup.scalars = {temperature};
  return setup;
}

MeshSource between_sides(MeshSource source) {
  return with_patches(std::move(source), [](const Vec3& centre) -> std::string {
    if (centre.x < 1e-9) return "hot";
    return centre.x > 1 - 1e-9 ? "cold" : "sides";
  });
}

struct Running {
  ScalarFlowSetup setup;
  std::unique_ptr<LocalMesh> mesh;
  std::unique_ptr<Model> model;
  Running(const ScalarFlowSetup& its_setup, const Comm& comm, const MeshSource& source,
          const Partitioner& partition = partition_cells)
      : setup(its_setup),
        mesh(make_mesh(comm, source, partition)),
        model(setup.model(*mesh, share_out(comm, source, setup.wide_layers(), partition))) {
    model->start();
  }
  void run(real end, int most) {
    for (int step = 0; step < most && model->time() < end * (1 - 1e-9); ++step) {
      model->advance(model->next_step(end));
      model->diagnose();
    }
  }
  real figure(const std::string& name) { return figure_of(*model, name); }
  std::vector<real> quantity(const std::string& name) {
    for (const Quantity& quantity : model->quantities()) {
      if (quantity.info.name == name) return gather(*std::get<Field<Node>*>(quantity.evaluate()));
    }
    return {};
  }
};

class ScalarFlowBy : public testing::TestWithParam<std::tuple<int, FlowMethod>> {
 protected:
  int dimension = std::get<0>(GetParam());
  FlowMethod method = std::get<1>(GetParam());
  MeshSource source = between_sides(dimension == 2 ? unit_square(9, 0.3) : unit_cube(4, 0.2));
};

/// Warm above cold: the force is a gradient on this mesh, too. The classical step's pressure begins at none.
TEST_P(ScalarFlowBy, LayersStayAtRest_Slow) {
  ScalarFlowSetup setup = cavity(1e5, method);
  setup.scalars[0].boundary.clear();
  setup.scalars[0].initial = Coefficient<real>::of_place([](const Vec3& x) { return x.y; });
  setup.scalars[0].boundary = {
      {"sides", given_temperature(Coefficient<real>::of_place([](const Vec3& x) { return x.y; }))}};
  setup.flow.time->step = setup.time->step = StepControl{real{1e-3}, 0, 0};
  Running layers(setup, Comm(), source);
  layers.run(1, 2);
  const real first = std::sqrt(layers.figure("kinetic_energy"));
  layers.run(1, 40);
  const real later = std::sqrt(layers.figure("kinetic_energy"));
  if (method == FlowMethod::exact) {
    EXPECT_LT(later, 1e-9);  // the force is of the order of 1e5
  } else {
    EXPECT_LT(later, first / 10);
  }
}

TEST_P(ScalarFlowBy, HeatThatEntersLeaves_Long) {
  Running cell(cavity(1e3, method), Comm(), source);
  cell.run(4, 1000);
  EXPECT_NEAR(cell.figure("heat_hot"), -cell.figure("heat_cold"), 1e-6);
  EXPECT_LT(std::abs(cell.figure("heat_imbalance")), 1e-7);
  EXPECT_GT(cell.figure("nusselt_hot"), 1.03);
  EXPECT_EQ(cell.figure("max_divergence"), 0);
}

/// By its own law none is; a fixed one may be, and then the run says so.
TEST_P(ScalarFlowBy, AStepTooLongForBuoyancyIsToldOf_Slow) {
  const auto warned = [&](const ScalarFlowSetup& setup) {
    Running cell(setup, Comm(), source);
    cell.run(1, 3);
    for (const std::string& warning : cell.model->outcome().warnings) {
      if (warning.find("half over the frequency of buoyancy") != std::string::npos) return true;
    }
    return false;
  };
  ScalarFlowSetup setup = cavity(1e5, method);
  EXPECT_FALSE(warned(setup));
  setup.flow.time->step = setup.time->step = StepControl{real{2e-3}, 0, 0};
  EXPECT_TRUE(warned(setup));
}

TEST_P(ScalarFlowBy, AScalarThatIsNewToAStateGoesByTheTimeOfTheFlow_Slow) {
  ScalarFlowSetup setup = cavity(1e4, method);
  setup.flow.time->step = setup.time->step = StepControl{real{0.01}, 0, 0};
  Running before(setup, Comm(), source);
  before.run(1, 5);
  KeptState kept(Comm{});
  before.model->visit_state(kept);
  ScalarSetup dye;
  dye.name = dye.settings.solver.name = "dye";
  dye.diffusivity = real{0.1};
  dye.boundary = {{"hot", given_temperature(Coefficient<real>::of_time([](real t) { return t; }))}};
  setup.scalars.push_back(dye);
  Running after(setup, Comm(), source);
  kept.restores = true;
  after.model->visit_state(kept);
  after.model->state_restored();
  EXPECT_FALSE(kept.missing.empty());
  const auto largest = [&] {
    const std::vector<real> values = after.quantity("dye");
    return *std::max_element(values.begin(), values.end());
  };
  EXPECT_EQ(largest(), after.model->time());
  after.run(1, 3);
  EXPECT_NEAR(after.model->time(), 0.08, 1e-6);
  EXPECT_EQ(largest(), after.model->time());
  EXPECT_EQ(after.figure("dye_max"), after.model->time());
}

TEST_P(ScalarFlowBy, IsTheSameOnAnyPartition) {
  const ScalarFlowSetup setup = cavity(1e4, method);
  const auto run = [&](const Comm& comm, const Partitioner& partition) {
    Running cell(setup, comm, source, partition);
    cell.run(1, 6);
    return cell.quantity("temperature");
  };
  const std::vector<real> expected = run(alone(), partition_cells);
  for (const NamedPartitioner& partitioner : partitioners()) {
    expect_equal(run(Comm(), partitioner.partition), expected, partitioner.name, 1e-8);
  }
}

/// A stream along x between two inlets, of which the one that it leaves by gives a value too.
ScalarFlowSetup stream_between_inlets(FlowMethod method, const Coefficient<Vec3>& velocity, ScalarConvection form) {
  ScalarFlowSetup setup = cavity(0, method);
  setup.flow.settings.convection = ConvectionForm::automatic;
  setup.flow.boundary = {{"hot", Inlet{velocity}}, {"cold", Inlet{velocity}}, {"sides", Symmetry{}}};
  setup.flow.time->step = setup.time->step = StepControl{real{0.02}, 0, 0};
  ScalarSetup& carried = setup.scalars[0];
  carried.buoyancy.reset();
  carried.diffusivity = real{0.01};
  carried.settings.convection = form;
  carried.initial = Coefficient<real>(0.1);
  carried.boundary = {{"hot", given_temperature(Coefficient<real>(0.1))},
                      {"cold", given_temperature(Coefficient<real>(0.7))}};
  return setup;
}

/// What is given where fluid leaves is of no account: a constant stays one in bits, and the run tells of it.
TEST_P(ScalarFlowBy, WhatLeavesThroughAnInletHasTheValueInside_Slow) {
  for (const ScalarConvection form : {ScalarConvection::central, ScalarConvection::upwind, ScalarConvection::limited}) {
    Running stream(stream_between_inlets(method, Coefficient<Vec3>(Vec3{1, 0, 0}), form), Comm(), source);
    stream.run(1, 5);
    for (const real value : stream.quantity("temperature")) ASSERT_EQ(value, 0.1);
    EXPECT_LT(std::abs(stream.figure("heat_imbalance")), 1e-12);
    std::map<std::string, double> left;
    for (const SummaryFigure& figure : stream.model->outcome().figures) {
      if (figure.group == "outflow") left[figure.name] = std::get<double>(figure.value);
    }
    EXPECT_EQ(left, (std::map<std::string, double>{{"cold", 1}}));
  }
}

/// Half of an inlet lets fluid in and half lets it out, and both change places in time.
TEST_P(ScalarFlowBy, ValuesOfInletsHoldWhereFluidEntersAndWhile_Slow) {
  const auto velocity = Coefficient<Vec3>::of_place_and_time([](const Vec3& x, real t) {
    return Vec3{(x.y < 0.5 ? 1 : -1) * x.y * (1 - x.y) * (x.y - 0.5) * (x.y - 0.5) * 20 * std::cos(20 * t), 0, 0};
  });
  const ScalarFlowSetup setup = stream_between_inlets(method, velocity, ScalarConvection::limited);
  const auto run = [&](const Comm& comm, const Partitioner& partition, real end) {
    Running stream(setup, comm, source, partition);
    stream.run(end, 100);
    EXPECT_LT(std::abs(stream.figure("heat_imbalance")), 1e-9);
    return stream.quantity("temperature");
  };
  const std::unique_ptr<LocalMesh> whole = make_mesh(alone(), source);
  const auto count = [&](const std::vector<real>& values, bool below) {  // on the side "cold": of those held, of others
    std::pair<int, int> found{0, 0};
    for (int n = 0; n < whole->total<Node>(); ++n) {
      const Vec3& x = whole->part().points[n];
      if (x.x < 1 || (below ? x.y > 0.4 : x.y < 0.6)) continue;
      ++(values[whole->numbering<Node>().global_id[n]] == real{0.7} ? found.first : found.second);
    }
    return found;
  };
  for (const bool turned : {false, true}) {  // the lower half of "cold" lets fluid out at first
    const real end = turned ? 0.2 : 0.06;
    const std::vector<real> expected = run(alone(), partition_cells, end);
    EXPECT_EQ(count(expected, !turned).first, 0) << end;
    EXPECT_EQ(count(expected, turned).second, 0) << end;
    EXPECT_GT(count(expected, turned).first, 0) << end;
    for (const NamedPartitioner& partitioner : partitioners()) {
      expect_equal(run(Comm(), partitioner.partition, end), expected, partitioner.name, 1e-8);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, ScalarFlowBy,
                         testing::Combine(testing::Values(2, 3),
                                          testing::Values(FlowMethod::exact, FlowMethod::classical)),
                         [](const auto& test) {
                           return std::to_string(std::get<0>(test.param)) + "D_" +
                                  (std::get<1>(test.param) == FlowMethod::exact ? "exact" : "classical");
                         });

}  // namespace
}  // namespace solenoid::test
