#include "app/result_folder.hpp"

#include <fstream>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace solenoid {

namespace fs = std::filesystem;

namespace {

constexpr const char* mark = ".solenoid-result";  // says that Solenoid made the folder

/// Names that a run writes: those below, and fields_<digits> with or without .pvtu.
bool is_result(const std::string& name) {
  for (const char* own : {"history.csv", "summary.json", "summary.json.part", "run.log", "lines", "fields.pvd",
                          "check.json", "mesh.vtu"}) {
    if (name == own) return true;
  }
  const std::string start = "fields_";
  if (name.rfind(start, 0) != 0) return false;
  const std::size_t end = name.find_first_not_of("0123456789", start.size());
  return end != start.size() && (end == std::string::npos || name.substr(end) == ".pvtu");
}

}  // namespace

void require_replaceable(const fs::path& folder) {
  if (!fs::exists(folder)) return;
  require_input(fs::is_directory(folder),
                [&] { return message("--output {}: this is a file; name a folder", folder.string()); });
  require_input(fs::exists(folder / mark) || fs::is_empty(folder), [&] {
    return message("--output {}: the folder holds files that Solenoid did not make; name another folder, or empty it",
                   folder.string());
  });
}

void prepare_result_folder(const fs::path& folder) {
  std::error_code error;
  require_replaceable(folder);
  if (fs::exists(folder)) {
    std::vector<fs::path> old;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      if (is_result(entry.path().filename().string())) old.push_back(entry.path());
    }
    for (const fs::path& path : old) {
      fs::remove_all(path, error);
      require(!error, [&] { return message("{}: cannot be removed: {}", path.string(), error.message()); });
    }
  }
  fs::create_directories(folder / "lines", error);
  require(!error, [&] { return message("{}: cannot be created: {}", folder.string(), error.message()); });
  std::ofstream file(folder / mark);
  file << "Made by Solenoid; a new run with this output folder replaces its results.\n";
  file.close();
  require(file.good(), [&] { return message("{}: cannot be written", (folder / mark).string()); });
}

}  // namespace solenoid
