/// Progress of a run: one live line on a terminal, an occasional plain line elsewhere, all of it in run.log; a row a
/// step in history.csv; and a warning when steps wait for processors.
#pragma once

#include <ctime>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "base/output_folder.hpp"
#include "base/phases.hpp"
#include "io/tables/csv.hpp"
#include "model/model.hpp"
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

/// The live line and its plain ones.
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

/// history.csv: figures of the model, a row a step. Serial: rank 0.
class History {
 public:
  /// Keeps a reference to `model`, which must outlive it. Throws Error (exit code 1) if the file cannot be written; so
  /// does write().
  History(const OutputFolder& folder, Model& model);
  /// Name and columns of the table.
  static GrowingTable table(Model& model);

  /// After a step of `dt` [s], `wall_seconds` after the first one began.
  void write(int step, real time, real dt, double wall_seconds);

 private:
  std::vector<HistoryColumn> columns_;
  CsvFile file_;
};

/// Warning about `steps` steps that took `wall` seconds, of which `processor` at work; nullopt if they were too short
/// to judge, or not much slower than their work. For use in tests, too.
std::optional<std::string> waiting_text(int steps, double wall, double processor);

/// Detects steps that wait for processors used by others, and reports it once. Call begin() and end() around each step.
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
