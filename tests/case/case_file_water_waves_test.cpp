/// The case file of water waves: what it takes, and what each fault's message says; depths from files.
#include <zlib.h>

#include <cmath>
#include <numbers>

#include "physics/waves/water_waves_setup.hpp"
#include "support/case_files.hpp"

namespace solenoid {
namespace {

/// The least that a case of water waves must say.
constexpr const char* minimal_sea =
    "[mesh]\n"  // 1
    "file = \"a.msh\"\n"
    "[waves]\n"  // 3
    "depth = 12\n"
    "period = 8\n"  // 5
    "[time]\n"
    "end = 2\n"  // 7
    "cfl = 0.7\n"
    "[boundary.mole]\n"  // 9
    "type = \"quay\"\n";

/// Columns from x = 10 m on, rows from y = 20 m on, 2 m apart; no data in the north-east.
constexpr const char* grid =
    "NCOLS 3\n"  // 1
    "nrows 2\n"
    "xllcorner 9\n"  // 3
    "yllcenter 20\n"
    "cellsize 2\n"  // 5
    "NODATA_value -9999\n"
    "5 6 -9999\n"  // 7
    "1 2 4\n";

class CaseFileWaterWaves : public test::CaseFileTest {
 protected:
  /// The setup with this file as its depth, and more in its table.
  Case read_depth(const std::string& name, const std::string& content, const std::string& more = "") const {
    std::ofstream(folder_ / name) << content;
    return read(with(minimal_sea, 4, "depth = { file = \"" + name + "\"" + more + " }"));
  }
  std::string depth_fault(const std::string& name, const std::string& content, const std::string& more = "") const {
    std::ofstream(folder_ / name) << content;
    return faults(with(minimal_sea, 4, "depth = { file = \"" + name + "\"" + more + " }"));
  }
  /// The fault of the depth at this place.
  std::string fault_at(const Case& c, const Vec3& place) const {
    try {
      test::setup<WaterWavesSetup>(c).depth.at(place, 0);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_input);
      return error.what();
    }
    return "no fault";
  }
};

TEST_F(CaseFileWaterWaves, FillsInDefaults) {
  const Case c = read(minimal_sea);
  const auto& sea = test::setup<WaterWavesSetup>(c);
  EXPECT_EQ(sea.depth.constant(), 12);
  EXPECT_EQ(sea.sea.frequency, 2 * std::numbers::pi / 8);
  EXPECT_EQ(sea.sea.gravity, 9.81);
  EXPECT_EQ(sea.sea.profile, VerticalProfile::cosh);
  EXPECT_EQ(sea.height, HeightMeaning::regular);
  EXPECT_EQ(sea.height_from, 0);
  EXPECT_EQ(sea.time->step.cfl, 0.7);
  EXPECT_FALSE(sea.sides.at("mole").is_open);
  EXPECT_EQ(sea.sides.at("mole").reflection, 1);
  EXPECT_EQ(sea.elevation.constant(), 0);
  EXPECT_EQ(sea.potential.constant(), 0);
  EXPECT_EQ(sea.elliptic.tolerance, 1e-6);
}

TEST_F(CaseFileWaterWaves, ReadsWhatItIsGiven) {
  const Case c =
      read(with(minimal_sea, 5,
                "period = 8\nprofile = \"parabolic\"\ngravity = 1\nheight = \"significant\"\n"
                "height_from = 1") +
           "reflection = 0.25\n[initial]\nelevation = \"x\"\npotential = 3\n[boundary.sea]\n"
           "type = \"open\"\n[[boundary.sea.incoming]]\nheight = 2\nperiod = 4\ndirection = 90\nphase = 180\n"
           "[[boundary.sea.incoming]]\nheight = 1\nperiod = 5\n");
  const auto& sea = test::setup<WaterWavesSetup>(c);
  EXPECT_EQ(sea.sea.profile, VerticalProfile::parabolic);
  EXPECT_EQ(sea.sea.gravity, 1);
  EXPECT_EQ(sea.height, HeightMeaning::significant);
  EXPECT_EQ(sea.height_from, 1);
  EXPECT_EQ(sea.sides.at("mole").reflection, 0.25);
  EXPECT_EQ(sea.elevation.at(Vec3{4, 0, 0}, 0), 4);
  EXPECT_EQ(sea.potential.constant(), 3);
  const WaterSide& side = sea.sides.at("sea");
  EXPECT_TRUE(side.is_open);
  EXPECT_EQ(side.reflection, 0);
  ASSERT_EQ(side.incoming.size(), 2);
  EXPECT_EQ(side.incoming[0].amplitude, 1);
  EXPECT_EQ(side.incoming[0].frequency, std::numbers::pi / 2);
  EXPECT_NEAR(side.incoming[0].direction.y, 1, 1e-15);
  EXPECT_NEAR(side.incoming[0].phase, std::numbers::pi, 1e-15);
  EXPECT_EQ(side.incoming[1].direction.x, 1);
}

TEST_F(CaseFileWaterWaves, ReadsASpectrumAndZones) {
  const Case c = read(std::string(minimal_sea) +
                      "[boundary.sea]\ntype = \"open\"\nspectrum = { height = 2, period = 9, components = 50 }\n"
                      "[[boundary.sea.incoming]]\nheight = 1\nperiod = 5\n[[zone]]\npatches = [\"sea\"]\nwidth = 30\n");
  const auto& sea = test::setup<WaterWavesSetup>(c);
  ASSERT_EQ(sea.sides.at("sea").incoming.size(), 51);
  EXPECT_NEAR(sea.sides.at("sea").incoming[1].amplitude, 2.0 / 4 * std::sqrt(2.0 / 50), 1e-15);
  EXPECT_EQ(c.effective["boundary"]["sea"]["spectrum"]["peakedness"], 3.3);
  EXPECT_EQ(c.effective["boundary"]["sea"]["spectrum"]["spreading"], 0);
  EXPECT_EQ(c.effective["boundary"]["sea"]["spectrum"]["seed"], 1);
  ASSERT_EQ(sea.zones.size(), 1);
  EXPECT_EQ(sea.zones[0].width, 30);
  const WaterProblem problem = sea.problem({"mole", "sea"});
  ASSERT_EQ(problem.zones.size(), 1);
  EXPECT_EQ(problem.zones[0].patches, std::vector<int>{1});
  EXPECT_EQ(problem.zones[0].waves.size(), 51);
}

TEST_F(CaseFileWaterWaves, GivesAZoneAlongSeveralGroupsTheirWavesOnce) {
  const auto seas = [](const std::string& height) {
    return std::string(minimal_sea) + "[boundary.north]\ntype = \"open\"\n[[boundary.north.incoming]]\nheight = 1\n" +
           "period = 5\n[boundary.west]\ntype = \"open\"\n[[boundary.west.incoming]]\nheight = " + height +
           "\nperiod = 5\n[[zone]]\npatches = [\"north\", \"west\"]\nwidth = 30\n";
  };
  const Case c = read(seas("1"));
  const WaterProblem problem = test::setup<WaterWavesSetup>(c).problem({"mole", "north", "west"});
  ASSERT_EQ(problem.zones.size(), 1);
  EXPECT_EQ(problem.zones[0].patches, (std::vector<int>{1, 2}));
  EXPECT_EQ(problem.zones[0].waves.size(), 1);
  EXPECT_EQ(faults(seas("2")),
            "`patches` in [[zone]] (case.toml:22): found [\"north\", \"west\"], expected groups with the same incoming "
            "waves: a [[zone]] for each of the others");
}

TEST_F(CaseFileWaterWaves, ReadsShips) {
  const Case c = read(std::string(minimal_sea) +
                      "[[ship]]\nname = \"ferry\"\nlength = 80\nbeam = 12\ndraught = 4\n"
                      "position = [\"3*t\", 5, 0]\nheading = \"90*t\"\n");
  const auto& sea = test::setup<WaterWavesSetup>(c);
  ASSERT_EQ(sea.ships.size(), 1);
  const Ship& ship = sea.ships[0];
  EXPECT_EQ(ship.name, "ferry");
  EXPECT_EQ(ship.length, 80);
  EXPECT_EQ(ship.beam, 12);
  EXPECT_EQ(ship.draught, 4);
  EXPECT_EQ(ship.rounding, 0.5);
  EXPECT_EQ(ship.ramp, 0);
  EXPECT_EQ(ship.density, 1025);
  EXPECT_EQ(ship.position.at(Vec3{}, 2).x, 6);
  EXPECT_EQ(ship.position.at(Vec3{}, 2).y, 5);
  EXPECT_NEAR(ship.heading.at(Vec3{}, 1).y, 1, 1e-15);
  EXPECT_EQ(sea.problem({"mole"}).ships.size(), 1);
}

TEST_F(CaseFileWaterWaves, ReadsACurrent) {
  const std::string key = "period = 8\nvelocity = ";
  const Case given = read(with(minimal_sea, 5, key + "[\"0.1*y\", -0.5, 0]"));
  const auto& sea = test::setup<WaterWavesSetup>(given);
  const Vec3 velocity = sea.current.value().at({3, 4, 0}, 0);
  EXPECT_NEAR(velocity.x, 0.4, 1e-15);
  EXPECT_EQ(velocity.y, -0.5);
  EXPECT_EQ(sea.quantities().back().field, "current");
  EXPECT_FALSE(test::setup<WaterWavesSetup>(read(minimal_sea)).current);
  EXPECT_EQ(faults(with(minimal_sea, 5, key + "[\"t\", \"t\", 0]")),
            "`velocity` in [waves] (case.toml:6): found [\"t\", \"t\", 0], expected expressions without t: the current "
            "is steady");
  EXPECT_EQ(faults(with(minimal_sea, 5, key + "{ average = \"mean\" }")),
            "missing key `result` in [waves.velocity] (case.toml:6): expected text in quotes");
  const Case of_result = read(with(minimal_sea, 5, key + "{ result = \"../river\" }"));
  try {
    test::setup<WaterWavesSetup>(of_result).current.value().at({3, 4, 0}, 0);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    EXPECT_NE(std::string(error.what()).find("`velocity` in [waves]"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("no such folder"), std::string::npos) << error.what();
  }
}

TEST_F(CaseFileWaterWaves, NamesWhatIsWrong) {
  EXPECT_EQ(faults(with(minimal_sea, 4, "depth = \"10 + t\"")),
            "`depth` in [waves] (case.toml:4): found \"10 + t\", expected an expression without t: the bottom does not "
            "move");
  EXPECT_EQ(faults(with(minimal_sea, 4, "depth = -1")),
            "`depth` in [waves] (case.toml:4): found -1, expected a number greater than 0 or an expression in quotes");
  EXPECT_EQ(faults(with(minimal_sea, 5, "")),
            "missing key `period` in [waves] (case.toml:3): expected a number greater than 0");
  EXPECT_EQ(faults(with(minimal_sea, 5, "period = 8\nheight_from = 2")),
            "`height_from` in [waves] (case.toml:6): found 2, expected a time before the `end` of the run in [time], 2 "
            "s");
  EXPECT_EQ(faults(with(minimal_sea, 8, "cfl = 1.2")),
            "`cfl` in [time] (case.toml:8): found 1.2, expected a number greater than 0 and up to 0.95");
  EXPECT_EQ(faults(with(minimal_sea, 8, "cfl = 0.7\nscheme = \"euler\"")),
            "`scheme` in [time] (case.toml:9) is not for [waves]: its steps are of one length, by Stoermer and Verlet, "
            "and do not settle");
  EXPECT_EQ(faults(minimal_sea + std::string("reflection = 1.5\n")),
            "`reflection` in [boundary.mole] (case.toml:11): found 1.5, expected a number from 0 to 1");
  EXPECT_EQ(faults(with(minimal_sea, 10, "type = \"open\"\nreflection = 0")),
            "unknown key `reflection` in [boundary.mole] (case.toml:11): known are `type`, `incoming` and "
            "`spectrum`");
  EXPECT_EQ(faults(with(minimal_sea, 10, "type = \"open\"\n[[boundary.mole.incoming]]\nheight = 0\n")),
            "missing key `period` in [[boundary.mole.incoming]] (case.toml:11): expected a number greater than 0\n"
            "`height` in [[boundary.mole.incoming]] (case.toml:12): found 0, expected a number greater than 0");
  EXPECT_EQ(faults(with(minimal_sea, 10, "type = \"open\"\nspectrum = { height = 1, peakedness = 0 }")),
            "missing key `period` in [boundary.mole.spectrum] (case.toml:11): expected a number greater than 0\n"
            "`peakedness` in [boundary.mole.spectrum] (case.toml:11): found 0, expected a number from 1 to 10");
  EXPECT_EQ(
      faults(with(minimal_sea, 10, "type = \"open\"\nspectrum = { height = 1, period = 9, components = 10001 }")),
      "`components` in [boundary.mole.spectrum] (case.toml:11): found 10001, expected an integer of at most 10000");
  EXPECT_EQ(faults(minimal_sea + std::string("[[zone]]\npatches = [\"beach\"]\n")),
            "missing key `width` in [[zone]] (case.toml:11): expected a number greater than 0\n"
            "`patches` in [[zone]] (case.toml:12): found [\"beach\"], expected groups of [boundary]: \"mole\"");
  EXPECT_EQ(faults(minimal_sea + std::string("[[ship]]\nname = \"a\"\nlength = 8\nbeam = 0\nposition = [\"x\", 0, 0]\n"
                                             "rounding = 0\n")),
            "missing key `draught` in [[ship]] (case.toml:11): expected a number greater than 0\n"
            "`beam` in [[ship]] (case.toml:14): found 0, expected a number greater than 0\n"
            "`position` in [[ship]] (case.toml:15): found [\"x\", 0, 0], expected expressions of t alone\n"
            "`rounding` in [[ship]] (case.toml:16): found 0, expected a number greater than 0 and up to 1");
  EXPECT_EQ(faults(with(minimal_sea, 10, "type = \"absorbing\"")),
            "`type` in [boundary.mole] (case.toml:10): \"absorbing\" belongs to [wave]");
  EXPECT_EQ(faults(std::string(minimal_sea) + "[wave]\nspeed = 1\n"),
            "`wave` and `waves` in the case (case.toml:11): found both, expected exactly one");
  EXPECT_EQ(faults(std::string(minimal_sea) + "[solver.wave]\ntolerance = 1e-4\n"),
            "`[solver.wave]` (case.toml:11) belongs to [wave]");
}

TEST_F(CaseFileWaterWaves, TakesDepthsFromAGrid) {
  const Case c = read_depth("bay.asc", grid);
  const Coefficient<real>& depth = test::setup<WaterWavesSetup>(c).depth;
  EXPECT_EQ(depth.at(Vec3{10, 20, 0}, 0), 1);
  EXPECT_EQ(depth.at(Vec3{12, 22, 0}, 0), 6);
  EXPECT_EQ(depth.at(Vec3{14, 20, 0}, 0), 4);  // beside a place without data
  EXPECT_NEAR(depth.at(Vec3{10.5, 21, 0}, 0), 0.75 * 3 + 0.25 * 4, 1e-14);
  EXPECT_EQ(depth.at(Vec3{9, 19, 0}, 0), 1);  // the outer half of a cell
  EXPECT_EQ(fault_at(c, {8.9, 20, 0}), "`depth` in [waves]: bay.asc has no value at (8.9, 20), which is in the mesh");
  EXPECT_EQ(fault_at(c, {13, 21, 0}), "`depth` in [waves]: bay.asc has no value at (13, 21), which is in the mesh");
  EXPECT_EQ(c.effective["waves"]["depth"]["file"], "bay.asc");
  EXPECT_EQ(c.effective["waves"]["depth"]["checksum"].get<std::string>().size(), 8);
}

TEST_F(CaseFileWaterWaves, KnowsWhereAGridWithoutNodataValueHasNone) {
  const Case c = read_depth("bay.asc", with(grid, 6, ""));
  EXPECT_EQ(test::setup<WaterWavesSetup>(c).depth.at(Vec3{12, 22, 0}, 0), 6);
  EXPECT_EQ(fault_at(c, {13, 21, 0}), "`depth` in [waves]: bay.asc has no value at (13, 21), which is in the mesh");
}

TEST_F(CaseFileWaterWaves, TakesHeightsOfTheBottomBelowALevel) {
  const Case c = read_depth("bay.asc", grid, ", level = 7.5");
  EXPECT_EQ(test::setup<WaterWavesSetup>(c).depth.at(Vec3{12, 22, 0}, 0), 1.5);
}

TEST_F(CaseFileWaterWaves, TakesDepthsFromSoundings) {
  const Case c = read_depth("bay.xyz", "# x y depth\n0 0 1 # a pile\n4,0,5\n  # more\n0\t4\t9\n\n4 4 13\n");
  const Coefficient<real>& depth = test::setup<WaterWavesSetup>(c).depth;
  EXPECT_NEAR(depth.at(Vec3{1, 2, 0}, 0), 1 + 1 + 4, 1e-13);
  EXPECT_EQ(depth.at(Vec3{4, 4, 0}, 0), 13);
  EXPECT_EQ(fault_at(c, {5, 2, 0}), "`depth` in [waves]: bay.xyz has no value at (5, 2), which is in the mesh");
}

TEST_F(CaseFileWaterWaves, TakesPackedFilesAndAChecksum) {
  const gzFile out = gzopen((folder_ / "bay.asc.gz").c_str(), "wb");
  gzputs(out, grid);
  gzclose(out);
  const std::string packed = "depth = { file = \"bay.asc.gz\"";
  const Case c = read(with(minimal_sea, 4, packed + " }"));
  EXPECT_EQ(test::setup<WaterWavesSetup>(c).depth.at(Vec3{10, 20, 0}, 0), 1);
  const std::string checksum = c.effective["waves"]["depth"]["checksum"];
  EXPECT_NO_THROW(read(with(minimal_sea, 4, packed + ", checksum = \"" + checksum + "\" }")));
  EXPECT_EQ(faults(with(minimal_sea, 4, packed + ", checksum = \"00000000\" }")),
            "`checksum` in [waves.depth] (case.toml:4): found \"00000000\", expected \"" + checksum +
                "\", that of bay.asc.gz, or none");
}

TEST_F(CaseFileWaterWaves, NamesWhatIsWrongInAFileOfDepths) {
  const auto fault = [&](const std::string& name, const std::string& content) {
    const std::string text = depth_fault(name, content);
    const std::string begin = "`file` in [waves.depth] (case.toml:4): found \"" + name + "\", expected depths (";
    EXPECT_TRUE(text.starts_with(begin)) << text;
    return text.substr(std::min(begin.size(), text.size()));
  };
  EXPECT_EQ(fault("a.asc", with(grid, 7, "5 6 shallow")), "line 7: found shallow, expected a number)");
  EXPECT_EQ(fault("a.asc", with(grid, 7, "5 6 1e999")), "line 7: found 1e999, expected a number)");
  EXPECT_EQ(fault("a.asc", with(grid, 8, "1 2")), "ends after 5 values, expected ncols times nrows, 3 times 2)");
  EXPECT_EQ(fault("a.asc", with(grid, 8, "1 2 3 4")), "line 8: a value more than ncols times nrows, 3 times 2)");
  EXPECT_EQ(fault("a.asc", with(grid, 5, "")), "the header has no cellsize)");
  EXPECT_EQ(fault("a.asc", with(grid, 5, "cellsize 0")), "cellsize is 0 m, expected more than 0)");
  EXPECT_EQ(fault("a.asc", with(grid, 1, "ncols 2.5")), "ncols is 2.5, expected a whole number from 2 to 1000000)");
  EXPECT_EQ(
      fault("a.asc", with(grid, 2, "rows 2")),
      "line 2: found rows, expected a number, or one of ncols, nrows, xllcorner, yllcorner, xllcenter, yllcenter, "
      "cellsize, nodata_value)");
  EXPECT_EQ(fault("a.asc", with(grid, 4, "yllcenter 20 m")), "line 4: expected one value after yllcenter)");
  EXPECT_EQ(fault("a.asc", ""), "the header has no ncols)");
  EXPECT_EQ(fault("a.xyz", "0 0 1\n1 0\n"), "line 2: found 2 values, expected three: x, y and the depth)");
  EXPECT_EQ(fault("a.xyz", "0 0 1\n1 0 1\n"), "has 2 points, expected three or more)");
  EXPECT_EQ(fault("a.xyz", "400000 0 1\n400001 2 1\n400002 4 1\n400004 8 3\n"),
            "has all points on one line, expected an area between them)");
  EXPECT_EQ(fault("a.csv", "0 0 1\n"), "is neither .asc, an ESRI grid, nor .xyz, soundings)");
  EXPECT_EQ(faults(with(minimal_sea, 4, "depth = { file = \"none.asc\" }")),
            "`file` in [waves.depth] (case.toml:4): found \"none.asc\", expected depths (cannot be read)");
  EXPECT_EQ(faults(with(minimal_sea, 4, "depth = { level = 1 }")),
            "missing key `file` in [waves.depth] (case.toml:4): expected text in quotes");
}

}  // namespace
}  // namespace solenoid
