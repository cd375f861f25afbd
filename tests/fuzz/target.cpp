#include "fuzz/target.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/error.hpp"

namespace solenoid::fuzz {

void expect(bool condition, const char* words) {
  if (condition) return;
  std::fprintf(stderr, "fuzz target: %s\n", words);
  std::abort();
}

InputFile::InputFile() : descriptor_(memfd_create("input", 0)), path_("/proc/self/fd/" + std::to_string(descriptor_)) {
  expect(descriptor_ >= 0, "there is no memory for the input's file");
}
InputFile::~InputFile() { close(descriptor_); }

void InputFile::put(std::string_view content) {
  const bool is_cut = ftruncate(descriptor_, static_cast<off_t>(content.size())) == 0;
  const auto written = pwrite(descriptor_, content.data(), content.size(), 0);
  expect(is_cut && written == static_cast<ssize_t>(content.size()), "the input's file cannot be written");
}

bool accepts(const std::function<void()>& read) {
  try {
    read();
    return true;
  } catch (const Error& error) {
    if (error.code() == ExitCode::bad_input && *error.what() != '\0') return false;
    std::fprintf(stderr, "exit code %d: %s\n", static_cast<int>(error.code()), error.what());
    std::abort();
  }
}

}  // namespace solenoid::fuzz
