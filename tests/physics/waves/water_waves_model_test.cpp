/// Water waves as a model, and their setup: what ends a run, and what is said before one.
#include "physics/waves/water_waves_model.hpp"

#include <gtest/gtest.h>

#include "mesh/domain.hpp"
#include "support/water_waves.hpp"

namespace solenoid::test {
namespace {

/// The model of a setup on a mesh of its own.
struct MadeBay {
  std::unique_ptr<LocalMesh> mesh;
  WaterWavesModel model;
  explicit MadeBay(const WaterWavesSetup& setup) : mesh(make_mesh(Comm(), unit_square(9, 0.2))), model(setup, *mesh) {
    model.start();
  }
  void step(real target) {
    model.advance(model.next_step(target));
    model.diagnose();
  }
  std::vector<real> elevation() { return to_host(model.quantities().front().evaluate()); }
};

/// Steps that are too long end the run in the state before, long before the numbers overflow.
TEST(WaterWavesModel, EndsWhenStepsAreUnstable) {
  WaterWavesSetup setup = bay_with_ship();
  setup.time->step.cfl = 1.03;
  setup.sides = {{"lid", {}}, {"wall", {}}};
  setup.zones.clear(), setup.ships.clear();
  MadeBay made(setup);
  made.step(100);
  const real energy = std::get<double>(made.model.history().front().value());
  std::string fault;
  real before = 0;
  for (int step = 0; step < 2000 && fault.empty(); ++step) {
    before = made.model.time();
    try {
      made.step(100);
    } catch (const Error& error) {
      EXPECT_TRUE(error.collective());
      EXPECT_EQ(error.code(), ExitCode::failure);
      fault = error.what();
    }
  }
  EXPECT_NE(fault.find("nothing supplies any: the steps are unstable"), std::string::npos) << fault;
  EXPECT_EQ(made.model.time(), before);
  EXPECT_LE(std::get<double>(made.model.history().front().value()), 10 * energy);
}

/// A step to a time at which a ship is nowhere leaves the state as it was.
TEST(WaterWavesModel, StopsWhereAShipIsNowhere) {
  WaterWavesSetup setup = bay_with_ship();
  setup.ships[0].position = Coefficient<Vec3>::of_time([](real t) {
    require_input(t < 0.2, [] { return "nowhere"; });
    return Vec3{t, 0.5, 0};
  });
  MadeBay made(setup);
  while (made.model.time() + made.model.next_step(1) < 0.2) made.step(1);
  const auto before = made.elevation();
  const real time = made.model.time();
  try {
    made.step(1);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_TRUE(error.collective());
    EXPECT_EQ(error.code(), ExitCode::bad_input);
  }
  EXPECT_EQ(made.model.time(), time);
  EXPECT_EQ(made.elevation(), before);
}

/// Waves that do not enter, and a zone that is narrower than a cell.
TEST(WaterWavesSetup, NamesWavesThatCannotComeInAndNarrowZones) {
  WaterWavesSetup setup = bay_with_ship();
  const GlobalMesh mesh = build_topology(unit_square(9, 0.2));
  const Domain domain = examine_domain(mesh);
  setup.directions = {{"lid", "[[boundary.lid.incoming]]", {0.6, -0.8, 0}},
                      {"lid", "[boundary.lid.spectrum]", {0, -1, 0}}};
  EXPECT_TRUE(setup.faults(mesh, domain).empty());
  setup.directions[1].direction = {1, 0, 0};
  setup.zones[0].width = 0.05;
  const std::vector<std::string> faults = setup.faults(mesh, domain);
  ASSERT_EQ(faults.size(), 2);
  EXPECT_NE(
      faults[0].find("`direction` in [boundary.lid.spectrum] is 0 degrees, out of the domain or along all of `lid`"),
      std::string::npos)
      << faults[0];
  EXPECT_NE(faults[1].find("`width` in [[zone]] along `lid` is 0.05 m, and faces there are up to"), std::string::npos)
      << faults[1];
}

/// The forecast of a case says what a run would refuse, and what is too coarse or uneven.
TEST(WaterWavesSetup, WarnsBeforeARun) {
  const GlobalMesh mesh = build_topology(unit_square(9, 0.2));
  WaterWavesSetup setup = bay_with_ship();
  setup.depth = Coefficient<real>::of_place([](const Vec3& x) { return 0.2 + 3 * x.x; });
  const std::string warning = setup.forecast(mesh)->warning;
  EXPECT_NE(warning.find("the depth along `lid`, where waves come in, is 0."), std::string::npos) << warning;
  EXPECT_NE(warning.find("the beam of the ship \"ferry\" is 0."), std::string::npos) << warning;
  setup.ships[0].position = Vec3{0.5, 1.3, 0};
  EXPECT_NE(setup.forecast(mesh)->warning.find("the ship \"ferry\" never meets the mesh"), std::string::npos);
  setup.ships.clear();
  const StepForecast shelving = *setup.forecast(mesh);
  const real depth = setup.depth.at(Geometry(mesh).cell_centre[shelving.cell], 0);
  EXPECT_NEAR(shelving.speed, std::sqrt(9.81 * depth), 1e-12);  // of the cell that it names
  setup.depth = real{0.3};
  EXPECT_EQ(setup.forecast(mesh)->warning.find("lid"), std::string::npos);
  const StepForecast forecast = *setup.forecast(mesh);
  const real longest = forecast.step / forecast.cfl;
  setup.time->step = {1, 0, 0};
  try {
    setup.forecast(mesh);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), setup.fault_of_step(longest));
  }
}

}  // namespace
}  // namespace solenoid::test
