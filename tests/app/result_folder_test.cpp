/// The result folder: what a new run clears, refuses and says.
#include "app/result_folder.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <optional>

#include "base/error.hpp"

namespace solenoid::test {
namespace {

namespace fs = std::filesystem;

/// A folder of each rank's own.
class ResultFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "solenoid-results-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder = name;
  }
  void TearDown() override { fs::remove_all(folder); }

  void put(const fs::path& file, const std::string& text = "1") const {
    fs::create_directories((folder / file).parent_path());
    std::ofstream(folder / file) << text;
  }
  /// The files below the folder, but for the mark.
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const std::string name = fs::relative(entry.path(), folder).string();
      if (!entry.is_directory() && name != ".solenoid-result") names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  std::string refusal() const {
    try {
      ResultFolder held(folder);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_input);
      return error.what();
    }
    return "accepted";
  }

  fs::path folder;
};

TEST_F(ResultFolderTest, ClearsResultsAndNothingElse) {
  EXPECT_EQ(ResultFolder(folder).replaced(), "");
  const std::string picture = "\x89PNG\r\n\x1a\n";
  for (const char* own : {"history.csv", "run.log", "fields.pvd", "fields.pvd.tmp", "fields_000012.pvtu",
                          "fields_000012/fields_000012_3.vtu", "patches.vtm"}) {
    put(own);
  }
  for (const char* line : {"lines/u_000012.csv", "lines/u_000012.csv.part"}) put(line, "s [m],x [m],y [m],z [m]\n");
  put("probes/centre.csv", "time [s],x [m],y [m],z [m],u [m/s]\n");
  put("patches/lid.vtp", "<DataArray type=\"Int64\" Name=\"cell_id\"/>");
  put("cavity.png", picture + "tEXtSoftware Solenoid tools/plot");
  put("summary.json", R"({"case": {"title": "Old cavity"}})");
  const std::vector<std::string> others{"fields_of_mine.vtu", "lines/measured.csv", "lines/measured_000001.csv",
                                        "notes.txt",          "patches/wing.vtp",   "probes/experiment.csv",
                                        "screenshot.png",     "summary.json.bak"};
  for (const std::string& other : others) put(other, other == "screenshot.png" ? picture + "ParaView" : "1");

  const std::string said = ResultFolder(folder).replaced();
  EXPECT_EQ(files(), others);
  EXPECT_NE(said.find(": its results are replaced; they were of \"Old cavity\", finished 20"), std::string::npos)
      << said;
  EXPECT_TRUE(fs::is_directory(folder / "lines"));
  EXPECT_FALSE(fs::exists(folder / "fields_000012"));
  EXPECT_EQ(ResultFolder(folder).replaced(), "");  // what is left is not Solenoid's

  put("fields_000003.pvtu");
  put("summary.json", "{\"case\": ");
  EXPECT_NE(ResultFolder(folder).replaced().find("they were of a run that did not finish"), std::string::npos);
}

TEST_F(ResultFolderTest, DoesNotFollowLinks) {
  ResultFolder(folder / "results");
  put("mine/u_000012.csv", "s [m],x [m],y [m],z [m]\n");
  put("mine/run.log");
  fs::create_directory_symlink(folder / "mine", folder / "results/lines");
  fs::create_symlink(folder / "mine/run.log", folder / "results/run.log");
  ResultFolder(folder / "results");
  EXPECT_TRUE(fs::exists(folder / "mine/u_000012.csv"));
  EXPECT_TRUE(fs::exists(folder / "mine/run.log"));
  EXPECT_TRUE(fs::is_symlink(folder / "results/lines"));
}

TEST_F(ResultFolderTest, RefusesFoldersThatSolenoidDidNotMake) {
  put("notes.txt");
  EXPECT_NE(refusal().find("the folder holds files that Solenoid did not make"), std::string::npos);
  EXPECT_EQ(files(), std::vector<std::string>{"notes.txt"});
  folder /= "notes.txt";
  EXPECT_NE(refusal().find("this is a file; name a folder"), std::string::npos);
  folder = folder.parent_path();
}

TEST_F(ResultFolderTest, RefusesASecondRunUntilTheFirstIsOver) {
  {
    std::optional<ResultFolder> first(std::in_place, folder);
    put("history.csv");
    const std::string text = refusal();
    EXPECT_NE(text.find("another run is writing there (last run: process " + std::to_string(getpid()) + " on "),
              std::string::npos)
        << text;
    EXPECT_EQ(files(), std::vector<std::string>{"history.csv"});
  }
  EXPECT_EQ(refusal(), "accepted");
}

}  // namespace
}  // namespace solenoid::test
