/// Models: a state that is listed is a state that can be brought back, and quantities are the same wherever they are
/// looked at.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "model/point_sampler.hpp"
#include "physics/flow/flow_model.hpp"
#include "physics/heat/heat_model.hpp"
#include "physics/scalar/scalar_flow.hpp"
#include "physics/wave/wave_model.hpp"
#include "physics/waves/water_waves_model.hpp"
#include "support/openings.hpp"
#include "support/water_waves.hpp"

namespace solenoid::test {
namespace {

/// Keeps a state in memory, or lays what was kept over another model's.
class Memory : public StateVisitor {
 public:
  bool restores = false;
  void number(const std::string& name, real& value) override { exchange(numbers_, name, value); }
  void number(const std::string& name, std::int64_t& value) override { exchange(integers_, name, value); }
  void list(const std::string& name, std::vector<double>& values) override { exchange(lists_, name, values); }

 private:
  template <class T>
  void exchange(std::map<std::string, T>& kept, const std::string& name, T& value) {
    if (restores) {
      value = kept.at(name);
    } else {
      EXPECT_TRUE(names_.insert(name).second) << name << " is there twice";
      kept.emplace(name, value);
    }
  }
  bool array(const std::string& name, const LocalNumbering& numbering, real* values, int components) override {
    const std::size_t size = static_cast<std::size_t>(numbering.owned) * components;
    if (restores) {
      EXPECT_EQ(arrays_.at(name).size(), size) << name;
      copy_to_device(values, arrays_.at(name).data(), size * sizeof(real));
    } else {
      EXPECT_TRUE(names_.insert(name).second) << name << " is there twice";
      std::vector<real>& kept = arrays_[name];
      kept.resize(size);
      copy_to_host(kept.data(), values, size * sizeof(real));
    }
    return true;
  }
  std::set<std::string> names_;
  std::map<std::string, real> numbers_;
  std::map<std::string, std::int64_t> integers_;
  std::map<std::string, std::vector<double>> lists_;
  std::map<std::string, std::vector<real>> arrays_;
};

/// A setup's model on a mesh of its own.
struct Made {
  std::unique_ptr<LocalMesh> mesh;
  std::unique_ptr<Model> model;
  Made(const ModelSetup& setup, const MeshSource& source)
      : mesh(std::make_unique<LocalMesh>(Comm(), share_out(Comm(), source, setup.layers(source.dimension)))) {
    std::optional<MeshPart> wide;
    if (setup.wide_layers() > 0) wide = share_out(Comm(), source, setup.wide_layers());
    model = setup.model(*mesh, std::move(wide));
    model->start();
  }
  void step(real target) {
    model->advance(model->next_step(target));
    model->diagnose();
  }
  std::vector<std::vector<real>> look_at_quantities() {
    std::vector<std::vector<real>> values;
    for (const Quantity& quantity : model->quantities()) values.push_back(to_host(quantity.evaluate()));
    return values;
  }
  /// All that can be seen of it after a step.
  std::vector<std::vector<real>> look() {
    std::vector<std::vector<real>> values = look_at_quantities();
    for (const HistoryColumn& column : model->history()) {
      const auto value = column.value();
      if (const double* number = std::get_if<double>(&value)) values.push_back({*number});
    }
    return values;
  }
};

/// Where step k goes to: every other step is shorter.
real target_of(const Model& model, int k) {
  constexpr real end = 1;
  return k % 2 == 0 ? end : model.time() + real{0.6} * model.next_step(end);
}

enum class LastStep { usual, short_one, short_and_first };

/// A model that is dropped after a few steps and brought back from what was visited goes on bit by bit.
void expect_restored(const ModelSetup& setup, const MeshSource& source, LastStep last = LastStep::usual) {
  Memory memory;
  Made whole(setup, source);
  for (int k = 0; k < 4 && last != LastStep::short_and_first; ++k) whole.step(target_of(*whole.model, k));
  if (last != LastStep::usual) whole.step(whole.model->time() + real{1e-4} * whole.model->next_step(1));
  whole.look();  // what is looked at may leave a first guess behind
  whole.model->visit_state(memory);
  memory.restores = true;
  Made again(setup, source);
  again.step(real{0.1});  // what it has done before does not matter
  again.model->visit_state(memory);
  again.model->state_restored();
  for (int k = 0; k < 3; ++k) {
    const real target = target_of(*whole.model, k);
    EXPECT_EQ(again.model->next_step(target), whole.model->next_step(target));
    whole.step(target);
    again.step(target);
    EXPECT_EQ(again.model->time(), whole.model->time());
    EXPECT_EQ(again.look(), whole.look());
    EXPECT_EQ(again.model->rate_of_change(), whole.model->rate_of_change());
  }
}

TimeSettings time_settings(const StepControl& step) {
  TimeSettings time;
  time.end = 1;
  time.step = step;
  return time;
}

/// A lid that comes and goes over a fluid with a vortex, by the Courant number.
FlowSetup flow_setup() {
  FlowSetup setup;
  setup.time = time_settings({0, 0.7, 0});
  setup.settings.viscosity = 0.02;
  setup.settings.potential.tolerance = 1e-4;
  const Coefficient<Vec3> swing = Coefficient<Vec3>::of_place_and_time([](const Vec3& x, real t) {
    return Vec3{x.x * (1 - x.x) * std::cos(9 * t), 0, 0};
  });
  setup.boundary = {{"lid", Wall{swing}}, {"wall", Wall{}}};
  setup.initial_velocity = Coefficient<Vec3>::of_place([](const Vec3& x) { return Vec3{x.y - 0.5, 0.5 - x.x, 0}; });
  return setup;
}

/// A cooling body whose surroundings change, and its material with them.
HeatSetup heat_setup() {
  HeatSetup setup;
  setup.time = time_settings({0.03, 0, 0});
  setup.conductivity.everywhere =
      Coefficient<real>::of_place_and_time([](const Vec3& x, real t) { return 1 + x.x + t; });
  setup.heat_capacity = MaterialProperty{"", Coefficient<real>(3), {}};
  setup.source.everywhere = Coefficient<real>::of_time([](real t) { return 10 * t; });
  setup.boundary = {
      {"lid", heat_exchange(Coefficient<real>(5), Coefficient<real>::of_time([](real t) { return 20 * t; }))},
      {"wall", given_temperature(Coefficient<real>::of_place([](const Vec3& x) { return x.x; }))}};
  setup.initial_temperature = Coefficient<real>::of_place([](const Vec3& x) { return 1 + x.y; });
  return setup;
}

/// A membrane that is shaken at its lid.
WaveSetup wave_setup() {
  WaveSetup setup;
  setup.time = time_settings({0, 0.8, 0});
  setup.speed.everywhere = Coefficient<real>::of_place([](const Vec3& x) { return 1 + x.x; });
  setup.source.everywhere = Coefficient<real>::of_time([](real t) { return std::sin(5 * t); });
  setup.boundary = {{"lid", given_displacement(Coefficient<real>::of_time([](real t) { return t * t; }))},
                    {"wall", absorbing_side()}};
  setup.displacement = Coefficient<real>::of_place([](const Vec3& x) { return std::exp(-20 * dot(x, x)); });
  return setup;
}

/// With a second wave, and heights of a sea.
WaterWavesSetup water_waves_setup() {
  WaterWavesSetup setup = bay_with_ship();
  setup.time = time_settings({0, 0.8, 0});
  setup.sides.at("lid").incoming.push_back({0.05, 8, {0, -1, 0}, 0});
  setup.height = HeightMeaning::significant;
  return setup;
}

/// A fluid that a swinging lid drives and a warm one lifts, with a dye in it.
ScalarFlowSetup scalar_setup() {
  ScalarFlowSetup setup;
  setup.flow = flow_setup();
  setup.time = setup.flow.time;
  ScalarSetup temperature;
  temperature.name = "temperature";
  temperature.is_temperature = true;
  temperature.diffusivity = real{0.03};
  temperature.buoyancy = BuoyancySettings{1, 0, {0, -2, 0}};
  temperature.nusselt = NusseltScale{};
  temperature.boundary = {
      {"lid", given_temperature(Coefficient<real>::of_time([](real t) { return 1 + t; }))},
      {"wall", heat_exchange(Coefficient<real>::of_time([](real t) { return t; }), Coefficient<real>(0.2))}};
  ScalarSetup dye;
  dye.name = dye.settings.solver.name = "dye";
  dye.settings.convection = ScalarConvection::limited;
  dye.initial = Coefficient<real>::of_place([](const Vec3& x) { return x.x < 0.4 ? real{1} : real{0}; });
  dye.source = Coefficient<real>::of_time([](real t) { return t; });
  setup.scalars = {temperature, dye};
  return setup;
}

TEST(Model, AFlowWithScalarsIsBroughtBackBitByBit_Again) {
  ScalarFlowSetup setup = scalar_setup();
  for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
    setup.flow.settings.method = method;
    expect_restored(setup, unit_square(9, 0.2));
    expect_restored(setup, unit_cube(4, 0.15));
  }
  for (ScalarSetup& scalar : setup.scalars) scalar.settings.solver.preconditioner = PreconditionerKind::multigrid;
  expect_restored(setup, unit_square(9, 0.2));
}

TEST(Model, AFlowIsBroughtBackBitByBit_Again) {
  FlowSetup setup = flow_setup();
  expect_restored(setup, unit_square(9, 0.2));
  setup.settings.method = FlowMethod::classical;
  setup.settings.passes = 2;
  expect_restored(setup, unit_square(9, 0.2));
}

TEST(Model, AFlowInSpaceIsBroughtBackBitByBit_Again) {
  FlowSetup setup = flow_setup();
  for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
    setup.settings.method = method;
    for (const ConvectionForm form : {ConvectionForm::divergence, ConvectionForm::rotational}) {
      setup.settings.convection = form;
      expect_restored(setup, unit_cube(4, 0.15));
    }
    FlowSetup turning = flow_setup();
    turning.settings.method = method;
    turning.settings.frame = RotatingFrame{{0, 0, 3}, {}};
    turning.settings.convection = ConvectionForm::none;
    for (const LastStep last : {LastStep::usual, LastStep::short_one}) {
      expect_restored(turning, unit_cube(4, 0.15), last);
    }
  }
}

/// Its history leaves that step out.
TEST(Model, AFlowIsBroughtBackBitByBitAfterAShortStep_Again) {
  FlowSetup setup = flow_setup();
  for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
    setup.settings.method = method;
    setup.settings.passes = method == FlowMethod::classical ? 2 : 1;
    expect_restored(setup, unit_square(9, 0.2), LastStep::short_one);
    expect_restored(setup, unit_cube(4, 0.15), LastStep::short_one);
  }
}

/// An inlet that pulses, and an outlet.
/// Nor does a time to hit right after the start shorten the steps by the Courant number.
TEST(Model, AShortFirstStepShortensNoOther_Again) {
  for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
    FlowSetup setup = flow_setup();
    setup.settings.method = method;
    for (const MeshSource& source : {unit_square(9, 0.2), unit_cube(4, 0.15)}) {
      Made flow(setup, source);
      const real first = flow.model->next_step(1), target = real{1e-7} * first;
      flow.step(target);
      EXPECT_EQ(flow.model->time(), target);
      EXPECT_GE(flow.model->next_step(1), real{0.9} * first);
      flow.step(1);
      EXPECT_GE(flow.model->next_step(1), real{0.9} * first);
      expect_restored(setup, source, LastStep::short_and_first);
    }
  }
}

TEST(Model, AnOpenFlowIsBroughtBackBitByBit_Again) {
  FlowSetup setup = flow_setup();
  setup.settings.convection = ConvectionForm::divergence;
  setup.body_force = Coefficient<Vec3>::of_time([](real t) { return Vec3{std::sin(5 * t), 0, 0}; });
  const Coefficient<Vec3> pulse = Coefficient<Vec3>::of_place_and_time([](const Vec3& x, real t) {
    return Vec3{0, -x.x * (1 - x.x) * (2 + std::cos(9 * t)), 0};
  });
  setup.boundary = {{"lid", Inlet{pulse}}, {"wall", Outlet{}}};
  for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
    setup.settings.method = method;
    expect_restored(setup, unit_square(9, 0.2));
  }
}

/// Of a viscosity that varies: by a law, and by the temperature.
TEST(Model, AFlowOfAnyViscosityIsBroughtBackBitByBit_Again) {
  FlowSetup setup = flow_setup();
  setup.settings.law =
      ViscosityLaw{.kind = ViscosityLaw::Kind::carreau, .zero = 0.05, .infinite = 0.005, .time = 2, .exponent = 0.4};
  setup.settings.diffusion = DiffusionForm::automatic;
  setup.settings.convection = ConvectionForm::automatic;
  for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
    setup.settings.method = method;
    for (const LastStep last : {LastStep::usual, LastStep::short_one}) {
      expect_restored(setup, unit_square(9, 0.2), last);
      expect_restored(setup, unit_cube(4, 0.15), last);
    }
  }
  ScalarFlowSetup heated = scalar_setup();
  heated.flow.settings.of_temperature =
      Coefficient<real>::of_place([](const Vec3& T) { return real{0.02} * std::exp(-T.x / 100); });
  heated.flow.settings.diffusion = DiffusionForm::automatic;
  heated.flow.settings.convection = ConvectionForm::automatic;
  for (const MeshSource& source : {unit_square(9, 0.2), unit_cube(4, 0.15)}) expect_restored(heated, source);
}

TEST(Model, AFlowWithModelledEddiesIsBroughtBackBitByBit_Again) {
  FlowSetup setup = flow_setup();
  setup.settings.viscosity = 1e-4;
  setup.settings.diffusion = DiffusionForm::automatic;
  setup.settings.convection = ConvectionForm::automatic;
  for (const EddyViscosity& model : {EddyViscosity{EddyViscosity::Kind::smagorinsky, 0.5}, EddyViscosity{}}) {
    setup.settings.eddies = model;
    for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
      setup.settings.method = method;
      for (const LastStep last : {LastStep::usual, LastStep::short_one}) {
        expect_restored(setup, unit_cube(4, 0.15), last);
      }
    }
  }
}

TEST(Model, AFlowBetweenWallsWithALawIsBroughtBackBitByBit_Again) {
  FlowSetup setup = flow_setup();
  setup.settings.viscosity = 1e-4;
  setup.settings.diffusion = DiffusionForm::automatic;
  setup.settings.convection = ConvectionForm::automatic;
  setup.boundary.at("wall") = Symmetry{WallLaw{1e-3}};
  for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
    setup.settings.method = method;
    for (const LastStep last : {LastStep::usual, LastStep::short_one, LastStep::short_and_first}) {
      expect_restored(setup, unit_square(6, 0.15), last);
      expect_restored(setup, unit_cube(4, 0.15), last);
    }
  }
}

/// Through an inlet where fluid enters and leaves in turn, with what it carries.
TEST(Model, ABreathingFlowWithScalarsIsBroughtBackBitByBit_Again) {
  ScalarFlowSetup setup = scalar_setup();
  setup.flow.settings.convection = ConvectionForm::divergence;
  setup.time->step = setup.flow.time->step = {0.03, 0, 0};
  const Coefficient<Vec3> breath = Coefficient<Vec3>::of_place_and_time([](const Vec3& x, real t) {
    return Vec3{0, -x.x * (1 - x.x) * std::cos(18 * t), 0};
  });
  setup.flow.boundary = {{"lid", Inlet{breath}}, {"wall", Outlet{}}};
  setup.scalars[0].boundary.erase("wall");
  setup.scalars[1].boundary["lid"] = given_temperature(Coefficient<real>(1));
  for (const MeshSource& source : {unit_square(9, 0.2), unit_cube(4, 0.15)}) expect_restored(setup, source);
  for (ScalarSetup& scalar : setup.scalars) scalar.settings.solver.preconditioner = PreconditionerKind::multigrid;
  expect_restored(setup, unit_square(9, 0.2));
}

/// Through a channel with a pulsing flux, and through a torus with a hole, where what flows is an unknown.
TEST(Model, APeriodicFlowIsBroughtBackBitByBit_Again) {
  FlowSetup setup = flow_setup();
  setup.settings.convection = ConvectionForm::divergence;
  setup.initial_velocity = Coefficient<Vec3>();
  setup.boundary = {{"bottom", Wall{}}, {"top", Wall{}}, {"hole", Wall{}}};
  const auto flux = Coefficient<real>::of_time([](real t) { return 1 + t; });
  MeshSource channel = with_patches(square_with_hole(9), side_of_square), torus = channel;
  channel.pairs = {{"left", "right"}};
  torus.pairs = {{"left", "right"}, {"bottom", "top"}};
  for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
    setup.settings.method = method;
    setup.periodic = {{"left", "right", {flux, {}}}};
    expect_restored(setup, channel);
    setup.periodic = {{"left", "right", {{}, real{1}}}, {"bottom", "top", {{}, flux}}};
    expect_restored(setup, torus);
  }
}

TEST(Model, AHeatedBodyIsBroughtBackBitByBit_Again) {
  expect_restored(heat_setup(), unit_square(9, 0.2));
  expect_restored(heat_setup(), unit_cube(4, 0.2));
  HeatSetup of_one_material = heat_setup();
  of_one_material.conductivity.everywhere = Coefficient<real>(2);
  of_one_material.heat.preconditioner = PreconditionerKind::multigrid;
  expect_restored(of_one_material, unit_square(30, 0.2));
}

TEST(Model, WavesAreBroughtBackBitByBit_Again) {
  expect_restored(wave_setup(), unit_square(9, 0.2));
  expect_restored(wave_setup(), unit_cube(4, 0.2));
}

TEST(Model, WaterWavesAreBroughtBackBitByBit_Again) {
  WaterWavesSetup setup = water_waves_setup();
  expect_restored(setup, unit_square(9, 0.2));
  setup.elliptic.preconditioner = PreconditionerKind::multigrid;
  expect_restored(setup, unit_square(9, 0.2));
  setup.current = Coefficient<Vec3>::of_place([](const Vec3& x) { return Vec3{0.2 * x.x, -0.2 * x.y, 0}; });
  expect_restored(setup, unit_square(9, 0.2));
}

/// What a quantity says of itself is what it gives.
void expect_true_infos(const ModelSetup& setup, const MeshSource& source) {
  Made made(setup, source);
  made.step(1);
  std::vector<QuantityInfo> infos = setup.quantities();
  std::erase_if(infos,
                [&](const QuantityInfo& info) { return info.dimension != 0 && info.dimension != source.dimension; });
  const std::vector<Quantity> quantities = made.model->quantities();
  const LocalMesh& mesh = *made.mesh;
  const real above = mesh.dimension() == 2 ? 0 : 1;
  const PointSampler points(mesh, {{0.3, 0.4, 0.2 * above}, {0.8, 0.5, 0.9 * above}}, "points");
  ASSERT_EQ(quantities.size(), infos.size());
  for (std::size_t i = 0; i < infos.size(); ++i) {
    const QuantityInfo& info = quantities[i].info;
    EXPECT_EQ(info.name, infos[i].name);
    const std::size_t places = info.at == ValuesAt::nodes   ? mesh.total<Node>()
                               : info.at == ValuesAt::cells ? mesh.total<Cell>()
                                                            : static_cast<std::size_t>(mesh.boundary().size());
    EXPECT_EQ(to_host(quantities[i].evaluate()).size(), places * info.components) << info.name;
    ASSERT_EQ(static_cast<bool>(quantities[i].at_points), !info.columns.empty()) << info.name;
    if (info.columns.empty()) continue;
    EXPECT_EQ(info.columns.size(), static_cast<std::size_t>(info.components)) << info.name;
    EXPECT_EQ(quantities[i].at_points(points)().size(), 2 * info.columns.size()) << info.name;
  }
}

TEST(Model, QuantitiesAreWhatTheySay_Again) {
  expect_true_infos(flow_setup(), unit_square(8, 0.2));
  FlowSetup in_space = flow_setup();
  in_space.settings.method = FlowMethod::classical;
  in_space.settings.convection = ConvectionForm::divergence;
  expect_true_infos(in_space, unit_cube(3, 0.15));
  expect_true_infos(heat_setup(), unit_square(8, 0.2));
  expect_true_infos(heat_setup(), unit_cube(4, 0.2));
  expect_true_infos(wave_setup(), unit_cube(4, 0.2));
  WaterWavesSetup on_current = water_waves_setup();
  on_current.current = Vec3{0.3, 0.1, 0};
  expect_true_infos(on_current, unit_square(8, 0.2));
  expect_true_infos(scalar_setup(), unit_square(8, 0.2));
  expect_true_infos(scalar_setup(), unit_cube(3, 0.2));
}

/// A fluid that nothing drives stays at rest, and there are solvers that it never needs.
TEST(Model, AFluidAtRestHasAHistory_Again) {
  FlowSetup setup;
  setup.time = time_settings({0.1, 0, 0});
  setup.boundary = {{"lid", Wall{}}, {"wall", Wall{}}};
  for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
    setup.settings.method = method;
    for (const MeshSource& source : {unit_square(4, 0.2), unit_cube(2, 0.15)}) {
      Made still(setup, source);
      still.step(0.1);
      for (const HistoryColumn& column : still.model->history()) {
        const double value = std::visit([](auto v) { return static_cast<double>(v); }, column.value());
        EXPECT_EQ(column.name.starts_with("residual_") ? 0 : value, 0) << column.name;
      }
      EXPECT_NE(still.model->progress(), "");
    }
  }
}

/// One outlet whose pressure differs from place to place, a wall, a force or a drop: each of them drives.
TEST(Model, AFlowThatIsDrivenFromRestHasWhereItsEnergyComesFrom_Again) {
  FlowSetup by_pressure;
  by_pressure.time = time_settings({0.1, 0, 0});
  by_pressure.settings.convection = ConvectionForm::divergence;
  by_pressure.boundary = {{"lid", Outlet{Coefficient<real>::of_place([](const Vec3& x) { return x.x * x.y; })}},
                          {"wall", Outlet{Coefficient<real>::of_place([](const Vec3& x) { return x.x * x.y; })}}};
  FlowSetup by_wall = by_pressure, by_force = by_pressure;
  by_wall.boundary = {{"lid", Wall{Vec3{1, 0, 0}}}, {"wall", Wall{}}};
  by_force.boundary = {{"lid", Wall{}}, {"wall", Wall{}}};
  by_force.body_force = Coefficient<Vec3>::of_place([](const Vec3& x) { return Vec3{x.y, 0, 0}; });
  for (const FlowSetup* setup : {&by_pressure, &by_wall, &by_force}) {
    for (const MeshSource& source : {unit_square(4, 0.2), unit_cube(2, 0.15)}) {
      Made driven(*setup, source);
      for (int k = 0; k < 5; ++k) driven.step(driven.model->time() + 0.1);
      EXPECT_NEAR(driven.model->time(), 0.5, 1e-12);
    }
  }
}

/// Steps much too long make energy of nothing before anything is infinite.
TEST(Model, AFlowThatMakesItsOwnEnergyIsStopped_Again) {
  FlowSetup setup;
  setup.time = time_settings({2, 0, 0});
  setup.settings.viscosity = 1e-9;
  setup.boundary = {{"lid", Wall{}}, {"wall", Wall{}}};
  setup.initial_velocity = Coefficient<Vec3>::of_place([](const Vec3& x) {
    return Vec3{std::sin(pi * x.x) * std::cos(pi * x.y), -std::cos(pi * x.x) * std::sin(pi * x.y), 0};
  });
  for (const MeshSource& source : {unit_square(6, 0.2), unit_cube(3, 0.15)}) {
    Made unstable(setup, source);
    std::string said;
    try {
      for (int k = 0; k < 100; ++k) unstable.step(unstable.model->time() + 2);
    } catch (const Error& error) {
      said = error.what();
    }
    EXPECT_NE(said.find(" though nothing drives the flow: the flow has diverged"), std::string::npos) << said;
  }
}

TEST(Model, AStepOfHeatThatFailsLeavesTheLastTemperature_Again) {
  HeatSetup hopeless = heat_setup();
  hopeless.heat.max_iterations = 1;
  Made failing(hopeless, unit_square(9, 0.2));
  const std::vector<std::vector<real>> before = failing.look_at_quantities();
  EXPECT_THROW(failing.model->advance(0.03), Error);
  EXPECT_EQ(failing.model->time(), 0);
  EXPECT_EQ(failing.look_at_quantities(), before);
}

/// Whichever part of a coupled step fails, all parts are at the time before.
TEST(Model, AStepWithScalarsThatFailsLeavesTheLastFlowAndValues_Again) {
  for (const bool of_flow : {false, true}) {
    ScalarFlowSetup hopeless = scalar_setup();
    if (of_flow) {
      hopeless.flow.body_force = Coefficient<Vec3>::of_time([](real t) { return Vec3{0, 0, t}; });  // out of the plane
    } else {
      hopeless.scalars[1].settings.solver.max_iterations = 1;
    }
    Made failing(hopeless, unit_square(9, 0.2));
    const std::vector<std::vector<real>> before = failing.look_at_quantities();
    EXPECT_THROW(failing.model->advance(0.03), Error);
    EXPECT_EQ(failing.model->time(), 0);
    EXPECT_EQ(failing.look_at_quantities(), before);
  }
}

}  // namespace
}  // namespace solenoid::test
