/// Progress of a run: one live line on a terminal, an occasional plain line elsewhere, all of it in run.log.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/log.hpp"
#include "base/phases.hpp"
#include "model/time_scheme.hpp"

namespace solenoid {

/// Progress of a run after a step.
struct StepMoment {
  int step = 0;
  real time = 0;                    ///< simulated [s]
  double wall_seconds = 0;          ///< since the first step began
  std::optional<real> change = {};  ///< rate of change, if the run ends at a steady state [1/s]
};

/// Forecast of the steady state from the decay of the rate of change: exp(-rate t), with the rate of the last half of
/// the time.
class SteadyForecast {
 public:
  void note(double time, double change);
  /// The time at which the change will reach `tolerance`; nullopt while it does not fall.
  std::optional<double> time_of(double tolerance) const;

 private:
  struct Sample {
    double time, change;
  };
  std::vector<Sample> samples_;  // each 5 % later in time than the one before, plus the last one
};

class RunProgress {
 public:
  RunProgress(Log& log, const TimeSettings& time) : log_(log), time_(time) {}
  ~RunProgress() { log_.live(""); }
  RunProgress(const RunProgress&) = delete;
  RunProgress& operator=(const RunProgress&) = delete;

  /// Call after each step. `figures()`: further text for the line; `written`: its results were written.
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
  } pace_from_, pace_next_;  // the pace is that of the last 30 to 60 s
};

}  // namespace solenoid
