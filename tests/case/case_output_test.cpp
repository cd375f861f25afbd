/// The parts of the case file that ask for output: [output], [[probe]], [[line]], [[integral]] and
/// [[tracer]].
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "base/error.hpp"
#include "case/case_file.hpp"

namespace solenoid {
namespace {

namespace fs = std::filesystem;

class CaseOutput : public testing::Test {
 protected:
  CaseOutput() : folder_(fs::path(testing::TempDir()) / ("solenoid-output-" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~CaseOutput() override { fs::remove_all(folder_); }

  /// A case that ends at 2 s, with `text` from its line 8 on.
  Case read(const std::string& text) const {
    std::ofstream(folder_ / "case.toml") << "[mesh]\nfile = \"a.msh\"\n[flow]\nviscosity = 1\n"
                                            "[time]\nend = 2\nstep = 1\n"
                                         << text << "[boundary.lid]\ntype = \"wall\"\n";
    return read_case(folder_ / "case.toml", {});
  }
  std::string faults(const std::string& text) const {
    try {
      read(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_input);
      std::string found = error.what();
      const std::string prefix = folder_.string() + "/";
      for (std::size_t at; (at = found.find(prefix)) != found.npos;) found.erase(at, prefix.size());
      return found;
    }
    return "no fault";
  }

  fs::path folder_;
};

TEST_F(CaseOutput, TimesStandAloneOrBesideTheOthers) {
  const OutputSettings alone = read("[output]\ntimes = [0.5, 1, 2.0]\n").output;
  EXPECT_EQ(alone.times, (std::vector<double>{0.5, 1, 2}));
  EXPECT_EQ(alone.every, std::nullopt);
  EXPECT_EQ(alone.every_steps, std::nullopt);
  const OutputSettings every = read("[output]\ntimes = [0.3]\nevery = 0.5\n").output;
  EXPECT_EQ(every.every, 0.5);
  EXPECT_EQ(every.times, std::vector<double>{0.3});
  const Case steps = read("[output]\ntimes = [0.3]\nevery_steps = 7\n");
  EXPECT_EQ(steps.output.every_steps, 7);
  EXPECT_EQ(steps.output.every, std::nullopt);
  EXPECT_EQ(steps.effective["output"]["times"].dump(), "[0.3]");
}

TEST_F(CaseOutput, NamesTimesThatCannotBe) {
  EXPECT_EQ(faults("[output]\ntimes = [0, 1]\n"),
            "`times` in [output] (case.toml:9): found 0, expected a number greater than 0");
  EXPECT_EQ(faults("[output]\ntimes = [1, 0.5]\n"),
            "`times` in [output] (case.toml:9): found 0.5, expected a number greater than the one before it");
  EXPECT_EQ(
      faults("[output]\ntimes = [1, 3]\n"),
      "`times` in [output] (case.toml:9): found [1, 3], expected times up to the `end` of the run in [time], 2 s");
  const std::string close = "expected at least 2e-08 s between outputs, 1e-08 of the `end` in [time]";
  EXPECT_EQ(faults("[output]\nevery = 1e-300\n"), "`every` in [output] (case.toml:9): found 1e-300, " + close);
  EXPECT_EQ(faults("[output]\ntimes = [1e-12, 1]\n"), "`times` in [output] (case.toml:9): found [1e-12, 1], " + close);
  EXPECT_EQ(faults("[output]\ntimes = [1, 1.00000001]\n"),
            "`times` in [output] (case.toml:9): found [1, 1.00000001], " + close);
  EXPECT_EQ(faults("[output]\nevery = 2e-8\ntimes = [1, 1.0000001]\n"), "no fault");
  for (const char* value : {"1.0", "[]"}) {
    EXPECT_EQ(faults(std::string("[output]\ntimes = ") + value + "\n"),
              std::string("`times` in [output] (case.toml:9): found ") + value +
                  ", expected a list, each entry a number greater than 0");
  }
}

TEST_F(CaseOutput, ReadsProbes) {
  const Case c = read(
      "[[probe]]\nname = \"a\"\npoints = [[0.5, 0.25, 0]]\n"
      "[[probe]]\nname = \"b\"\npoints = [[1, 2, 3],\n[4, 5, 6]]\nevery_steps = 10\n"
      "fields = [\"pressure\", \"vorticity\"]\n");
  ASSERT_EQ(c.probes.size(), 2u);
  EXPECT_EQ(c.probes[0].name, "a");
  EXPECT_EQ(c.probes[0].fields, std::vector<std::string>{"velocity"});
  EXPECT_EQ(c.probes[0].every_steps, 1);
  ASSERT_EQ(c.probes[0].points.size(), 1u);
  EXPECT_EQ(c.probes[0].points[0].y, 0.25);
  EXPECT_EQ(c.probes[1].fields, (std::vector<std::string>{"pressure", "vorticity"}));
  EXPECT_EQ(c.probes[1].every_steps, 10);
  ASSERT_EQ(c.probes[1].points.size(), 2u);
  EXPECT_EQ(c.probes[1].points[1].z, 6);
  EXPECT_EQ(c.effective["probe"][0].dump(),
            R"({"name":"a","points":[[0.5,0.25,0.0]],"fields":["velocity"],"every_steps":1,"spectrum_from":null})");
}

TEST_F(CaseOutput, ReadsTracers) {
  const Case c = read(
      "[[tracer]]\nname = \"a\"\nfrom = [0, 1, 2]\nto = [1, 1, 2]\ncount = 3\nrelease_every = 0.5\n"
      "[[tracer]]\nname = \"b\"\nlow = [0, 0, 0]\nhigh = [1, 2, 0]\nrelease_from = 1\nevery_steps = 4\n"
      "[[tracer]]\nname = \"c\"\ncentre = [0.5, 0.5, 0]\nradius = 0.25\n");
  ASSERT_EQ(c.tracers.size(), 3u);
  ASSERT_EQ(c.tracers[0].points.size(), 3u);
  EXPECT_EQ(c.tracers[0].points[1].x, 0.5);
  EXPECT_EQ(c.tracers[0].points[2].z, 2);
  EXPECT_EQ(c.tracers[0].every, 0.5);
  EXPECT_FALSE(c.tracers[0].scattered || c.tracers[0].every_steps || c.tracers[0].last);
  EXPECT_EQ(std::get<BoxOfPoints>(c.tracers[1].scattered.value()).to.y, 2);
  EXPECT_EQ(c.tracers[1].start, 1);
  EXPECT_EQ(c.tracers[1].every_steps, 4);
  EXPECT_EQ(std::get<BallOfPoints>(c.tracers[2].scattered.value()).radius, 0.25);
  EXPECT_EQ(c.tracers[2].count, 100);
  EXPECT_EQ(
      c.effective["tracer"][2].dump(),
      R"({"name":"c","points":null,"from":null,"to":null,"low":null,"high":null,"centre":[0.5,0.5,0.0],)"
      R"("radius":0.25,"count":100,"release_from":0.0,"release_every":null,"release_to":null,"every_steps":null})");
}

TEST_F(CaseOutput, NamesFaultyProbes) {
  const std::string first = "[[probe]]\nname = \"a\"\npoints = [[0, 0, 0]]\n";
  EXPECT_EQ(faults("[[probe]]\nname = \"a\"\n"),
            "missing key `points` in [[probe]] (case.toml:8): expected a list of points, 3 numbers each: [[0.5, 0.5, "
            "0.0]]");
  for (const char* value : {"[]", "3", "[0.5, 0.5, 0]"}) {
    EXPECT_EQ(faults(std::string("[[probe]]\nname = \"a\"\npoints = ") + value + "\n"),
              std::string("`points` in [[probe]] (case.toml:10): found ") + value +
                  ", expected a list of points, 3 numbers each: [[0.5, 0.5, 0.0]]");
  }
  EXPECT_EQ(faults("[[probe]]\nname = \"a\"\npoints = [[0, 0, 0], [1, 1]]\n"),
            "`points` in [[probe]] (case.toml:10): found [1, 1], expected a point: 3 numbers");
  EXPECT_EQ(faults("[[probe]]\nname = \"a\"\npoints = [[0.5, \"y\", 0]]\n"),
            "`points` in [[probe]] (case.toml:10): found \"y\", expected a number");
  EXPECT_EQ(faults(first + "fields = []\n"),
            "`fields` in [[probe]] (case.toml:11): found [], expected a list of \"velocity\", \"pressure\", "
            "\"vorticity\"");
  EXPECT_EQ(faults(first + "fields = [\"presure\"]\nevery_steps = 0\n"),
            "`fields` in [[probe]] (case.toml:11): found \"presure\", expected \"velocity\", \"pressure\" or "
            "\"vorticity\": did you mean \"pressure\"?\n"
            "`every_steps` in [[probe]] (case.toml:12): found 0, expected an integer of at least 1");
  EXPECT_EQ(faults(first + first),
            "`name` in [[probe]] (case.toml:12): found \"a\", expected a name that no other probe has");
  EXPECT_EQ(faults("[[probe]]\nname = \"a/b\"\npoints = [[0, 0, 0]]\n"),
            "`name` in [[probe]] (case.toml:9): found \"a/b\", expected a name without / that can be part of a file's "
            "name");
}

TEST_F(CaseOutput, ReadsIntegrals) {
  const Case c = read(
      "[[integral]]\nname = \"all\"\n"
      "[[integral]]\nname = \"lid\"\npatches = [\"lid\"]\nfields = [\"wall_shear\"]\nevery_steps = 5\n");
  ASSERT_EQ(c.integrals.size(), 2u);
  EXPECT_EQ(c.integrals[0].patches, c.setup->patches());
  EXPECT_EQ(c.integrals[0].fields, (std::vector<std::string>{"pressure", "wall_shear", "y_plus"}));
  EXPECT_EQ(c.integrals[0].every_steps, 1);
  EXPECT_EQ(c.integrals[1].patches, std::vector<std::string>{"lid"});
  EXPECT_EQ(c.integrals[1].fields, std::vector<std::string>{"wall_shear"});
  EXPECT_EQ(c.integrals[1].every_steps, 5);
  EXPECT_EQ(c.effective["integral"][1].dump(),
            R"({"name":"lid","patches":["lid"],"fields":["wall_shear"],"every_steps":5})");
}

TEST_F(CaseOutput, ReadsForces) {
  const Case c = read(
      "[[force]]\nname = \"all\"\n"
      "[[force]]\nname = \"lid\"\npatches = [\"lid\"]\ndensity = 1000\nmoment_about = [1, 2, 0]\n"
      "reference_velocity = 2\nreference_area = 3\ndrag_direction = [0, 2, 0]\nevery_steps = 5\n");
  ASSERT_EQ(c.forces.size(), 2u);
  EXPECT_EQ(c.forces[0].patches, c.setup->patches());
  EXPECT_FALSE(c.forces[0].moment_about || c.forces[0].reference);
  EXPECT_EQ(c.forces[1].density, 1000);
  EXPECT_EQ(c.forces[1].moment_about->y, 2);
  EXPECT_EQ(c.forces[1].reference->area, 3);
  EXPECT_EQ(c.forces[1].drag.y, 1);
  EXPECT_EQ(c.effective["force"][0].dump(),
            R"({"name":"all","patches":["lid"],"density":1.0,"moment_about":null,"reference_velocity":null,)"
            R"("reference_area":null,"drag_direction":[1.0,0.0,0.0],"lift_direction":[0.0,1.0,0.0],"every_steps":1})");
}

TEST_F(CaseOutput, NamesFaultyForces) {
  EXPECT_EQ(faults("[[force]]\nname = \"a\"\nreference_velocity = 1\ndensity = 0\nlift_direction = [0, 0, 0]\n"),
            "`reference_velocity` in [[force]] (case.toml:10): found 1, expected `reference_area` beside it\n"
            "`density` in [[force]] (case.toml:11): found 0, expected a number greater than 0\n"
            "`lift_direction` in [[force]] (case.toml:12): found [0, 0, 0], expected a direction other than [0, 0, 0]");
  EXPECT_EQ(
      faults("[[force]]\nname = \"a\"\nreference_velocity = 1e-300\nreference_area = 1\n"),
      "`reference_velocity` in [[force]] (case.toml:10): found 1e-300, expected one with which density * velocity^2 * "
      "area / 2 is from 1e-100 to 1e+100 N, not 0");
}

TEST_F(CaseOutput, NamesFaultyIntegrals) {
  EXPECT_EQ(faults("[[integral]]\nname = \"a\"\npatches = [\"lyd\"]\nfields = [\"velocity\"]\nevery_steps = 0\n"),
            "`patches` in [[integral]] (case.toml:10): found \"lyd\", expected \"lid\": did you mean \"lid\"?\n"
            "`fields` in [[integral]] (case.toml:11): found \"velocity\", expected \"pressure\", \"wall_shear\" or "
            "\"y_plus\"\n"
            "`every_steps` in [[integral]] (case.toml:12): found 0, expected an integer of at least 1");
  EXPECT_EQ(faults("[[integral]]\nname = \"a\"\npatches = []\n"),
            "`patches` in [[integral]] (case.toml:10): found [], expected a list of \"lid\"");
  EXPECT_EQ(faults("[[integral]]\nname = \"a\"\n[[integral]]\nname = \"a\"\n"),
            "`name` in [[integral]] (case.toml:11): found \"a\", expected a name that no other integral has");
}

TEST_F(CaseOutput, ReadsSections) {
  const Case c = read(
      "[[section]]\nname = \"a\"\nplane = { point = [1, 2, 3], normal = [0, 4, 0] }\n"
      "within = { centre = [1, 2, 0], radius = 0.5 }\n"
      "[[section]]\nname = \"b\"\npatches = [\"lid\"]\nfields = []\nevery_steps = 3\n"
      "[[section]]\nname = \"c\"\nplane = { point = [0, 0, 0], normal = [1, 0, 0] }\n"
      "within = { min = [0, 0, 0], max = [1, 1, 1] }\n");
  ASSERT_EQ(c.sections.size(), 3u);
  EXPECT_EQ(c.sections[0].plane->point.y, 2);
  EXPECT_EQ(c.sections[0].plane->normal.y, 1);
  EXPECT_EQ(std::get<BallOfPoints>(*c.sections[0].within).radius, 0.5);
  EXPECT_EQ(c.sections[0].fields, std::vector<std::string>{"pressure"});
  EXPECT_EQ(c.sections[1].plane.has_value(), false);
  EXPECT_EQ(c.sections[1].patches, std::vector<std::string>{"lid"});
  EXPECT_TRUE(c.sections[1].fields.empty());
  EXPECT_EQ(c.sections[1].every_steps, 3);
  EXPECT_EQ(std::get<BoxOfPoints>(*c.sections[2].within).to.z, 1);
}

TEST_F(CaseOutput, NamesFaultySections) {
  EXPECT_EQ(faults("[[section]]\nname = \"a\"\n"),
            "missing key `plane` or `patches` in [[section]] (case.toml:8): expected exactly one");
  EXPECT_EQ(faults("[[section]]\nname = \"a\"\nplane = { point = [0, 0, 0], normal = [0, 0, 0] }\n"
                   "fields = [\"velocity\"]\n"),
            "`normal` in [section.0.plane] (case.toml:10): found [0, 0, 0], expected a direction other than [0, 0, 0]\n"
            "`fields` in [[section]] (case.toml:11): found \"velocity\", expected \"pressure\"");
  EXPECT_EQ(faults("[[section]]\nname = \"a\"\npatches = [\"lyd\"]\nwithin = { centre = [0, 0, 0] }\n"),
            "`patches` in [[section]] (case.toml:10): found \"lyd\", expected \"lid\": did you mean \"lid\"?\n"
            "`within` and `patches` in [[section]] (case.toml:11): found both, expected at most one\n"
            "`centre` in [section.0.within] (case.toml:11): found [0, 0, 0], expected `radius` beside it");
  EXPECT_EQ(faults("[[section]]\nname = \"a\"\nplane = 3\n"),
            "`plane` in [[section]] (case.toml:10): found 3, expected a table [section.0.plane]");
  EXPECT_EQ(
      faults("[[section]]\nname = \"a\"\nplane = { point = [0, 0, 0], normal = [1, 0, 0] }\n"
             "within = { min = [0, 1, 0], max = [1, 0, 0] }\n"),
      "`max` in [section.0.within] (case.toml:11): found [1, 0, 0], expected no coordinate less than that of `min`");
  EXPECT_EQ(
      faults("[[section]]\nname = \"a\"\nplane = { point = [0, 0, 0] }\nwithin = { radius = 1, max = [1, 1, 1] }\n"),
      "missing key `normal` in [section.0.plane] (case.toml:10): expected 3 numbers\n"
      "missing key `centre` or `min` in [section.0.within] (case.toml:11): expected exactly one\n"
      "`radius` in [section.0.within] (case.toml:11): found 1, expected `centre` beside it\n"
      "`max` in [section.0.within] (case.toml:11): found [1, 1, 1], expected `min` beside it");
}

TEST_F(CaseOutput, ReadsProfiles) {
  const Case c = read(
      "[[profile]]\nname = \"a\"\n"
      "[[profile]]\nname = \"b\"\nfields = [\"vorticity\"]\ndirection = [3, 0, 4]\npoints = 9\nfrom = 0.5\n"
      "variance = true\nevery_steps = 2\n"
      "[[profile]]\nname = \"c\"\npositions = [-1, 0.5, 2]\nwithin = { centre = [1, 2, 0], radius = 3 }\n");
  ASSERT_EQ(c.profiles.size(), 3u);
  EXPECT_EQ(c.profiles[0].fields, (std::vector<std::string>{"velocity", "pressure"}));
  EXPECT_EQ(c.profiles[0].planes.normal.y, 1);
  EXPECT_EQ(c.profiles[0].planes.points, 0);
  EXPECT_TRUE(c.profiles[0].planes.positions.empty());
  EXPECT_FALSE(c.profiles[0].variance);
  EXPECT_EQ(c.profiles[1].fields, std::vector<std::string>{"vorticity"});
  EXPECT_NEAR(c.profiles[1].planes.normal.x, 0.6, 1e-6);
  EXPECT_NEAR(c.profiles[1].planes.normal.z, 0.8, 1e-6);
  EXPECT_EQ(c.profiles[1].planes.points, 9);
  EXPECT_EQ(c.profiles[1].from, 0.5);
  EXPECT_TRUE(c.profiles[1].variance);
  EXPECT_EQ(c.profiles[1].every_steps, 2);
  EXPECT_EQ(c.profiles[2].planes.positions, (std::vector<double>{-1, 0.5, 2}));
  EXPECT_FALSE(c.profiles[1].planes.within);
  EXPECT_EQ(std::get<BallOfPoints>(c.profiles[2].planes.within.value()).radius, 3);
}

TEST_F(CaseOutput, NamesFaultyProfiles) {
  EXPECT_EQ(faults("[[profile]]\nname = \"a\"\nfields = [\"wall_shear\"]\ndirection = [0, 0, 0]\npoints = 1\n"),
            "`fields` in [[profile]] (case.toml:10): found \"wall_shear\", expected \"velocity\", \"pressure\", "
            "\"vorticity\", \"divergence\", \"stream_function\" or \"q_criterion\"\n"
            "`direction` in [[profile]] (case.toml:11): found [0, 0, 0], expected a direction other than [0, 0, 0]\n"
            "`points` in [[profile]] (case.toml:12): found 1, expected an integer of at least 2");
  EXPECT_EQ(faults("[[profile]]\nname = \"a\"\npoints = 20000\npositions = [0]\nfrom = 1e6\n"),
            "`points` in [[profile]] (case.toml:10): found 20000, expected at most 10000\n"
            "`points` and `positions` in [[profile]] (case.toml:11): found both, expected at most one\n"
            "`positions` in [[profile]] (case.toml:11): found [0], expected two numbers or more\n"
            "`from` in [[profile]] (case.toml:12): found 1000000.0, expected a time before the `end` of the run in "
            "[time], 2 s");
}

TEST_F(CaseOutput, ReadsPlanesAndIsosurfaces) {
  const Case c = read(
      "[output]\nfields = [\"pressure\"]\n"
      "[[plane]]\nname = \"a\"\nplane = { point = [1, 2, 3], normal = [0, 4, 0] }\n"
      "within = { centre = [1, 2, 0], radius = 0.5 }\nfields = [\"velocity\"]\nevery_steps = 3\n"
      "[[plane]]\nname = \"b\"\nplane = { point = [0, 0, 0], normal = [1, 0, 0] }\n"
      "[[isosurface]]\nname = \"a\"\nfield = \"q_criterion\"\nvalue = -2\n"
      "[[isosurface]]\nname = \"b\"\nfield = \"velocity\"\nvalues = [0.5, 1]\nfields = []\nevery_steps = 2\n");
  ASSERT_EQ(c.planes.size(), 2u);
  EXPECT_EQ(c.planes[0].plane.point.y, 2);
  EXPECT_EQ(c.planes[0].plane.normal.y, 1);
  EXPECT_EQ(std::get<BallOfPoints>(*c.planes[0].within).radius, 0.5);
  EXPECT_EQ(c.planes[0].fields, std::vector<std::string>{"velocity"});
  EXPECT_EQ(c.planes[0].every_steps, 3);
  EXPECT_FALSE(c.planes[1].within);
  EXPECT_EQ(c.planes[1].fields, std::vector<std::string>{"pressure"});
  EXPECT_FALSE(c.planes[1].every_steps);
  ASSERT_EQ(c.isosurfaces.size(), 2u);
  EXPECT_EQ(c.isosurfaces[0].field, "q_criterion");
  EXPECT_EQ(c.isosurfaces[0].values, std::vector<double>{-2});
  EXPECT_EQ(c.isosurfaces[0].fields, std::vector<std::string>{"pressure"});
  EXPECT_EQ(c.isosurfaces[1].values, (std::vector<double>{0.5, 1}));
  EXPECT_TRUE(c.isosurfaces[1].fields.empty());
  EXPECT_EQ(c.isosurfaces[1].every_steps, 2);
}

TEST_F(CaseOutput, NamesFaultyPlanesAndIsosurfaces) {
  EXPECT_EQ(faults("[[plane]]\nname = \"a\"\n"),
            "missing key `plane` in [[plane]] (case.toml:8): expected exactly one");
  EXPECT_EQ(faults("[[plane]]\nname = \"a\"\nplane = { point = [0, 0, 0], normal = [0, 0, 0] }\n"
                   "within = { centre = [0, 0, 0] }\nfields = [\"presure\"]\n"),
            "`normal` in [plane.0.plane] (case.toml:10): found [0, 0, 0], expected a direction other than [0, 0, 0]\n"
            "`centre` in [plane.0.within] (case.toml:11): found [0, 0, 0], expected `radius` beside it\n"
            "`fields` in [[plane]] (case.toml:12): found \"presure\", expected \"velocity\", \"pressure\", "
            "\"vorticity\", \"divergence\", \"stream_function\" or \"q_criterion\": did you mean \"pressure\"?");
  EXPECT_EQ(faults("[[isosurface]]\nname = \"a\"\nfield = \"pressure\"\nvalues = []\n"),
            "`field` in [[isosurface]] (case.toml:10): found \"pressure\", expected \"velocity\", \"vorticity\", "
            "\"stream_function\" or \"q_criterion\"\n"
            "`values` in [[isosurface]] (case.toml:11): found [], expected a list, each entry a number");
  EXPECT_EQ(faults("[[isosurface]]\nname = \"a\"\nfield = \"velocity\"\n"),
            "missing key `value` or `values` in [[isosurface]] (case.toml:8): expected exactly one");
  EXPECT_EQ(faults("[[isosurface]]\nname = \"a\"\nfield = \"velocity\"\nvalue = 1\nvalues = [2, 1]\n"),
            "`values` in [[isosurface]] (case.toml:12): found also `value`, expected one of them\n"
            "`values` in [[isosurface]] (case.toml:12): found 1, expected a number greater than the one before it");
}

}  // namespace
}  // namespace solenoid
