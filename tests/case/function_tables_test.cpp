/// Tables as functions of formulas: what a case makes of CSV files, and the message of each fault.
#include <zlib.h>

#include <cmath>

#include "physics/wave/wave_setup.hpp"
#include "support/case_files.hpp"

namespace solenoid {
namespace {

constexpr const char* wave =
    "[mesh]\n"
    "file = \"a.msh\"\n"
    "[wave]\n"
    "speed = 340\n"
    "[time]\n"
    "end = 2\n"
    "cfl = 0.5\n"
    "[boundary.rim]\n"
    "type = \"displacement\"\n";
constexpr const char* pump_csv =
    "# measured\n"
    "time [s], flow[m^3/s]\n"
    "0, 1\n"
    "# a gap\n"
    "1.5, 4\n"
    "2, 3\n";
constexpr const char* pump =
    "[[table]]\n"
    "name = \"pump\"\n"
    "file = \"pump.csv\"\n"
    "arguments = [\"time\"]\n"
    "value = \"flow\"\n";

class FunctionTables : public test::CaseFileTest {
 protected:
  FunctionTables() { write("pump.csv", pump_csv); }
  void write(const char* name, const std::string& content) const { std::ofstream(folder_ / name) << content; }

  /// The displacement of the rim, given as this formula in a case with this [[table]].
  Coefficient<real> rim(const std::string& formula, const std::string& table = pump) const {
    const Case c = read(wave + ("value = \"" + formula + "\"\n") + table);
    return test::setup<WaveSetup>(c).boundary.at("rim").f();
  }
  std::string fault_of_file(const std::string& content, const std::string& table = pump) const {
    write("pump.csv", content);
    return faults(wave + table);
  }
};

TEST_F(FunctionTables, AreKnownToFormulas) {
  write("pump.csv", std::string("\xEF\xBB\xBF") + pump_csv);  // a byte order mark
  const Coefficient<real> f = rim("10*pump(t) + x");
  EXPECT_TRUE(f.depends_on_time());
  EXPECT_TRUE(f.depends_on_place());
  EXPECT_EQ(f.at(Vec3{1, 0, 0}, 0), 11);
  EXPECT_EQ(f.at(Vec3{}, 0.75), 25);
  EXPECT_EQ(f.at(Vec3{}, 2), 30);
  EXPECT_FALSE(rim("pump(x)").depends_on_time());
  EXPECT_EQ(rim("pump(0.75)").at(Vec3{}, 7), 2.5);
  const std::vector<Vec3> points(1300, Vec3{0.5, 0, 0});
  for (const real value : rim("pump(x)").at(points, 0)) EXPECT_EQ(value, 2);
}

TEST_F(FunctionTables, TakeTwoArguments) {
  write("map.csv", "y,t,u\n0,0,1\n0,2,3\n1,0,5\n1,2,11\n");
  const std::string map = "[[table]]\nname = \"map\"\nfile = \"map.csv\"\narguments = [\"t\", \"y\"]\nvalue = \"u\"\n";
  EXPECT_EQ(rim("map(t, y)", map).at(Vec3{0, 0.5, 0}, 1), 5);
  EXPECT_EQ(rim("map(t, y)", map).at(Vec3{0, 1, 0}, 2), 11);
  write("map.csv", "y,t,u\n0,0,1\n0,2,3\n1,0,5\n");
  EXPECT_EQ(faults(wave + map),
            "`file` in [[table]] (case.toml:12): found \"map.csv\", expected a table (t = 2, y = 1 has no row: two "
            "arguments take each value of the first beside each of the second)");
}

TEST_F(FunctionTables, MayBePacked) {
  const gzFile packed = gzopen((folder_ / "pump.csv").c_str(), "wb");
  gzputs(packed, pump_csv);
  gzclose(packed);
  EXPECT_EQ(rim("pump(t)").at(Vec3{}, 0.75), 2.5);
  std::filesystem::resize_file(folder_ / "pump.csv", 40);
  EXPECT_EQ(faults(wave + std::string(pump)),
            "`file` in [[table]] (case.toml:12): found \"pump.csv\", expected a table (is damaged: gzip cannot unpack "
            "it)");
}

TEST_F(FunctionTables, HaveAChecksumOfTheirContent) {
  const Case before = read(wave + std::string(pump));
  EXPECT_EQ(before.functions.at(0).name, "pump");
  EXPECT_EQ(before.settings()["table"][0]["checksum"], before.functions[0].checksum);
  write("pump.csv", "time,flow\n0,1\n2,3.5\n");
  const std::string after = read(wave + std::string(pump)).functions[0].checksum;
  EXPECT_NE(after, before.functions[0].checksum);
  EXPECT_EQ(after.size(), 8u);
}

TEST_F(FunctionTables, CoverTheTimeOfTheRunUnlessTheyGoOnBeyondIt) {
  EXPECT_EQ(fault_of_file("time,flow\n0.1,1\n1.5,4\n"),
            "`file` in [[table]] (case.toml:12): found \"pump.csv\", expected `time` from 0 to the `end` of the run in "
            "[time], 2 s, found 0.1 to 1.5 s; or `outside` = \"hold\" or \"periodic\"");
  EXPECT_EQ(rim("pump(t)", pump + std::string("outside = \"hold\"\n")).at(Vec3{}, 9), 4);
  EXPECT_EQ(
      fault_of_file("time,flow\n0,1\n1.5,4\n", pump + std::string("outside = \"periodic\"\n")),
      "`file` in [[table]] (case.toml:12): found \"pump.csv\", expected a table (a period ends with the value that "
      "it begins with, found 1 at time = 0, 4 at its end)");
  write("pump.csv", "time,flow\n0,1\n0.5,4\n1.5,1\n");
  EXPECT_EQ(rim("pump(t)", pump + std::string("outside = \"periodic\"\n")).at(Vec3{}, 3.5), 4);
}

TEST_F(FunctionTables, SayWhereAFormulaLeavesThem) {
  const auto f = rim("t > 1 ? pump(t + 1) : 0");
  EXPECT_EQ(f.at(Vec3{}, 1), 0);
  for (const std::size_t count : {std::size_t{1}, std::size_t{600}}) {
    try {
      f.at(std::vector<Vec3>(count), 1.5);
      ADD_FAILURE() << "evaluated";
    } catch (const Error& error) {
      EXPECT_EQ(without_folder(error.what()),
                "`value` in [boundary.rim] (case.toml:10): expression \"t > 1 ? pump(t + 1) : 0\" at t = 1.5 s: pump: "
                "`time` is 2.5, beyond its table from 0 to 2");
    }
  }
}

TEST_F(FunctionTables, NameWhatIsWrong) {
  const std::string found = "`file` in [[table]] (case.toml:12): found \"pump.csv\", expected a table (";
  EXPECT_EQ(fault_of_file("time;flow\n0,0;1,5\n"),
            found + "pump.csv:2: 3 values for 1 columns: commas separate columns, decimals take a point)");
  EXPECT_EQ(fault_of_file("time,flow\n0,1\n1,2\n1,3\n"), found + "`time` is 1 in row 3 after 1: it has to ascend)");
  EXPECT_EQ(fault_of_file("time,flow\n0,1\n2,nan\n"), found + "row 2 has no finite `flow`)");
  EXPECT_EQ(fault_of_file("time,flows\n0,1\n"), found + "no column `flow`: did you mean `flows`?)");
  EXPECT_EQ(fault_of_file("time,flow\n"), found + "no rows below the header)");
  std::filesystem::remove(folder_ / "pump.csv");
  EXPECT_EQ(faults(wave + std::string(pump)), found + "cannot be read)");
  write("pump.csv", pump_csv);
  EXPECT_EQ(fault_of_file("flow,time,flow\n0,0,1\n0,2,1\n"), found + "two columns `flow`)");
  for (const char* name : {"sin", "t", "T", "pi", "2a", "a-b"}) {
    EXPECT_EQ(faults(with(wave + std::string("value = \"x\"\n") + pump, 12, message("name = \"{}\"", name))),
              message("`name` in [[table]] (case.toml:12): found \"{}\", expected a name for formulas: letters, digits "
                      "and _, no digit first, and none that they know",
                      name));
  }
}

}  // namespace
}  // namespace solenoid
