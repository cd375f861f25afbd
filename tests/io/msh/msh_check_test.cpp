/// What is checked of .msh files as they are read: places in messages, sections that are skipped, and that no
/// damage gets through to crash.
#include "io/msh/msh_check.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <random>

#include "base/error.hpp"
#include "io/gmsh/gmsh_reader.hpp"
#include "io/msh/msh_sections.hpp"
#include "support/files.hpp"

namespace solenoid {
namespace {

namespace fs = std::filesystem;
using test::content;
using test::replaced;
using test::test_meshes;

constexpr const char* formats[] = {"square-2.2.msh", "square-2.2-binary.msh", "square-4.1.msh",
                                   "square-4.1-binary.msh"};

std::string committed(const std::string& name) { return content(test_meshes / name); }

template <class T>
std::string bytes_of(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof(T)};
}

/// Every rank works in a folder of its own.
class MshCheck : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "solenoid-msh-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder = name;
  }
  void TearDown() override { fs::remove_all(folder); }

  fs::path put(const std::string& text) const {
    std::ofstream(folder / "a.msh", std::ios::binary) << text;
    return folder / "a.msh";
  }
  /// What the check says about a file of this content.
  std::string fault(const std::string& text) const {
    try {
      check_msh(put(text), "a.msh");
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_input);
      return error.what();
    }
    return "no fault";
  }
  void expect(const std::string& text, const std::string& start) const {
    EXPECT_EQ(fault(text).substr(0, start.size()), start) << fault(text);
  }

  fs::path folder;
};

TEST_F(MshCheck, AcceptsEveryFormat) {
  for (const char* name : formats) {
    const MshSummary summary = check_msh(put(committed(name)), name);
    EXPECT_EQ(summary.dimension, 2) << name;
    EXPECT_EQ(summary.cells, 14) << name;
    EXPECT_TRUE(summary.extras.empty()) << name;
    EXPECT_EQ(summary.version,
              std::string(name).find("2.2") != std::string::npos ? MshVersion::v2_2 : MshVersion::v4_1);
  }
  const std::string text = committed("square-4.1.msh");
  std::string windows;
  for (const char c : text) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(fault(windows), "no fault");
  EXPECT_EQ(fault(text.substr(0, text.size() - 1)), "no fault");
}

TEST_F(MshCheck, NamesTheLineOrTheByte) {
  const std::string text = committed("square-2.2.msh"), newer = committed("square-4.1.msh");
  expect(replaced(text, "\n2 1 0 0\n", "\n2 1 zero 0\n"),
         "a.msh:13: $Nodes, node 2: found `zero` for y, expected a number");
  expect(replaced(text, "\n2 1 0 0\n", "\n1 1 0 0\n"), "a.msh:13: $Nodes, node 1: is there a second time");
  expect(replaced(newer, "\n2 1 0 0 0 \n", "\n1 1 0 0 0 \n"), "a.msh:13: $Entities, point 1: is there a second time");

  std::string binary = committed("square-4.1-binary.msh");
  const std::size_t node = binary.find("$Nodes\n") + 7 + 4 * 8 + 12 + 8;  // behind the header and the first block's
  binary.replace(node + 8, 8, bytes_of(std::numeric_limits<double>::quiet_NaN()));
  expect(binary, message("a.msh: byte {}: $Nodes, node 1: found `nan` for x, expected a finite number", node + 8));
  binary.replace(node, 8, bytes_of(std::int64_t{1} << 50));
  expect(binary, message("a.msh: byte {}: $Nodes, node 1125899906842624: is out of the range 1 to 12", node));
}

TEST_F(MshCheck, AsksForNoMemoryThatAHeaderPromises) {
  for (const char* what : {"$Nodes", "$Elements"}) {
    std::string text = committed("square-4.1.msh"), binary = committed("square-4.1-binary.msh");
    const std::size_t line = text.find(what) + std::strlen(what) + 1, words = text.find(' ', line);
    text.replace(words + 1, text.find(' ', words + 1) - words - 1, "9000000000000000000");
    EXPECT_NE(fault(text).find("tells of 9000000000000000000"), std::string::npos) << fault(text);
    binary.replace(binary.find(what) + std::strlen(what) + 1 + 8, 8, bytes_of(std::int64_t{1} << 60));
    EXPECT_NE(fault(binary).find("tells of 1152921504606846976"), std::string::npos) << fault(binary);
  }
  std::string older = committed("square-2.2.msh");
  EXPECT_NE(fault(replaced(older, "$Elements\n22\n", "$Elements\n2000000000\n")).find("tells of 2000000000 elements"),
            std::string::npos);
}

TEST_F(MshCheck, RefusesNodeNumbersThatGmshWouldWrap) {  // its reader keeps 32 bits of them, and crashes
  for (const std::int64_t number : {std::int64_t{1} << 31, (std::int64_t{1} << 32) + 5}) {
    std::string text = committed("square-4.1.msh"), binary = committed("square-4.1-binary.msh");
    const std::size_t words = text.find("$Nodes\n") + 7, end = text.find('\n', words);
    text.replace(text.rfind(' ', end) + 1, end - text.rfind(' ', end) - 1, std::to_string(number));
    const std::size_t block = text.find('\n', words) + 1, first = text.find('\n', block) + 1;
    text.replace(first, text.find('\n', first) - first, std::to_string(number));
    const std::string expected = message(
        "$Nodes, node {}: expected a number of at most 2147483647, the largest that Gmsh takes: number the nodes from "
        "1 on",
        number);
    EXPECT_NE(fault(text).find(expected), std::string::npos) << fault(text);
    const std::size_t header = binary.find("$Nodes\n") + 7, node = header + 4 * 8 + 12 + 8;
    binary.replace(header + 3 * 8, 8, bytes_of(number));
    binary.replace(node, 8, bytes_of(number));
    EXPECT_NE(fault(binary).find(expected), std::string::npos) << fault(binary);
  }
}

TEST_F(MshCheck, CountsPartitionsWithoutOverflow) {
  const std::string text =
      fault(replaced(committed("square-2.2.msh"), "\n1 1 2 1 1 1 5\n", "\n1 1 3 1 1 2147483647 1 5\n"));
  EXPECT_NE(text.find("has 3 tags, the third of which tells of 2147483647 partitions; expected 2147483650 tags"),
            std::string::npos)
      << text;
}

TEST_F(MshCheck, SkipsWhatTheMeshDoesNotDependOn) {
  const std::string comments = "$Comments\n$Nodes of mine\n$EndComments\n";
  const std::string data = "$NodeData\n1\n\"x\"\n999999999999\n$EndNodeData\n";
  for (const char* name : formats) {
    const std::string text = committed(name), with = replaced(text, "$Nodes\n", comments + "$Nodes\n") + data + data;
    const MshSummary summary = check_msh(put(with), name);
    ASSERT_EQ(summary.extras.size(), 3u) << name;
    EXPECT_EQ(summary.extras[0], "$Comments");
    EXPECT_EQ(summary.extras[2], "$NodeData");
    EXPECT_EQ(read_mesh({folder / "a.msh", {}, 1}, [](const std::string&) {}).cell_count(), 14) << name;
  }
  expect(committed("square-2.2.msh") + "$NodeData\n1\n", "a.msh:");
  EXPECT_NE(fault(committed("square-2.2.msh") + "$NodeData\n1\n").find("expected `$EndNodeData`"), std::string::npos);
}

TEST_F(MshCheck, RefusesTheOtherByteOrder) {
  for (const char* name : {"square-2.2-binary.msh", "square-4.1-binary.msh"}) {
    const std::string swapped = replaced(committed(name), bytes_of(std::int32_t{1}), bytes_of(std::int32_t{1 << 24}));
    EXPECT_NE(fault(swapped).find("the other byte order. Gmsh converts it"), std::string::npos) << fault(swapped);
  }
}

/// Changes some bytes of `text`.
std::string damaged(std::string text, unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random()) % limit; };
  for (std::size_t count = 1 + below(3); count > 0; --count) {
    const std::size_t at = below(text.size());
    const std::int64_t numbers[] = {0, -1, 7, 100, std::int64_t{1} << 31, std::int64_t{1} << 40};
    switch (below(5)) {
      case 0:
        text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.erase(at, 1 + below(12));
        break;
      case 2:
        text.insert(at, text.substr(below(text.size()), 1 + below(40)));
        break;
      case 3:
        text.replace(at, below(2) == 0 ? 4 : 8, bytes_of(numbers[below(6)]).substr(0, below(2) == 0 ? 4 : 8));
        break;
      default:
        text.replace(at, 1, std::to_string(numbers[below(6)]));
    }
  }
  return text;
}

TEST_F(MshCheck, NoDamageGetsThroughToACrash) {
  int read = 0, refused = 0;
  for (const char* name : formats) {
    const std::string text = committed(name);
    for (unsigned seed = 0; seed < 60; ++seed) {
      try {
        EXPECT_GT(read_mesh({put(damaged(text, seed)), {}, 1}, [](const std::string&) {}).cell_count(), 0);
        ++read;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::bad_input) << name << " " << seed << ": " << error.what();
        ++refused;
      }
    }
  }
  EXPECT_GT(read, 0);
  EXPECT_GT(refused, 100);
}

TEST(IdSet, KnowsNearAndFarNumbers) {
  IdSet ids(2);
  for (const std::int64_t id : {std::int64_t{1}, std::int64_t{191}, std::int64_t{192}, std::int64_t{1} << 62}) {
    EXPECT_FALSE(ids.contains(id));
    EXPECT_TRUE(ids.insert(id));
    EXPECT_FALSE(ids.insert(id));
    EXPECT_TRUE(ids.contains(id));
  }
  EXPECT_FALSE(ids.contains(2));
}

}  // namespace
}  // namespace solenoid
