/// A folder for the files of a test that all ranks share.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

#include "base/comm.hpp"
#include "base/error.hpp"

namespace solenoid::test {

/// Made anew for each test, removed after it.
class SharedFolder : public testing::Test {
 protected:
  ~SharedFolder() override {
    comm.barrier();
    if (comm.is_root()) std::filesystem::remove_all(folder);
  }
  const Comm comm;
  const std::filesystem::path folder = made(comm);

 private:
  static std::filesystem::path made(const Comm& comm) {
    std::string name = (std::filesystem::temp_directory_path() / "solenoid-XXXXXX").string();
    if (comm.is_root() && !mkdtemp(name.data())) comm.abort(ExitCode::failure);
    return comm.broadcast(name);
  }
};

}  // namespace solenoid::test
