/// Progress of a run: one live line on a terminal, an occasional plain line elsewhere, all of it in run.log.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/log.hpp"
#include "base/phases.hpp"
#include "model/time_scheme.hpp"

namespace solenoid {

/// How far a run has come.
struct StepMoment {
  int step = 0;
  real time = 0;                    ///< simulated [s]
  double wall_seconds = 0;          ///< since the first step began
  std::optional<real> change = {};  ///< of the flow, where the run ends when that is small [1/s]
};

/// When a flow will be steady, from how its rate of change has fallen: as exp(-rate t), the rate being that of the last
/// half of the time.
class SteadyForecast {
 public:
  void note(double time, double change);
  /// The time at which the change is going to be `tolerance`; nothing while it does not fall.
  std::optional<double> time_of(double tolerance) const;

 private:
  struct Sample {
    double time, change;
  };
  std::vector<Sample> samples_;  // each at a time a twentieth later than the one before, and the last one
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
  SteadyForecast steady_;
  bool is_first_ = true;
  Stopwatch since_live_, since_line_;
  struct Moment {
    double wall = 0, time = 0;
  } pace_from_, pace_next_;  // the pace is measured over the last minute or so
};

}  // namespace solenoid
