#include "app/result_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <vector>

#include "base/error.hpp"

namespace solenoid {

namespace fs = std::filesystem;

namespace {

constexpr const char* mark_name = ".solenoid-result";  // says that Solenoid made the folder, and locks it

/// The start of a file, long enough to tell who wrote it.
std::string start_of(const fs::path& file) {
  std::string start(4096, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(in.gcount()));
  return start;
}

/// What a run or tools/plot writes, as paths in the result folder. Other files are left alone, and so is what links
/// lead to.
std::vector<fs::path> results_in(const fs::path& folder) {
  static const std::regex at_top(
      R"((history\.csv|run\.log|mesh\.vtu|(check\.json|summary\.json|fields\.pvd|patches\.vtm|fields_\d{6,}\.pvtu)(\.tmp|\.part)?))");
  struct Below {
    std::regex folder, file;
    const char* mark;  // what the files start with or soon say
  };
  static const Below below[] = {
      {std::regex(R"(fields_\d{6,})"), std::regex(R"(fields_\d{6,}_\d+\.vtu)"), ""},
      {std::regex("lines"), std::regex(R"(.+_\d{6,}\.csv(\.tmp|\.part)?)"), "s [m],x [m],y [m]"},
      {std::regex("probes"), std::regex(R"(.+\.csv)"), "time [s],x [m],y [m]"},
      {std::regex("patches"), std::regex(R"(.+\.vtp)"), "Name=\"cell_id\""}};
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.is_symlink()) continue;
    const std::string name = entry.path().filename().string();
    if (!entry.is_directory()) {
      const bool drawn = entry.path().extension() == ".png" && start_of(entry.path()).find("Solenoid") != name.npos;
      if (std::regex_match(name, at_top) || drawn) found.push_back(entry.path());
      continue;
    }
    for (const Below& kind : below) {
      if (!std::regex_match(name, kind.folder)) continue;
      for (const fs::directory_entry& file : fs::directory_iterator(entry.path())) {
        if (file.is_regular_file() && !file.is_symlink() &&
            std::regex_match(file.path().filename().string(), kind.file) &&
            start_of(file.path()).find(kind.mark) != name.npos) {
          found.push_back(file.path());
        }
      }
      found.push_back(entry.path());  // goes if it is empty by then
    }
  }
  return found;
}

/// What left `folder`: a check, or a run with its title and when it ended.
std::string earlier_work(const fs::path& folder) {
  if (fs::exists(folder / "check.json")) return "a check";
  struct stat status {};
  std::ifstream in(folder / "summary.json");
  const auto summary = nlohmann::json::parse(in, nullptr, false);
  const auto title = nlohmann::json::json_pointer("/case/title");
  if (summary.is_discarded() || !summary.contains(title) || !summary[title].is_string() ||
      stat((folder / "summary.json").c_str(), &status) != 0) {
    return "a run that did not finish";
  }
  std::array<char, 32> when{};
  std::tm local{};
  localtime_r(&status.st_mtime, &local);
  std::strftime(when.data(), when.size(), "%Y-%m-%d %H:%M", &local);
  return message("\"{}\", finished {}", summary[title].get<std::string>(), when.data());
}

std::string this_process() {
  std::array<char, 256> host{};
  if (gethostname(host.data(), host.size() - 1) != 0) std::strcpy(host.data(), "unknown");
  return message("process {} on {}", getpid(), host.data());
}

}  // namespace

void require_replaceable(const fs::path& folder) {
  require_input(!fs::exists(folder) || fs::is_directory(folder),
                [&] { return message("--output {}: this is a file; name a folder", folder.string()); });
  require_input(!fs::exists(folder) || fs::exists(folder / mark_name) || fs::is_empty(folder), [&] {
    return message("--output {}: the folder holds files that Solenoid did not make; name another folder, or empty it",
                   folder.string());
  });
}

ResultFolder::ResultFolder(const fs::path& folder) {
  std::error_code code;
  require_replaceable(folder);
  fs::create_directories(folder, code);
  require(!code, [&] { return message("{}: cannot be created: {}", folder.string(), code.message()); });
  lock(folder / mark_name);

  const std::vector<fs::path> old = results_in(folder);
  if (std::any_of(old.begin(), old.end(), [](const fs::path& path) { return !fs::is_directory(path); }))
    replaced_ = message("{}: its results are replaced; they were of {}", folder.string(), earlier_work(folder));
  for (const fs::path& path : old) {
    fs::remove(path, code);
    require(!code || code == std::errc::directory_not_empty,
            [&] { return message("{}: cannot be removed: {}", path.string(), code.message()); });
  }
}

ResultFolder::~ResultFolder() {
  if (lock_ >= 0) close(lock_);
}

/// Takes the lock on `mark` and says there who holds it. File systems without locks leave the folder unlocked.
void ResultFolder::lock(const fs::path& mark) {
  const auto require_done = [&](bool done) {
    require(done, [&] { return message("{}: cannot be written: {}", mark.string(), std::strerror(errno)); });
  };
  lock_ = open(mark.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  require_done(lock_ >= 0);
  if (flock(lock_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    std::ifstream in(mark);
    std::string first, holder;
    std::getline(in, first);
    std::getline(in, holder);
    close(std::exchange(lock_, -1));
    throw Error(ExitCode::bad_input,
                message("--output {}: another run is writing there ({}); wait for its end, or name another folder",
                        mark.parent_path().string(), holder.empty() ? "just started" : holder));
  }
  const std::string text =
      "Made by Solenoid; a new run with this output folder replaces its results.\nlast run: " + this_process() + "\n";
  require_done(ftruncate(lock_, 0) == 0 && write(lock_, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
}

}  // namespace solenoid
