#include "base/output_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "base/output_file.hpp"

namespace solenoid {

namespace fs = std::filesystem;

namespace {

// The list, one line each: comments, endings of the names of files in progress, names.
constexpr char comment = '#', suffix = '+';
constexpr const char* holder = "# last run: ";

std::string this_process() {
  std::array<char, 256> host{};
  if (gethostname(host.data(), host.size() - 1) != 0) std::strcpy(host.data(), "unknown");
  return message("process {} on {}", getpid(), host.data());
}

bool is_folder_itself(const fs::path& path) {
  std::error_code code;
  return fs::is_directory(fs::symlink_status(path, code));
}

bool is_file_itself(const fs::path& path) {
  std::error_code code;
  return fs::is_regular_file(fs::symlink_status(path, code));
}

bool is_there(const fs::path& path) {
  std::error_code code;
  return fs::exists(fs::symlink_status(path, code));
}

/// Makes a folder that may exist by now, because ranks make it at the same time; a link does not count as one.
void make_real_folder(const fs::path& path) {
  std::error_code code;
  fs::create_directory(path, code);
  require(is_folder_itself(path), [&] {
    return message("{}: cannot be made: {}", path.string(), code ? code.message() : "it is a link, expected a folder");
  });
}

/// The names of the folders on the way to `name`, the outermost first.
std::vector<std::string> folders_of(const std::string& name) {
  std::vector<std::string> folders;
  for (std::size_t at = name.find('/'); at != name.npos && at + 1 < name.size(); at = name.find('/', at + 1))
    folders.push_back(name.substr(0, at));
  return folders;
}

/// Whether a name from the list stays inside its folder, whatever its author.
bool is_inside(const std::string& name) {
  const char first = name.empty() ? '/' : name[0];
  if (first == '/' || first == comment || first == suffix || name.find_first_of(std::string("\n\0", 2)) != name.npos)
    return false;
  for (const fs::path& part : fs::path(name)) {
    if (part == ".." || part == ".") return false;
  }
  return name != OutputList::file_name;
}

/// A killed process releases its files when the system has removed it, which takes a moment on a busy machine.
constexpr std::chrono::seconds patience{5};

/// False if another process holds the lock for longer than `most`; on file systems without locks there is no wait.
bool is_locked_within(std::chrono::seconds most, int file) {
  const auto end = std::chrono::steady_clock::now() + most;
  while (flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    if (std::chrono::steady_clock::now() >= end) return false;
    constexpr std::chrono::milliseconds between_looks{20};
    std::this_thread::sleep_for(between_looks);
  }
  return true;
}

void remove_one(const fs::path& path) {
  std::error_code code;
  fs::remove(path, code);
  require(!code || code == std::errc::directory_not_empty,
          [&] { return message("{}: cannot be removed: {}", path.string(), code.message()); });
}

}  // namespace

OutputList::OutputList(fs::path folder, Say say) : folder_(std::move(folder)), say_(std::move(say)) {
  const fs::path file = folder_ / file_name;
  file_ = open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  const int reason = errno;
  require_input(file_ < 0 ? reason != ELOOP : is_file_itself(file), [&] {
    return message("{}: is a link or a device, expected the list of results that Solenoid made; name another folder",
                   file.string());
  });
  require(file_ >= 0, [&] { return message("{}: cannot be written: {}", file.string(), std::strerror(reason)); });
  if (!is_locked_within(patience, file_)) {
    std::string by = "just started";
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with(holder)) by = line.substr(std::strlen("# "));
    }
    close(std::exchange(file_, -1));
    throw Error(ExitCode::bad_input,
                message("--output {}: another run is writing there ({}); wait for its end, or name another folder",
                        folder_.string(), by));
  }
  read();
}

OutputList::~OutputList() {
  if (file_ >= 0) close(file_);
}

bool OutputList::is_older_than_lists(const fs::path& folder) {
  if (!is_file_itself(folder / file_name)) return false;
  std::ifstream in(folder / file_name);
  const int first = in.get();
  return in.good() && first != comment;
}

void OutputList::read() {
  std::ifstream in(folder_ / file_name);
  for (std::string line; std::getline(in, line);) {
    if (in.eof()) break;  // an unfinished line: its file was not created
    if (line.starts_with(suffix) && line.find('/') == line.npos) suffixes_.push_back(line.substr(1));
    if (!line.starts_with(suffix) && !line.starts_with(comment) && is_inside(line)) names_.insert(line);
  }
}

void OutputList::append(const std::string& text) {
  errno = 0;
  require(write(file_, text.data(), text.size()) == static_cast<ssize_t>(text.size()), [&] {
    return message("{}: cannot be written: {}", (folder_ / file_name).string(),
                   std::strerror(errno != 0 ? errno : ENOSPC));
  });
}

void OutputList::begin() {
  require(ftruncate(file_, 0) == 0,
          [&] { return message("{}: cannot be written: {}", (folder_ / file_name).string(), std::strerror(errno)); });
  names_.clear();
  suffixes_ = {fresh_suffix()};
  append(
      "# Made by Solenoid. A new run with this output folder removes the files that are listed here, and no others.\n" +
      (holder + this_process()) + "\n# while they are made, their names end in\n" + suffix + fresh_suffix() + "\n");
}

void OutputList::go_on() {
  for (const std::string& name : names_) {
    for (const std::string& end : suffixes_) {
      const fs::path file = (folder_ / name).string() + end;
      if (is_reached_by_folders(name) && is_file_itself(file)) remove_one(file);
    }
  }
  suffixes_.push_back(fresh_suffix());
  append(holder + this_process() + "\n" + suffix + fresh_suffix() + "\n");
}

void OutputList::add(const std::string& name) {
  require(is_inside(name), [&] { return message("{}: is no name for a result", name); });
  for (const std::string& folder : folders_of(name)) make_folder(folder);
  if (has(name)) return;
  const fs::path file = folder_ / name;
  if (is_there(file)) keep_aside(file);
  append(name + "\n");
  names_.insert(name);
}

void OutputList::adopt(const std::string& name) {
  for (const std::string& folder : folders_of(name)) make_folder(folder);
  if (!has(name)) append(name + "\n");
  names_.insert(name);
}

void OutputList::make_folder(const std::string& name) {
  const fs::path path = folder_ / name;
  if (is_folder_itself(path)) return;
  if (is_there(path)) keep_aside(path);
  if (names_.insert(name + "/").second) append(name + "/\n");
  make_real_folder(path);
}

void OutputList::keep_aside(const fs::path& path) {
  fs::path kept = path.string() + ".kept";
  for (int number = 2; is_there(kept); ++number) kept = message("{}.kept-{}", path.string(), number);
  std::error_code code;
  fs::rename(path, kept, code);
  require(!code, [&] { return message("{}: cannot be renamed: {}", path.string(), code.message()); });
  say_(message("{} was there and is not a result of a run: it is kept as {}", path.string(), kept.filename().string()));
}

bool OutputList::is_reached_by_folders(const std::string& name) const {
  for (const std::string& folder : folders_of(name)) {
    if (!is_folder_itself(folder_ / folder)) return false;
  }
  return true;
}

bool OutputList::remove(const Choice& is_chosen) {
  bool found = false;
  for (auto name = names_.rbegin(); name != names_.rend(); ++name) {  // files before their folder
    if (!is_chosen(*name) || !is_reached_by_folders(*name)) continue;
    if (name->ends_with('/')) {
      const fs::path folder = folder_ / name->substr(0, name->size() - 1);
      if (is_folder_itself(folder)) remove_one(folder);
      continue;
    }
    std::vector<std::string> ends = suffixes_;
    ends.insert(ends.begin(), "");
    for (const std::string& end : ends) {
      const fs::path file = (folder_ / *name).string() + end;
      if (!is_file_itself(file)) continue;
      remove_one(file);
      found = true;
    }
  }
  return found;
}

OutputFolder OutputFolder::in(const std::string& name) const {
  OutputFolder folder = *this;
  if (name.empty()) return folder;
  folder.path_ /= name;
  folder.inside_ += name + "/";
  return folder;
}

fs::path OutputFolder::file(const std::string& name) const {
  if (list_) {
    list_->add(inside_ + name);
  } else {
    for (const std::string& folder : folders_of(name)) make_real_folder(path_ / folder);
  }
  return path_ / name;
}

void OutputFolder::remove_folder(const std::string& name) const {
  if (list_) list_->remove([&](const std::string& listed) { return listed.starts_with(inside_ + name + "/"); });
}

}  // namespace solenoid
