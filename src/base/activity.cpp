#include "base/activity.hpp"

#include <chrono>
#include <system_error>

#include "base/duration.hpp"

namespace solenoid {

Activity::Activity(Log& log, std::string what) : log_(log), purpose_(what), what_(std::move(what)) {
  if (!log_.speaks()) return;
  try {
    clock_ = std::thread([this] { show(); });
  } catch (const std::system_error&) {  // no thread available: the work continues without a display
  }
}

Activity::~Activity() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  ended_.notify_one();
  if (clock_.joinable()) clock_.join();
  log_.live("");
}

void Activity::show() {
  constexpr std::chrono::milliseconds tick{200};
  double next_line = 10;
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, tick, [this] { return over_; })) {
    const double seconds = since_start_.seconds();
    const std::string text = what_ + " ... " + duration_text(seconds);
    if (log_.is_live()) {
      log_.live(text);
    } else if (seconds >= next_line) {
      log_.line(text);
      next_line = seconds + 60;
    }
  }
}

}  // namespace solenoid
