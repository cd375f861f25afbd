#include "base/output_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <random>
#include <utility>

#include "base/error.hpp"

namespace solenoid {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const fs::path& file, const std::string& reason) {
  throw Error(ExitCode::failure, message("{}: cannot be written: {}", file.string(), reason));
}

/// Whether a new file may replace an existing entry: a file or a link, not a folder or a device.
bool is_replaceable(const fs::path& file) {
  std::error_code code;
  const fs::file_status status = fs::symlink_status(file, code);
  if (!fs::exists(status)) return false;  // other errors appear when the file is created
  if (!fs::is_regular_file(status) && !fs::is_symlink(status))
    fail(file, "it is a folder or a device, expected a regular file");
  return true;
}

/// Creates a file that did not exist before; -1 with errno on failure.
int create_new(const fs::path& file) {
  return open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

}  // namespace

std::FILE* create_file(const fs::path& file) {
  if (is_replaceable(file) && unlink(file.c_str()) != 0) fail(file, std::strerror(errno));
  const int descriptor = create_new(file);
  std::FILE* const stream = descriptor < 0 ? nullptr : fdopen(descriptor, "w");
  if (!stream) fail(file, std::strerror(errno));
  return stream;
}

std::FILE* append_to_file(const fs::path& file) {
  const int descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  std::FILE* const stream = descriptor < 0 ? nullptr : fdopen(descriptor, "a");
  if (!stream) fail(file, std::strerror(errno));
  return stream;
}

FreshFile::FreshFile(fs::path file) : file_(std::move(file)), path_(file_.string() + fresh_suffix()) {
  is_replaceable(file_);
  const int descriptor = create_new(path_);
  if (descriptor < 0) fail(file_, std::strerror(errno));
  close(descriptor);
}

FreshFile::~FreshFile() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove(path_, ignored);
}

void FreshFile::replace_file() {
  is_replaceable(file_);  // hours may have passed since the constructor
  std::error_code code;
  fs::rename(path_, file_, code);
  require(!code, [&] { return message("{}: cannot be replaced: {}", file_.string(), code.message()); });
  path_.clear();
}

const std::string& fresh_suffix() {
  static const std::string suffix = message(".{:08x}.part", std::random_device{}());
  return suffix;
}

fs::path output_file_named(const fs::path& file) {
  std::error_code code;
  const fs::file_status status = fs::status(file, code);
  require_input(!fs::is_directory(status),
                [&] { return message("{}: is a folder; expected a file to write", file.string()); });
  require_input(!fs::exists(status) || fs::is_regular_file(status),
                [&] { return message("{}: is a device or a pipe; expected a regular file to write", file.string()); });
  constexpr int most_links = 40;  // the limit of Linux
  fs::path found = file;
  for (int links = 0; fs::is_symlink(found, code); ++links) {
    require_input(links < most_links, [&] { return message("{}: its links lead nowhere", file.string()); });
    found = found.parent_path() / fs::read_symlink(found, code);
  }
  return found;
}

void write_text_file(const std::filesystem::path& file, const std::string& text) {
  FreshFile fresh(file);
  errno = 0;
  std::ofstream out(fresh.path());
  out << text;
  out.close();
  require(out.good(), [&] { return message("{}: cannot be written: {}", file.string(), std::strerror(errno)); });
  fresh.replace_file();
}

}  // namespace solenoid
