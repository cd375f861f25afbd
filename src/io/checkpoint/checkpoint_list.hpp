/// The checkpoints in a result folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace solenoid {

struct FoundCheckpoint {
  std::int64_t step;
  std::filesystem::path file;
};

/// The files checkpoint_000500.h5 etc. in `folder`, newest first. Serial.
std::vector<FoundCheckpoint> checkpoints_in(const std::filesystem::path& folder);

}  // namespace solenoid
