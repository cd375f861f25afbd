/// Files that the program writes: regular, made anew, never through a link or into a device.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>

namespace solenoid {

/// Makes `file` anew, empty, and opens it for writing. A file or a link that has the name goes; what a link leads to
/// stays as it is. Throws Error (exit code 1) that names the file and the reason.
std::FILE* create_file(const std::filesystem::path& file);

/// Opens `file` to write at its end; it is made where it is not there. Throws as create_file does, and where it is a
/// link.
std::FILE* append_to_file(const std::filesystem::path& file);

/// A file in the making. It has a name of its own beside `file`, `file` and fresh_suffix(), until it takes its place:
/// who reads `file` sees the old content or the new one, never a part.
class FreshFile {
 public:
  /// Makes it, empty. Throws Error (exit code 1) that names `file` and the reason.
  explicit FreshFile(std::filesystem::path file);
  ~FreshFile();  ///< removes it if it took no place
  FreshFile(const FreshFile&) = delete;
  FreshFile& operator=(const FreshFile&) = delete;

  /// Where it is now, to be written to.
  const std::filesystem::path& path() const { return path_; }
  /// Replaces `file`. Throws Error (exit code 1).
  void replace_file();

 private:
  std::filesystem::path file_, path_;
};

/// The end of the name of each file in the making: the same in all of this process, and no other's.
const std::string& fresh_suffix();

/// The file that a user names by `file`, who may do so by links: where these lead to. Throws Error (exit code 2) where
/// that is there and not a regular file.
std::filesystem::path output_file_named(const std::filesystem::path& file);

}  // namespace solenoid
