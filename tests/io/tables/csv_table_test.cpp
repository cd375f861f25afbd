/// Tables of numbers, whole and broken.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/comm.hpp"
#include "io/tables/csv.hpp"

namespace solenoid::test {
namespace {

TEST(CsvTable, TellsWhatIsWrongAndWhere) {
  if (Comm().size() > 1) GTEST_SKIP() << "one rank reads";
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "solenoid_csv_table_test.csv";
  const auto read = [&](const std::string& text, bool in_the_making = false) {
    std::ofstream(file) << text;
    return read_table(file, in_the_making);
  };
  const std::string text = "# from a book\nx,u [m/s]\n0,1\n1, -2e-3\n2,3";
  const std::vector<TableColumn> table = read(text);
  EXPECT_EQ(source_of_table(file), "from a book");
  ASSERT_EQ(table.size(), 2u);
  EXPECT_EQ(table[1].name, "u");
  EXPECT_EQ(table[1].unit, "m/s");
  EXPECT_EQ(table[1].values, (std::vector<double>{1, -2e-3, 3}));
  EXPECT_EQ(read(text + "\n")[1].values, table[1].values);
  EXPECT_EQ(read(text, true)[1].values, (std::vector<double>{1, -2e-3}));
  EXPECT_EQ(column_of(table, "v"), nullptr);
  for (const auto& [bad, said] :
       {std::pair("x,u\n0\n", ":2: 1 values for 2 columns"), std::pair("x,u\n0,1\n2", ":3: 1 values for 2 columns"),
        std::pair("x\n0\nzero\n", ":3: found `zero`"), std::pair("# x\n", "no header")}) {
    try {
      read(bad);
      ADD_FAILURE() << bad;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(said), std::string::npos) << error.what();
    }
  }
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace solenoid::test
