#include "run/loop/run_progress.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/phases.hpp"

namespace solenoid {

namespace {

constexpr double seconds_between_live_lines = 0.2;

/// Every 5 s at first, every 60 s in a long run.
double seconds_between_lines(double wall_seconds) { return std::clamp(wall_seconds / 20, 5.0, 60.0); }

}  // namespace

void SteadyForecast::note(double time, double change) {
  constexpr double apart = 1.05;
  if (change <= 0) return;
  if (samples_.size() > 1 && samples_.back().time < apart * samples_[samples_.size() - 2].time) samples_.pop_back();
  samples_.push_back({time, change});
}

std::optional<double> SteadyForecast::time_of(double tolerance) const {
  if (samples_.size() < 2) return std::nullopt;
  const Sample& now = samples_.back();
  const double half = (samples_.front().time + now.time) / 2;
  const auto before = std::find_if(samples_.begin(), samples_.end(), [&](const Sample& s) { return s.time >= half; });
  if (before->change <= now.change) return std::nullopt;
  const double rate = std::log(before->change / now.change) / (now.time - before->time);
  return now.time + std::max(0.0, std::log(now.change / tolerance)) / rate;
}

/// Estimated wall time to the end at the pace of the last 30 to 60 s; empty during the first steps, which grow.
std::string RunProgress::left(const StepMoment& moment) {
  constexpr double window = 30, too_early = 1;  // seconds
  if ((moment.step < 20 && moment.wall_seconds < too_early) || moment.time >= time_.end) return "";
  const double pace = (moment.time - pace_from_.time) / (moment.wall_seconds - pace_from_.wall);
  if (moment.wall_seconds - pace_next_.wall > window) {
    pace_from_ = pace_next_;
    pace_next_ = {moment.wall_seconds, moment.time};
  }
  const auto steady = time_.steady_tolerance > 0 ? steady_.time_of(time_.steady_tolerance) : std::nullopt;
  const bool is_foretold = steady && *steady < time_.end;
  const std::string word = is_foretold ? "about " : time_.steady_tolerance > 0 ? "< " : "";
  const double end = is_foretold ? *steady : static_cast<double>(time_.end);
  return word + duration_text(std::max(0.0, end - moment.time) / pace) + " left  ";
}

void RunProgress::step(const StepMoment& moment, const std::function<std::string()>& figures, bool written) {
  if (moment.change) steady_.note(moment.time, *moment.change);
  const bool line_is_due = since_line_.seconds() > seconds_between_lines(moment.wall_seconds);
  const bool live_is_due = log_.is_live() && (is_first_ || since_live_.seconds() > seconds_between_live_lines);
  is_first_ = false;
  if (!written && !line_is_due && !live_is_due) return;

  const std::string text =
      message("step {}  t {:.5g}/{:.5g} s  {}{}", moment.step, moment.time, time_.end, left(moment), figures());
  if (live_is_due) {
    log_.live(text);
    since_live_ = Stopwatch();
  }
  if (written) {
    log_.line(text + "  written");
  } else if (line_is_due) {
    log_.is_live() ? log_.note(text) : log_.line(text);
  }
  if (written || line_is_due) since_line_ = Stopwatch();
}

namespace {

GrowingTable history_table(const std::vector<HistoryColumn>& columns) {
  GrowingTable table{"history.csv", {"step [-]", "time [s]", "dt [s]"}};
  for (const HistoryColumn& column : columns) table.columns.push_back(message("{} [{}]", column.name, column.unit));
  table.columns.push_back("wall_seconds [s]");
  return table;
}

}  // namespace

History::History(const OutputFolder& folder, Model& model)
    : columns_(model.history()), file_(file_of(history_table(columns_), folder)) {}

GrowingTable History::table(Model& model) { return history_table(model.history()); }

void History::write(int step, real time, real dt, double wall_seconds) {
  std::vector<CsvValue> row{std::int64_t{step}, time, dt};
  for (const HistoryColumn& column : columns_) row.push_back(column.value());
  row.push_back(wall_seconds);
  file_.row(row);
}

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
