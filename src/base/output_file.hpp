/// Files that the program writes: regular, made anew, never through a link or into a device; small ones whole or not at
/// all.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>

namespace solenoid {

/// Creates `file`, empty, and opens it for writing. An existing file or link of that name is removed; the target of the
/// link stays unchanged. Throws Error (exit code 1) with the name of the file and the reason.
std::FILE* create_file(const std::filesystem::path& file);

/// Opens `file` for writing at its end, and creates it if it does not exist. Throws as create_file does, and if `file`
/// is a link.
std::FILE* append_to_file(const std::filesystem::path& file);

/// A file in progress. It has a name of its own next to `file` (`file` followed by fresh_suffix()) until it replaces
/// `file`: readers of `file` see the old content or the new one, never a part.
class FreshFile {
 public:
  /// Creates it, empty. Throws Error (exit code 1) with the name of `file` and the reason.
  explicit FreshFile(std::filesystem::path file);
  ~FreshFile();  ///< removes it if it has not replaced `file`
  FreshFile(const FreshFile&) = delete;
  FreshFile& operator=(const FreshFile&) = delete;

  /// Its current path, for writing.
  const std::filesystem::path& path() const { return path_; }
  /// Replaces `file`. Throws Error (exit code 1).
  void replace_file();

 private:
  std::filesystem::path file_, path_;
};

/// The ending of the name of each file in progress: the same throughout this process, different in every other.
const std::string& fresh_suffix();

/// The target of a user-supplied file name: follows links. Throws Error (exit code 2) if the target exists and is not a
/// regular file.
std::filesystem::path output_file_named(const std::filesystem::path& file);

/// Replaces `file` by `text`: a reader sees the old content or the new one, never a part. A link of that name is
/// replaced, not followed. Serial. Throws Error (exit code 1) that names the file and the reason.
void write_text_file(const std::filesystem::path& file, const std::string& text);

}  // namespace solenoid
