/// The result folder: what a new run removes, refuses and says, and what makes room for its files.
#include "run/result/result_folder.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/output_file.hpp"
#include "io/paraview/pvd_file.hpp"
#include "io/paraview/vtk_writer.hpp"
#include "io/tables/csv.hpp"

namespace solenoid::test {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

/// A folder of each rank's own.
class ResultFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "solenoid-results-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root = name;
    folder = root / "results";
  }
  void TearDown() override { fs::remove_all(root); }

  OutputFolder take() {
    said.clear();
    return claim_result_folder(folder, [this](const std::string& line) { said += line + "\n"; });
  }
  void put(const fs::path& file, const std::string& text = "mine") const {
    fs::create_directories((root / file).parent_path());
    std::ofstream(root / file) << text;
  }
  std::string content(const fs::path& file) const {
    std::ifstream in(root / file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  /// What is in the result folder and its folders, but for the list.
  Names names() const {
    Names found;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const std::string name = fs::relative(entry.path().parent_path(), folder) / entry.path().filename();
      if (entry.path().filename() != OutputList::file_name)
        found.push_back(name.starts_with("./") ? name.substr(2) : name);
    }
    std::sort(found.begin(), found.end());
    return found;
  }
  std::string refusal() {
    try {
      take();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_input);
      return error.what();
    }
    return "accepted";
  }

  fs::path root, folder;
  std::string said;
};

void write(const OutputFolder& results, const std::string& name, const std::string& text = "result") {
  write_text_file(results.file(name), text);
}

TEST_F(ResultFolderTest, RemovesWhatTheRunBeforeWroteAndNothingElse) {
  {
    const OutputFolder results = take();
    EXPECT_EQ(said, "");
    for (const char* name :
         {"run.log", "fields_000012/fields_000012_0.vtu", "fields_000012.pvtu", "lines/u_000012.csv"})
      write(results, name);
    write(results, "summary.json", R"({"case": {"title": "Old cavity"}})");
    write(results, "summary.json", R"({"case": {"title": "Old cavity"}})");  // twice, as the .pvd of a series is
  }
  const std::string picture = "\x89PNG\r\n\x1a\n";
  put("results/cavity.png", picture + "tEXtSoftware Solenoid tools/plot");
  put("results/screenshot.png", picture + "ParaView");
  for (const char* own :
       {"fields_000012/notes.txt", "fields_000013.pvtu", "history.csv", "lines/v_000012.csv", "notes.txt"})
    put(fs::path("results") / own);

  take();
  EXPECT_EQ(names(), (Names{"fields_000012", "fields_000012/notes.txt", "fields_000013.pvtu", "history.csv", "lines",
                            "lines/v_000012.csv", "notes.txt", "screenshot.png"}));
  EXPECT_NE(said.find(": its results are replaced; they were of \"Old cavity\", finished 20"), std::string::npos)
      << said;
  {
    const OutputFolder results = take();
    EXPECT_EQ(said, "");  // what is left is the user's
    write(results, "run.log");
    write(results, "probes/a.csv");
  }
  take();
  EXPECT_NE(said.find("they were of a run that did not finish"), std::string::npos) << said;
  EXPECT_FALSE(fs::exists(folder / "probes"));
}

TEST_F(ResultFolderTest, RemovesWhatARunLeftThatWasKilled) {
  {
    const OutputFolder results = take();
    put("results/fields.pvd" + fresh_suffix());  // killed while it was written
    results.file("fields.pvd");
    results.file("lines/never_made.csv");
    std::ofstream(folder / OutputList::file_name, std::ios::app) << "notes.tx";  // killed while this was listed
  }
  put("results/notes.tx");
  put("results/fields.pvd.part");
  take();
  EXPECT_EQ(names(), (Names{"fields.pvd.part", "notes.tx"}));
}

TEST_F(ResultFolderTest, LeavesNothingOfAnotherWayOnFromAMoment) {
  const Names kept{"fields_000005.pvtu",
                   "fields_000005/fields_000005_0.vtu",
                   "averages/m_000020_000005.pvtu",
                   "lines/l_000020_000005.csv",
                   "lines/l_000010.csv",
                   "planes/p_000020_000005.vtp",
                   "probes/p_000020.csv",
                   "history.csv"},
      later{"fields_000015.pvtu",
            "fields_000015/fields_000015_0.vtu",
            "averages/m_000020_000015.pvtu",
            "lines/l_000020_000015.csv",
            "lines/l_000020.csv",
            "tracers/t_1000000.vtp",
            "planes/p_000020_000015.vtp",
            "isosurfaces/q_000015.vtp",
            "patches.vtm",
            "patches/in_000005.vtp"},
      of_longer_steps{"fields_000008.pvtu", "fields_000008/fields_000008_0.vtu", "planes/p_000008.vtp"};
  {
    const OutputFolder results = take();
    for (const Names* some : {&kept, &later, &of_longer_steps}) {
      for (const std::string& name : *some) write(results, name);
    }
    PvdFile series(results, "fields", "pvtu");
    PvdFile of_plane(results.in("planes"), "p", "vtp");
    for (PvdFile* one : {&series, &of_plane}) {
      one->add(5, 0.25), one->add(8, 0.9), one->add(15, 0.75);
      one->write();
    }
  }
  put("results/lines/l_000099.csv");  // on no list
  said.clear();
  const auto say = [this](const std::string& line) { said += line + "\n"; };
  const OutputFolder results = reopen_result_folder(folder, {10, 0.5}, say);
  remove_later_outputs(results, say);
  EXPECT_EQ(said, "  removed  outputs beyond step 10, t = 0.5 s: those of steps 8 to 1000000\n");
  for (const std::string& name : kept) EXPECT_TRUE(fs::exists(folder / name)) << name;
  for (const Names* some : {&later, &of_longer_steps}) {
    for (const std::string& name : *some) EXPECT_FALSE(fs::exists(folder / name)) << name;
  }
  EXPECT_FALSE(fs::exists(folder / "fields_000015"));
  EXPECT_EQ(content("results/lines/l_000099.csv"), "mine");
  const std::string series = content("results/fields.pvd");
  EXPECT_NE(series.find("timestep=\"0.25\""), series.npos);
  EXPECT_EQ(series.find("timestep=\"0.9\""), series.npos);
  EXPECT_EQ(series.find("timestep=\"0.75\""), series.npos);
  said.clear();
  write(results, "patches.vtm");
  remove_later_outputs(results, say);  // of what is gone already nothing is said
  EXPECT_EQ(said, "");
  EXPECT_TRUE(fs::exists(folder / "patches.vtm"));
}

TEST_F(ResultFolderTest, TrustsNoListThatLeadsElsewhere) {
  take();
  for (const char* own : {"mine/u.csv", "mine/deep/u.csv", "results/linked.csv.target"}) put(own);
  fs::create_directory_symlink(root / "mine", folder / "lines");
  fs::create_symlink(root / "mine/u.csv", folder / "linked.csv");
  std::ofstream(folder / OutputList::file_name, std::ios::app)
      << "../mine/u.csv\nlines/../../mine/u.csv\n"
      << (root / "mine/u.csv").string()
      << "\nlines/\nlines/u.csv\nlines/deep/\nlines/deep/u.csv\nlinked.csv\n.solenoid-result\n+/../../mine/u.csv\n";
  take();
  EXPECT_EQ(content("mine/u.csv"), "mine");
  EXPECT_EQ(content("mine/deep/u.csv"), "mine");
  EXPECT_TRUE(fs::is_symlink(folder / "lines"));
  EXPECT_TRUE(fs::is_symlink(folder / "linked.csv"));
}

TEST_F(ResultFolderTest, WritesThroughNoLink) {
  take();
  for (const char* file :
       {"history.csv", "run.log", "fields.pvd", "fields_000007/fields_000007_0.vtu", "lines/u_000000.csv"})
    put(fs::path("mine") / file);
  for (const char* name : {"history.csv", "run.log", "fields.pvd"})
    fs::create_symlink(root / "mine" / name, folder / name);
  for (const char* name : {"fields_000007", "lines"}) fs::create_directory_symlink(root / "mine" / name, folder / name);
  put("results/summary.json");
  const std::string series = "<DataSet timestep=\"0\" group=\"\" part=\"0\" file=\"fields_000000.pvtu\"/>\n";
  put("mine/fields.pvd", series);  // names a step that is not this run's

  {
    const OutputFolder results = take();
    CsvFile(results.file("history.csv"), {"step [-]"}).row({std::int64_t{1}});
    Log log(Comm(MPI_COMM_SELF), true);
    log.write_to(results.file("run.log"));
    write_csv(results.file("lines/u_000000.csv"), {"s [m]"}, {});
    VtkSeries(Comm(MPI_COMM_SELF), results, "fields").write(7, 0, {}, {}, {});
    write(results, "summary.json");
  }
  for (const char* file :
       {"history.csv", "run.log", "fields.pvd", "fields_000007/fields_000007_0.vtu", "lines/u_000000.csv"})
    EXPECT_EQ(content(fs::path("mine") / file), std::string(file) == "fields.pvd" ? series : "mine") << file;
  EXPECT_EQ(content("results/fields.pvd").find("fields_000000"), std::string::npos);
  EXPECT_EQ(content("results/history.csv"), "step [-]\n1\n");
  EXPECT_NE(said.find("history.csv was there and is not a result of a run: it is kept as history.csv.kept\n"),
            said.npos);
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 6) << said;
  EXPECT_EQ(content("results/summary.json.kept"), "mine");
  EXPECT_TRUE(fs::is_symlink(folder / "lines.kept"));
  EXPECT_FALSE(fs::is_symlink(folder / "lines"));

  put("results/history.csv");  // another one of the user's, now in the place of a result
  take().file("history.csv");
  EXPECT_EQ(said.find("kept as"), said.npos) << "what the list names is a result";
  put("results/history.csv");
  fs::remove(folder / OutputList::file_name);
  put("results/.solenoid-result", "# a list that was lost\n");
  take().file("history.csv");
  EXPECT_NE(said.find("history.csv.kept-2"), said.npos) << said;
}

TEST_F(ResultFolderTest, MayBeALinkItself) {
  fs::create_directory(root / "scratch");
  fs::create_directory_symlink(root / "scratch", folder);
  write(take(), "run.log");
  EXPECT_EQ(content("scratch/run.log"), "result");
  take();
  EXPECT_FALSE(fs::exists(root / "scratch/run.log"));
  EXPECT_TRUE(fs::is_symlink(folder));
}

TEST_F(ResultFolderTest, RefusesFoldersThatSolenoidDidNotMake) {
  put("results/notes.txt");
  EXPECT_NE(refusal().find("the folder holds files that Solenoid did not make"), std::string::npos);
  EXPECT_EQ(names(), Names{"notes.txt"});
  put("results/.solenoid-result", "Made by Solenoid; a new run with this output folder replaces its results.\n");
  EXPECT_NE(refusal().find("is of an early version of Solenoid, which kept no list of its files"), std::string::npos);
  fs::remove(folder / "notes.txt");
  EXPECT_EQ(refusal(), "accepted");
  fs::remove(folder / OutputList::file_name);
  put("list");
  fs::create_symlink(root / "list", folder / OutputList::file_name);
  EXPECT_NE(refusal().find(".solenoid-result: is a link or a device, expected the list"), std::string::npos);
  EXPECT_EQ(content("list"), "mine");
}

TEST_F(ResultFolderTest, RefusesWhatCanBeNoFolder) {
  put("file");
  fs::create_symlink(root / "nothing", root / "dangling");
  for (const auto& [name, reason] : std::initializer_list<std::pair<const char*, const char*>>{
           {"file", ": this is a file; name a folder"},
           {"file/a/b", "/file is a file; name another"},
           {"dangling", "/dangling is a link to nothing; name another"},
           {"dangling/a", "/dangling is a link to nothing; name another"}}) {
    folder = root / name;
    EXPECT_NE(refusal().find(reason), std::string::npos) << refusal();
  }
  folder = root / std::string(300, 'a');
  EXPECT_NE(refusal().find("name too long; name another"), std::string::npos) << refusal();
}

TEST_F(ResultFolderTest, RefusesASecondRunUntilTheFirstIsOver_Long) {
  {
    const OutputFolder first = take();
    write(first, "history.csv");
    const std::string text = refusal();
    EXPECT_NE(text.find("another run is writing there (last run: process " + std::to_string(getpid()) + " on "),
              std::string::npos)
        << text;
    EXPECT_EQ(names(), Names{"history.csv"});
  }
  EXPECT_EQ(refusal(), "accepted");
}

TEST_F(ResultFolderTest, AFileOfTheUsersChoiceIsFoundThroughLinksAndIsNoDevice) {
  put("far/bench.json");
  put("far/bench.json.part");
  fs::create_symlink("far/bench.json", root / "link");
  fs::create_symlink("link", root / "link-to-link");
  fs::create_symlink("far/new.json", root / "link-to-new");
  fs::create_symlink("loop", root / "loop");
  write_text_file(output_file_named(root / "link-to-link"), "figures");
  write_text_file(output_file_named(root / "link-to-new"), "figures");
  EXPECT_TRUE(fs::is_symlink(root / "link-to-link"));
  EXPECT_EQ(content("far/bench.json"), "figures");
  EXPECT_EQ(content("far/new.json"), "figures");
  EXPECT_EQ(content("far/bench.json.part"), "mine");
  EXPECT_EQ(std::distance(fs::directory_iterator(root / "far"), {}), 3);
  const auto refused = [&](const fs::path& file) {
    try {
      output_file_named(file);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_input);
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const fs::path pipe = root / "pipe";  // as a device would be treated
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  fs::create_symlink("pipe", root / "link-to-pipe");
  for (const fs::path& file : {pipe, root / "link-to-pipe"})
    EXPECT_EQ(refused(file), file.string() + ": is a device or a pipe; expected a regular file to write");
  EXPECT_EQ(refused(root), root.string() + ": is a folder; expected a file to write");
  EXPECT_EQ(refused(root / "loop"), (root / "loop").string() + ": its links lead nowhere");
  EXPECT_THROW(write_text_file(pipe, "figures"), Error);
  EXPECT_THROW(create_file(pipe), Error);
  EXPECT_TRUE(fs::is_fifo(pipe));
}

}  // namespace
}  // namespace solenoid::test
