#include "run/loop/run_progress.hpp"

#include <algorithm>
#include <cmath>

#include "base/duration.hpp"

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

}  // namespace solenoid
