#include "app/result_folder.hpp"

#include <fstream>
#include <string>

#include "base/error.hpp"

namespace solenoid {

namespace fs = std::filesystem;

namespace {

constexpr const char* mark = ".solenoid-result";  // says that Solenoid made the folder

bool is_result(const std::string& name) {
  for (const char* own : {"history.csv", "summary.json", "run.log", "lines"}) {
    if (name == own) return true;
  }
  return name.rfind("fields", 0) == 0;
}

}  // namespace

void prepare_result_folder(const fs::path& folder) {
  std::error_code error;
  if (fs::exists(folder)) {
    require_input(fs::is_directory(folder),
                  [&] { return message("--output {}: this is a file; name a folder", folder.string()); });
    require_input(fs::exists(folder / mark) || fs::is_empty(folder), [&] {
      return message("--output {}: the folder holds files that Solenoid did not make; name another folder, or empty it",
                     folder.string());
    });
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      if (is_result(entry.path().filename().string())) fs::remove_all(entry.path(), error);
      require(!error, [&] { return message("{}: cannot be removed: {}", entry.path().string(), error.message()); });
    }
  }
  fs::create_directories(folder / "lines", error);
  require(!error, [&] { return message("{}: cannot be created: {}", folder.string(), error.message()); });
  std::ofstream(folder / mark) << "Made by Solenoid; a new run with this output folder replaces its results.\n";
}

}  // namespace solenoid
