#include "app/run_progress.hpp"

#include <algorithm>

#include "base/duration.hpp"

namespace solenoid {

namespace {

constexpr double seconds_between_live_lines = 0.2;

/// Often at first, every minute in a run of hours.
double seconds_between_lines(double wall_seconds) { return std::clamp(wall_seconds / 20, 5.0, 60.0); }

}  // namespace

/// The wall time that the simulated time still to go takes at the pace of the last minute; nothing can be said of it
/// while the first steps grow.
std::string RunProgress::left(const StepRecord& record) {
  constexpr double window = 30, too_early = 1;  // seconds
  if ((record.step < 20 && record.wall_seconds < too_early) || record.time >= time_.end) return "";
  const double pace = (record.time - pace_from_.time) / (record.wall_seconds - pace_from_.wall);
  if (record.wall_seconds - pace_next_.wall > window) {
    pace_from_ = pace_next_;
    pace_next_ = {record.wall_seconds, record.time};
  }
  const std::string at_most = time_.steady_tolerance > 0 ? "< " : "";
  return at_most + duration_text(std::max(0.0, time_.end - record.time) / pace) + " left  ";
}

void RunProgress::step(const StepRecord& r, int iterations, std::optional<real> change, bool written) {
  const bool line_is_due = since_line_.seconds() > seconds_between_lines(r.wall_seconds);
  const bool live_is_due = log_.is_live() && (is_first_ || since_live_.seconds() > seconds_between_live_lines);
  is_first_ = false;
  if (!written && !line_is_due && !live_is_due) return;

  const std::string changes = change ? message("  change {:.1e} 1/s", *change) : "";
  const std::string text = message("step {}  t {:.5g}/{:.5g} s  {}CFL {:.2f}  {} it  max|div U| {:.0e}{}", r.step,
                                   r.time, time_.end, left(r), r.cfl, iterations, r.max_divergence, changes);
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
