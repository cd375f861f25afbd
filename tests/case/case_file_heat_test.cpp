/// The case file of heat conduction: what it takes, and what each fault's message says.
#include "physics/heat/heat_setup.hpp"
#include "support/case_files.hpp"

namespace solenoid {
namespace {

/// The least that a case of steady conduction must say.
constexpr const char* steady =
    "[mesh]\n"  // 1
    "file = \"a.msh\"\n"
    "[heat]\n"  // 3
    "conductivity = 50\n"
    "[boundary.hot]\n"  // 5
    "type = \"temperature\"\n"
    "value = \"300 + 20*y\"\n";  // 7
const std::string transient = std::string(steady) +
                              "[time]\n"  // 8
                              "end = 2\n"
                              "step = 0.5\n"  // 10
                              "[initial]\n"
                              "temperature = 290\n";  // 12

using CaseFileHeat = test::CaseFileTest;

TEST_F(CaseFileHeat, FillsInDefaults) {
  const Case c = read(steady);
  const auto& heat = test::setup<HeatSetup>(c);
  EXPECT_FALSE(heat.time);
  EXPECT_EQ(heat.conductivity.everywhere.constant(), 50);
  EXPECT_TRUE(heat.conductivity.of_region.empty());
  EXPECT_FALSE(heat.heat_capacity);
  EXPECT_EQ(heat.source.everywhere.constant(), 0);
  EXPECT_EQ(heat.boundary.at("hot").f().at(Vec3{0, 2, 0}, 0), 340);
  EXPECT_EQ(heat.heat.tolerance, 1e-8);
  EXPECT_EQ(c.output.fields, (std::vector<std::string>{"temperature", "heat_flux"}));
  EXPECT_EQ(c.effective["heat"].dump(), R"({"conductivity":50.0,"heat_capacity":null,"source":0.0})");
  EXPECT_FALSE(c.effective.contains("flow"));
  EXPECT_FALSE(c.effective.contains("time"));
}

TEST_F(CaseFileHeat, ReadsATransientRun) {
  const Case c = read(with(transient, 4, "conductivity = 50\nheat_capacity = 4e6\nsource = \"t\""));
  const auto& heat = test::setup<HeatSetup>(c);
  EXPECT_EQ(heat.time->end, 2);
  EXPECT_EQ(heat.time->step.step, 0.5);
  EXPECT_EQ(heat.heat_capacity->everywhere.constant(), 4e6);
  EXPECT_TRUE(heat.source.everywhere.depends_on_time());
  EXPECT_EQ(heat.initial_temperature.constant(), 290);
  EXPECT_EQ(c.output.every, std::nullopt);
}

TEST_F(CaseFileHeat, ReadsTheOtherBoundaries) {
  const Case c = read(std::string(steady) +
                      "[boundary.a]\ntype = \"flux\"\nvalue = -10\n[boundary.b]\ntype = \"insulated\"\n"
                      "[boundary.c]\ntype = \"convection\"\ncoefficient = 5\nambient = \"x\"\n");
  const auto& heat = test::setup<HeatSetup>(c);
  EXPECT_EQ(heat.boundary.at("a").f().constant(), -10);
  EXPECT_EQ(heat.boundary.at("b").kind, BoundaryKind::natural);
  EXPECT_EQ(heat.boundary.at("c").f().constant(), 5);
  EXPECT_EQ(heat.boundary.at("c").g().at(Vec3{3, 0, 0}, 0), 3);
}

TEST_F(CaseFileHeat, ReadsATableByVolumeGroup) {
  const Case c = read(with(steady, 4, "conductivity = { steel = 50, rubber = \"0.2+x\" }"));
  const auto& conductivity = test::setup<HeatSetup>(c).conductivity.of_region;
  EXPECT_EQ(conductivity.at("steel").constant(), 50);
  EXPECT_EQ(conductivity.at("rubber").at(Vec3{1, 0, 0}, 0), 1.2);
  EXPECT_EQ(c.effective["heat"]["conductivity"].dump(), R"({"steel":50.0,"rubber":"0.2+x"})");
  const Case set = read(with(steady, 4, "conductivity = { steel = 50 }"), {"heat.conductivity.steel=60"});
  EXPECT_EQ(test::setup<HeatSetup>(set).conductivity.of_region.at("steel").constant(), 60);
  EXPECT_EQ(
      faults(with(steady, 4, "conductivity = { steel = -1 }")),
      "`steel` in [heat.conductivity] (case.toml:4): found -1, expected a number greater than 0 or an expression in "
      "quotes");
  EXPECT_EQ(
      faults(with(steady, 4, "conductivity = {}")),
      "nothing in [heat.conductivity] (case.toml:4): expected a value for each volume group of the mesh: { steel = "
      "50.0, rubber = 0.2 }");
}

TEST_F(CaseFileHeat, NamesWhatIsMissing) {
  EXPECT_EQ(faults(with(steady, 4, "")),
            "missing key `conductivity` in [heat] (case.toml:3): expected a number greater than 0 or an expression in "
            "quotes");
  EXPECT_EQ(faults(transient),
            "missing key `heat_capacity` in [heat] (case.toml:3): expected a number greater than 0 or an expression in "
            "quotes");
  EXPECT_EQ(faults(with(steady, 7, "")),
            "missing key `value` in [boundary.hot] (case.toml:5): expected a number or an expression in quotes");
  EXPECT_EQ(
      faults(std::string(steady) + "[boundary.c]\ntype = \"convection\"\ncoefficient = -1\n"),
      "missing key `ambient` in [boundary.c] (case.toml:8): expected a number or an expression in quotes\n"
      "`coefficient` in [boundary.c] (case.toml:10): found -1, expected a number of at least 0 or an expression in "
      "quotes");
  EXPECT_EQ(faults(with(steady, 4, "conductivity = 1\nheat_capacity = 1") + "[time]\nend = 1\nstep = 1\n"),
            "missing table [initial] (case.toml): expected `temperature`");
}

TEST_F(CaseFileHeat, TellsFlowFromHeat) {
  EXPECT_EQ(faults(std::string(steady) + "[flow]\nviscosity = 1\n"),
            "`flow` and `heat` in the case (case.toml:8): found both, expected exactly one");
  EXPECT_EQ(faults(with(steady, 6, "type = \"wall\"")),
            "`type` in [boundary.hot] (case.toml:6): \"wall\" belongs to [flow]");
  EXPECT_EQ(faults(with(with(transient, 4, "conductivity = 1\nheat_capacity = 1"), 11, "cfl = 1")),
            "`cfl` in [time] (case.toml:11) belongs to [flow]; heat conduction takes a `step` in s");
  EXPECT_EQ(faults(with(with(transient, 4, "conductivity = 1\nheat_capacity = 1"), 11, "step = 1e-300")),
            "`step` in [time] (case.toml:11): found 1e-300, expected at least 1e-09 s, so that not more than 2e+09 "
            "steps lead to `end`");
  EXPECT_EQ(faults(std::string(steady) + "[solver.potential]\ntolerance = 1e-4\n"),
            "`[solver.potential]` (case.toml:8) belongs to [flow]");
  EXPECT_EQ(faults(std::string(steady) + "[output]\nfields = [\"pressure\"]\n"),
            "`fields` in [output] (case.toml:9): found \"pressure\", expected \"temperature\" or \"heat_flux\"");
}

TEST_F(CaseFileHeat, RefusesWhatASteadyStateHasNoUseFor) {
  EXPECT_EQ(
      faults(std::string(steady) + "[initial]\ntemperature = 1\n"),
      "`[initial]` (case.toml:8) belongs to a transient run: add [time], or leave it out, for a steady state has no "
      "past");
  EXPECT_EQ(faults(std::string(steady) + "[output]\nevery = 1\n"),
            "unknown key `every` in [output] (case.toml:9): known are `fields`, `format`, `within` and `every_cells`");
  const std::string why =
      "expected an expression without t, for a steady state has no time (or a transient run: add [time])";
  EXPECT_EQ(faults(with(steady, 7, "value = \"300+t\"")),
            "`value` in [boundary.hot] (case.toml:7): found \"300+t\", " + why);
  EXPECT_EQ(faults(with(steady, 4, "conductivity = { steel = \"1+t\" }")),
            "`steel` in [heat.conductivity] (case.toml:4): found \"1+t\", " + why);
}

}  // namespace
}  // namespace solenoid
