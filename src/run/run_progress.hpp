/// What a run says of its steps: one live line on a terminal, now and then a plain line elsewhere, all of it in
/// run.log.
#pragma once

#include <functional>

#include "base/log.hpp"
#include "base/phases.hpp"
#include "physics/time_scheme.hpp"

namespace solenoid {

/// How far a run has come.
struct StepMoment {
  int step = 0;
  real time = 0;            ///< simulated [s]
  double wall_seconds = 0;  ///< since the first step began
};

class RunProgress {
 public:
  RunProgress(Log& log, const TimeSettings& time) : log_(log), time_(time) {}
  ~RunProgress() { log_.live(""); }
  RunProgress(const RunProgress&) = delete;
  RunProgress& operator=(const RunProgress&) = delete;

  /// After a step, or what a step is to the run. `figures()`: what else there is to say of it; `written`: its results
  /// were written.
  void step(const StepMoment& moment, const std::function<std::string()>& figures, bool written);

 private:
  std::string left(const StepMoment& moment);

  Log& log_;
  const TimeSettings& time_;
  bool is_first_ = true;
  Stopwatch since_live_, since_line_;
  struct Moment {
    double wall = 0, time = 0;
  } pace_from_, pace_next_;  // the pace is measured over the last minute or so
};

}  // namespace solenoid
