/// Detection of steps that wait for processors used by others, reported once.
#pragma once

#include <ctime>
#include <optional>
#include <string>

#include "base/log.hpp"
#include "base/phases.hpp"

namespace solenoid {

/// Warning about `steps` steps that took `wall` seconds, of which `processor` at work; nullopt if they were too short
/// to judge, or not much slower than their work. For use in tests, too.
std::optional<std::string> waiting_text(int steps, double wall, double processor);

/// Call begin() and end() around each step.
class ProcessorWatch {
 public:
  explicit ProcessorWatch(Log& log) : log_(log) {}
  void begin();
  void end();

 private:
  Log& log_;
  bool told_ = false;
  int steps_ = 0;
  double wall_ = 0, processor_ = 0;
  Stopwatch since_begin_;
  double processor_at_begin_ = 0;
};

}  // namespace solenoid
