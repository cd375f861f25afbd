/// Ends a program that was built for a newer processor, with a message instead of "illegal instruction". The one file
/// compiled for every processor; it runs before all others.
#include <unistd.h>

namespace {

constexpr char words[] =
    "error: this solenoid was built for processors from level " SOLENOID_CPU_LEVEL
    " on, and this machine's is an older one; build it here, or with -DSOLENOID_CPU=x86-64, which runs everywhere\n";

__attribute__((constructor(101))) void require_processor() {
  constexpr int bad_input = 2;
  __builtin_cpu_init();
  if (__builtin_cpu_supports(SOLENOID_CPU_LEVEL)) return;
  [[maybe_unused]] const auto written = write(STDERR_FILENO, words, sizeof(words) - 1);
  _exit(bad_input);
}

}  // namespace
