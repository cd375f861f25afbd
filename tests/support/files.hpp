/// Files and their text, for tests.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace solenoid::test {

/// The repository's root. Defined in main.cpp: no other object depends on where it is, so that ccache knows them all.
std::filesystem::path source_folder();

/// Where the meshes of the tests are, one in every format.
inline const std::filesystem::path test_meshes = source_folder() / "meshes/tests";

inline std::string content(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// `text` with the first `old` in it replaced; a test without one fails.
inline std::string replaced(std::string text, const std::string& old, const std::string& wanted) {
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return at == std::string::npos ? text : text.replace(at, old.size(), wanted);
}

}  // namespace solenoid::test
