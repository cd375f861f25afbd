/// Files of meshes and parts for tests, and what is said while they are read.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "io/gmsh/gmsh_reader.hpp"
#include "io/gmsh/gmsh_session.hpp"

namespace solenoid::test {

/// A folder and a mesh cache of its own for each rank: reading is serial, so every rank does all of it.
class MeshFiles : public testing::Test {
 protected:
  /// Loads Gmsh for all processes that it works in.
  static void SetUpTestSuite() { const GmshSession session; }
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "solenoid-meshes-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder = name;
    setenv("SOLENOID_CACHE", (folder / "cache").c_str(), 1);
  }
  void TearDown() override {
    unsetenv("SOLENOID_CACHE");
    std::filesystem::remove_all(folder);
  }

  std::filesystem::path put(const std::string& name, const std::string& text) const {
    std::ofstream(folder / name, std::ios::binary) << text;
    return folder / name;
  }
  MeshSource read(const MeshRequest& request) {
    said.clear();
    return read_mesh(request, [this](const std::string& line) { said += line + "\n"; });
  }

  /// Reading fails as wrong input, with a message that has all of `parts` in it.
  void expect_refused(const MeshRequest& request, const std::vector<std::string>& parts) {
    try {
      read(request);
      ADD_FAILURE() << request.file << " was read";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_input) << error.what();
      for (const std::string& part : parts) {
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos)
            << "no `" << part << "` in: " << error.what();
      }
    }
  }
  bool was_said(const std::string& text) const { return said.find(text) != std::string::npos; }

  std::filesystem::path folder;
  std::string said;
};

}  // namespace solenoid::test
