/// What a run says of its steps: one live line on a terminal, now and then a plain line elsewhere, all of it in
/// run.log.
#pragma once

#include <optional>

#include "app/flow_output.hpp"
#include "base/log.hpp"
#include "base/phases.hpp"

namespace solenoid {

class RunProgress {
 public:
  RunProgress(Log& log, const TimeSettings& time) : log_(log), time_(time) {}
  ~RunProgress() { log_.live(""); }
  RunProgress(const RunProgress&) = delete;
  RunProgress& operator=(const RunProgress&) = delete;

  /// After each step. `iterations` of its largest system; `change`: of the flow [1/s], where a steady state is looked
  /// for; `written`: the step's results were written.
  void step(const StepRecord& record, int iterations, std::optional<real> change, bool written);

 private:
  std::string left(const StepRecord& record);

  Log& log_;
  const TimeSettings& time_;
  bool is_first_ = true;
  Stopwatch since_live_, since_line_;
  struct Moment {
    double wall = 0, time = 0;
  } pace_from_, pace_next_;  // the pace is measured over the last minute or so
};

}  // namespace solenoid
