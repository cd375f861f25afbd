#include "run/loop/processor_watch.hpp"

#include "base/error.hpp"

namespace solenoid {

namespace {

/// CPU time of all threads of this process so far [s].
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

std::optional<std::string> waiting_text(int steps, double wall, double processor) {
  constexpr double long_enough = 5;  // seconds
  constexpr double far_slower = 3;
  constexpr int enough = 3;
  if (steps < enough || wall < long_enough || wall < far_slower * processor) return std::nullopt;
  return message(
      "warning: the steps wait for processors: {:.2g} s each, of which {:.2g} s is work. Other programs use the cores, "
      "or "
      "there are more ranks than cores: a rank of Open MPI gives way to everything then. Take fewer ranks or wait for "
      "the "
      "others; with no more ranks than cores, unset rmaps_base_oversubscribe and mpi_yield_when_idle",
      wall / steps, processor / steps);
}

void ProcessorWatch::begin() {
  since_begin_ = Stopwatch();
  processor_at_begin_ = processor_seconds();
}

void ProcessorWatch::end() {
  if (told_) return;
  ++steps_;
  wall_ += since_begin_.seconds();
  processor_ += processor_seconds() - processor_at_begin_;
  if (const auto text = waiting_text(steps_, wall_, processor_)) {
    log_.line(*text);
    told_ = true;
  } else if (wall_ > 30) {  // start a new measurement
    steps_ = 0;
    wall_ = processor_ = 0;
  }
}

}  // namespace solenoid
