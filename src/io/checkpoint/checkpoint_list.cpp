#include "io/checkpoint/checkpoint_list.hpp"

#include <algorithm>
#include <regex>
#include <string>

namespace solenoid {

std::vector<FoundCheckpoint> checkpoints_in(const std::filesystem::path& folder) {
  static const std::regex name(R"(checkpoint_(\d+)\.h5)");
  std::vector<FoundCheckpoint> found;
  std::error_code ignored;
  for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator(folder, ignored)) {
    std::smatch match;
    const std::string file = entry.path().filename().string();
    if (entry.is_regular_file() && std::regex_match(file, match, name) && match[1].length() < 18) {
      found.push_back({std::stoll(match[1]), entry.path()});
    }
  }
  std::sort(found.begin(), found.end(),
            [](const FoundCheckpoint& a, const FoundCheckpoint& b) { return a.step > b.step; });
  return found;
}

}  // namespace solenoid
