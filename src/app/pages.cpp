/// Prints the pages generated from the options of solenoid at build time: `solenoid_pages man`, or the completion of a
/// shell.
#include <cstdio>

#include "app/program.hpp"

int main(int argc, char** argv) {
  try {
    const std::string page = solenoid::page_of_options(argc == 2 ? argv[1] : "");
    return std::fwrite(page.data(), 1, page.size(), stdout) == page.size() && std::fflush(stdout) == 0 ? 0 : 1;
  } catch (const solenoid::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return static_cast<int>(error.code());
  }
}
