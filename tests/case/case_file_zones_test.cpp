/// The zones of a flow in the case file.
#include "physics/scalar/scalar_flow.hpp"
#include "support/case_files.hpp"

namespace solenoid {
namespace {

class CaseFileZones : public test::CaseFileTest {
 protected:
  static std::string of(const std::string& zones, const std::string& flow = "") {
    return "[mesh]\nfile = \"../meshes/square.geo\"\n[flow]\nviscosity = 1\n" + flow +
           "[time]\nend = 2\nstep = 0.1\n[boundary.lid]\ntype = \"wall\"\n" + zones;
  }
  std::vector<FlowZone> zones(const std::string& text) const {
    return test::setup<FlowSetup>(read(of(text))).settings.zones;
  }
};

TEST_F(CaseFileZones, HavePlacesAndWhatStandsThere) {
  EXPECT_TRUE(zones("").empty());
  const std::vector<FlowZone> all = zones(
      "[zone.core]\nregion = \"core\"\ndarcy = 1e6\n"
      "[zone.a]\nbox = { min = [0, 1, 2], max = [3, 4, 5] }\nforchheimer = [1, 2, 3]\naxes = [[0, 2, 0], [0, 0, 3]]\n"
      "[zone.pipe]\ncylinder = { from = [0, 0, 0], to = [1, 0, 0], radius = 0.5 }\ndarcy = 1\n"
      "[zone.b]\nball = { centre = [1, 2, 3], radius = 4 }\ndarcy = [1, 0, 1]\n");
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0].name, "core");
  EXPECT_EQ(std::get<ZoneRegion>(all[0].place).group, "core");
  EXPECT_EQ(all[0].porous->darcy.y, 1e6);
  EXPECT_EQ(all[0].porous->forchheimer.x, 0);
  EXPECT_EQ(std::get<ZoneBox>(all[1].place).high.z, 5);
  EXPECT_EQ(all[1].porous->axes[0].y, 1);
  EXPECT_EQ(all[1].porous->axes[2].x, 1);
  EXPECT_EQ(all[1].porous->forchheimer.z, 3);
  EXPECT_EQ(std::get<ZoneCylinder>(all[2].place).radius, 0.5);
  EXPECT_EQ(std::get<ZoneBall>(all[3].place).centre.z, 3);
}

TEST_F(CaseFileZones, HaveForces) {
  const std::vector<FlowZone> all = zones(
      "[zone.a]\nregion = \"core\"\nacceleration = [\"x + t\", 2, 0]\n"
      "[zone.b]\nregion = \"core\"\nfan = { pressure_jump = 5, direction = [0, 3, 4], thickness = 0.5 }\n"
      "[zone.c]\nregion = \"core\"\nfan = { pressure_jump = \"3 - Q^2\", direction = [1, 0, 0], thickness = 1 }\n"
      "[zone.d]\nregion = \"core\"\ndarcy = 2\n"
      "actuator_disk = { thrust_coefficient = 0.75, diameter = 4, direction = [0, 0, 2] }\n");
  ASSERT_EQ(all.size(), 4U);
  EXPECT_FALSE(all[0].porous);
  EXPECT_EQ(all[0].acceleration->at(Vec3{3, 0, 0}, 1).x, 4);
  EXPECT_TRUE(all[0].acceleration->depends_on_time());
  EXPECT_EQ(all[1].fan->pressure_jump.constant(), 5);
  EXPECT_EQ(all[1].fan->direction.z, 0.8);
  EXPECT_EQ(all[1].fan->thickness, 0.5);
  EXPECT_EQ(all[2].fan->pressure_jump.at(Vec3{2, 0, 0}, 0), -1);
  EXPECT_EQ(all[3].porous->darcy.x, 2);
  EXPECT_EQ(all[3].disk->induction(), 0.25);
  EXPECT_EQ(all[3].disk->diameter, 4);
  EXPECT_EQ(all[3].disk->direction.z, 1);
}

TEST_F(CaseFileZones, MayTurn) {
  const std::string turns =
      "[zone.a]\nregion = \"core\"\nrotating = { rate = 3, axis = [0, 0, 2], point = [1, 2, 3] }\n";
  const std::vector<FlowZone> all = zones(turns);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].rotating->rate.z, 3);
  EXPECT_EQ(all[0].rotating->point.y, 2);
  EXPECT_FALSE(all[0].has_force());
  const auto walls = test::setup<FlowSetup>(read(of(turns))).boundary;
  EXPECT_FALSE(std::get<Wall>(walls.at("lid")).is_told_from_rest);
  const auto at_rest = test::setup<FlowSetup>(read(of("seen_from = \"rest\"\n" + turns))).boundary;
  EXPECT_TRUE(std::get<Wall>(at_rest.at("lid")).is_told_from_rest);
  EXPECT_NE(
      faults(of(turns, "convection = \"rotational\"\n"))
          .find("expected \"auto\", \"divergence\", \"central\" or \"upwind\" beside [zone.NAME] with `rotating`"),
      std::string::npos);
  EXPECT_NE(faults(of(turns, "frame = { rate = 1 }\n")).find("no frame of the whole flow beside [zone.NAME]"),
            std::string::npos);
  EXPECT_NE(faults(of(turns + "[[scalar]]\nname = \"dye\"\ndiffusivity = 1\n"))
                .find("what the flow carries would cross the walls that turn"),
            std::string::npos);
  EXPECT_NE(faults(of(turns + "[[tracer]]\nname = \"p\"\npoints = [[0.5, 0.5, 0]]\n"))
                .find("what the flow carries would cross the walls that turn"),
            std::string::npos);
  EXPECT_NE(faults(of("[zone.a]\nregion = \"core\"\nrotating = { rate = 3, axis = [0, 0, 0] }\n"))
                .find("expected a direction of any length but 0"),
            std::string::npos);
}

TEST_F(CaseFileZones, HaveHeatAndSources) {
  const std::string scalars =
      "[temperature]\ndiffusivity = 1\nheat_capacity = 4\n[[scalar]]\nname = \"dye\"\ndiffusivity = 1\n"
      "[initial]\ntemperature = 0\n";
  const auto setup =
      read(of("[zone.a]\nregion = \"core\"\nporosity = 0.5\nsolid_heat_capacity = 8\n"
              "conductivity = 12\nheat = \"20*t\"\nsources = { dye = 3 }\n" +
              scalars));
  const FlowZone zone = test::setup<ScalarFlowSetup>(setup).flow.settings.zones.at(0);
  EXPECT_EQ(zone.heat->porosity, 0.5);
  EXPECT_EQ(zone.heat->solid_capacity, 2);
  EXPECT_EQ(zone.heat->capacity(), 1.5);
  EXPECT_EQ(zone.heat->conductivity, 3);
  EXPECT_EQ(zone.heat->heat.at(Vec3{}, 2), 10);
  EXPECT_EQ(zone.heat->sources.at("dye").constant(), 3);
  const auto fault_of = [&](const std::string& contents, const std::string& more) {
    return faults(of("[zone.a]\nregion = \"core\"\n" + contents + more));
  };
  EXPECT_NE(fault_of("porosity = 0.5\n", scalars).find("missing key `solid_heat_capacity`"), std::string::npos);
  EXPECT_NE(fault_of("porosity = 0\n", scalars).find("expected a number above 0 and up to 1"), std::string::npos);
  EXPECT_NE(fault_of("heat = \"x\"\n", scalars).find("expected a number or an expression of t alone"),
            std::string::npos);
  EXPECT_NE(fault_of("sources = { ink = 3 }\n", scalars).find("`ink`"), std::string::npos);
  EXPECT_NE(fault_of("heat = 3\n", "").find("is for heat: a flow with [temperature]"), std::string::npos);
  EXPECT_NE(fault_of("porosity = 0.5\n", "").find("is for heat and scalars"), std::string::npos);
}

TEST_F(CaseFileZones, AreErrorsWhereTheyCannotBe) {
  EXPECT_NE(faults(of("[[zone]]\npatches = [\"lid\"]\nwidth = 1\n"))
                .find("expected tables [zone.NAME], which a flow has; [[zone]] belongs to water waves"),
            std::string::npos);
  EXPECT_NE(faults(of("[zone.a]\nbox = { min = [0, 0, 0], max = [1, 1, 1] }\n"))
                .find("nothing stands in [zone.a]: expected `darcy`, `forchheimer`, `acceleration`, `fan`, "
                      "`actuator_disk`, `rotating`, `porosity`, `conductivity`, `heat` or `sources`"),
            std::string::npos);
  EXPECT_NE(faults(of("[zone.a]\ndarcy = 1\n")).find("`region`, `box`, `cylinder` or `ball`"), std::string::npos);
  EXPECT_NE(faults(of("[zone.a]\nregion = \"core\"\ndarcy = -1\n")).find("found -1, expected a number of at least 0"),
            std::string::npos);
  EXPECT_NE(faults(of("[zone.a]\nregion = \"core\"\ndarcy = 1\naxes = [[1, 0, 0], [1, 1, 0]]\n"))
                .find("expected two directions at right angles"),
            std::string::npos);
  const auto fault_of = [&](const std::string& contents) {
    return faults(of("[zone.a]\nregion = \"core\"\n" + contents));
  };
  EXPECT_NE(fault_of("fan = { pressure_jump = \"3 - x\", direction = [1, 0, 0], thickness = 1 }\n")
                .find("known: Q [m^3/s, in 2D m^2/s], pi, and the functions"),
            std::string::npos);
  EXPECT_NE(fault_of("fan = { direction = [0, 0, 0], thickness = 0 }\n").find("missing key `pressure_jump`"),
            std::string::npos);
  EXPECT_NE(fault_of("fan = { pressure_jump = 1, direction = [0, 0, 0], thickness = 0 }\n")
                .find("expected a direction other than (0, 0, 0)"),
            std::string::npos);
  EXPECT_NE(
      fault_of("actuator_disk = { thrust_coefficient = 1, diameter = 1, direction = [1, 0, 0] }\n")
          .find("found 1, expected a number greater than 0 and less than 1, beyond which momentum theory has no wake"),
      std::string::npos);
  EXPECT_NE(fault_of("acceleration = [1, 2]\n").find("expected 3 entries"), std::string::npos);
}

}  // namespace
}  // namespace solenoid
