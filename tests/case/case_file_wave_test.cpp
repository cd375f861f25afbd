/// The case file of waves: what it takes, and what each fault's message says.
#include "physics/wave/wave_setup.hpp"
#include "support/case_files.hpp"

namespace solenoid {
namespace {

/// The least that a case of waves must say.
constexpr const char* minimal_wave =
    "[mesh]\n"  // 1
    "file = \"a.msh\"\n"
    "[wave]\n"  // 3
    "speed = 340\n"
    "[time]\n"  // 5
    "end = 2\n"
    "cfl = 0.5\n"  // 7
    "[boundary.rim]\n"
    "type = \"displacement\"\n";  // 9

using CaseFileWave = test::CaseFileTest;

TEST_F(CaseFileWave, FillsInDefaults) {
  const Case c = read(minimal_wave);
  const auto& wave = test::setup<WaveSetup>(c);
  EXPECT_EQ(wave.speed.everywhere.constant(), 340);
  EXPECT_EQ(wave.source.everywhere.constant(), 0);
  EXPECT_EQ(wave.time->end, 2);
  EXPECT_EQ(wave.time->step.cfl, 0.5);
  EXPECT_EQ(wave.time->step.step, 0);
  EXPECT_EQ(wave.boundary.at("rim").f().constant(), 0);
  EXPECT_EQ(wave.displacement.constant(), 0);
  EXPECT_EQ(wave.rate.constant(), 0);
  EXPECT_EQ(wave.wave.tolerance, 1e-10);
  EXPECT_EQ(c.output.fields, (std::vector<std::string>{"displacement", "rate"}));
  EXPECT_EQ(c.output.every, 0.2);
  EXPECT_EQ(c.effective["boundary"].dump(), R"({"rim":{"type":"displacement","value":0.0}})");
  EXPECT_FALSE(c.effective.contains("flow"));
}

TEST_F(CaseFileWave, ReadsWhatItIsGiven) {
  const Case c = read(with(minimal_wave, 4, "speed = { air = 340, felt = \"100 + x\" }\nsource = \"sin(t)\"") +
                      "value = \"t\"\n[boundary.a]\ntype = \"free\"\n[boundary.b]\ntype = \"absorbing\"\n"
                      "[initial]\ndisplacement = \"x\"\nrate = 2\n");
  const auto& wave = test::setup<WaveSetup>(c);
  EXPECT_EQ(wave.speed.of_region.at("felt").at(Vec3{1, 0, 0}, 0), 101);
  EXPECT_TRUE(wave.source.everywhere.depends_on_time());
  EXPECT_EQ(wave.boundary.at("a").kind, BoundaryKind::natural);
  EXPECT_EQ(wave.boundary.at("b").kind, BoundaryKind::absorbing);
  EXPECT_EQ(wave.boundary.at("rim").f().at(Vec3{}, 3), 3);
  EXPECT_EQ(wave.displacement.at(Vec3{4, 0, 0}, 0), 4);
  EXPECT_EQ(wave.rate.constant(), 2);
}

TEST_F(CaseFileWave, NamesWhatIsWrong) {
  EXPECT_EQ(faults(with(minimal_wave, 4, "")),
            "missing key `speed` in [wave] (case.toml:3): expected a number greater than 0 or an expression in quotes");
  EXPECT_EQ(
      faults(with(minimal_wave, 4, "speed = \"1 + t\"")),
      "`speed` in [wave] (case.toml:4): found \"1 + t\", expected an expression without t: the speed of waves does "
      "not change");
  EXPECT_EQ(faults(with(minimal_wave, 9, "type = \"wall\"")),
            "`type` in [boundary.rim] (case.toml:9): \"wall\" belongs to [flow]");
  EXPECT_EQ(faults(with(minimal_wave, 9, "type = \"absorbing\"\nvalue = 1")),
            "unknown key `value` in [boundary.rim] (case.toml:10): known are `type`");
  EXPECT_EQ(faults(std::string(minimal_wave) + "[heat]\nconductivity = 1\n"),
            "`heat` and `wave` in the case (case.toml:10): found both, expected exactly one");
  EXPECT_EQ(faults(std::string(minimal_wave) + "[solver.heat]\ntolerance = 1e-4\n"),
            "`[solver.heat]` (case.toml:10) belongs to [heat]");
  EXPECT_EQ(faults(with(minimal_wave, 7, "")),
            "missing key `step` or `cfl` in [time] (case.toml:5): expected exactly one");
  EXPECT_EQ(faults(with(minimal_wave, 7, "cfl = 1\nscheme = \"euler\"")),
            "`scheme` in [time] (case.toml:8) is not for [wave]: its steps are of one length, by average acceleration, "
            "and do not settle");
}

}  // namespace
}  // namespace solenoid
