/// Detection of steps that wait for processors used by others, told once.
#pragma once

#include <ctime>
#include <optional>
#include <string>

#include "base/log.hpp"
#include "base/phases.hpp"

namespace solenoid {

/// What to say of so many steps that took `wall` seconds, `processor` of them at work; nothing where they were too
/// short to judge, or not far slower than their work. For use in tests, too.
std::optional<std::string> waiting_text(int steps, double wall, double processor);

/// Between begin() and end() is a step.
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
