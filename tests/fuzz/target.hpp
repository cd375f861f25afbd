/// What fuzz targets share: a file that holds the input, and the one way in which reading it may fail.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

/// Reads one input. Defined by each target, called by libFuzzer, and by replay.cpp where there is none.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace solenoid::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// A file in memory with a name, for readers that take one.
class InputFile {
 public:
  InputFile();
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  void put(std::string_view content);
  const std::filesystem::path& path() const { return path_; }

 private:
  int descriptor_;
  std::filesystem::path path_;
};

/// Whether `read` accepts the input. It refuses it by an Error of exit code 2 with a message; on any other Error the
/// program is aborted, and other exceptions are left to do so.
bool accepts(const std::function<void()>& read);

/// Ends the program, with words for whoever looks at what was found, unless `condition`.
void expect(bool condition, const char* words);

}  // namespace solenoid::fuzz
