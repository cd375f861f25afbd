/// Case files as tests write and read them.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "base/error.hpp"
#include "case/case_file.hpp"

namespace solenoid::test {

/// What a case says of its physics, which is of this kind.
template <class Setup>
const Setup& setup(const Case& c) {
  return dynamic_cast<const Setup&>(*c.setup);
}

/// A case file in a scratch folder named "cavity".
class CaseFileTest : public testing::Test {
 protected:
  CaseFileTest()
      : folder_(std::filesystem::path(testing::TempDir()) / ("solenoid-" + std::to_string(getpid())) / "cavity") {
    std::filesystem::create_directories(folder_);
  }
  ~CaseFileTest() override { std::filesystem::remove_all(folder_.parent_path()); }

  Case read(const std::string& text, const std::vector<std::string>& sets = {}) const {
    std::ofstream(file()) << text;
    return read_case(file(), sets);
  }

  std::string faults(const std::string& text, const std::vector<std::string>& sets = {}) const {
    std::ofstream(file()) << text;
    return faults_of(file(), sets);
  }

  /// The text of the Error that reading `path` throws, with the folder left out of it.
  std::string faults_of(const std::filesystem::path& path, const std::vector<std::string>& sets = {}) const {
    try {
      read_case(path, sets);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_input);
      return without_folder(error.what());
    }
    return "no fault";
  }

  /// The text `given` with one line of it replaced.
  static std::string with(const std::string& given, int line, const std::string& replacement) {
    std::istringstream lines(given);
    std::string text, one;
    for (int i = 1; std::getline(lines, one); ++i) text += (i == line ? replacement : one) + "\n";
    return text;
  }

  std::string without_folder(std::string text) const {
    const std::string prefix = folder_.string() + "/";
    for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix)) {
      text.erase(at, prefix.size());
    }
    return text;
  }

  std::filesystem::path file() const { return folder_ / "case.toml"; }
  std::filesystem::path folder_;
};

}  // namespace solenoid::test
