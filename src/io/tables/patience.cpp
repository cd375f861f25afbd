#include "io/tables/patience.hpp"

#include <chrono>
#include <system_error>

#include "base/duration.hpp"
#include "base/error.hpp"

namespace solenoid {

Patience::Patience(double seconds, const std::function<void(const std::string&)>& say, const std::string& what,
                   const std::string& hint) {
  const auto watch = [this, seconds, say, what, hint] {
    double passed = 0, next = seconds;
    std::unique_lock lock(mutex_);
    while (!ended_.wait_for(lock, std::chrono::duration<double>(next - passed), [this] { return over_; })) {
      passed = next;
      next = 2 * passed;
      say(message("{} has been running for {} and is not done: Ctrl-C ends it{}", what, duration_text(passed), hint));
    }
  };
  try {
    clock_ = std::thread(watch);
  } catch (const std::system_error&) {  // without a thread the work continues silently
  }
}

Patience::~Patience() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  ended_.notify_one();
  if (clock_.joinable()) clock_.join();
}

}  // namespace solenoid
