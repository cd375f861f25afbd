/// Wall-clock time of a run by phase (reading, partitioning, stepping, output), for the log and summary.json.
#pragma once

#include <algorithm>
#include <chrono>
#include <deque>
#include <string>

namespace solenoid {

/// Seconds since it was made.
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Adds up the seconds spent in each named phase.
class Phases {
 public:
  template <class Work>
  decltype(auto) time(const std::string& name, Work&& work) {
    struct Entry {
      double& total;
      Stopwatch watch{};
      ~Entry() { total += watch.seconds(); }
    } entry{total_of(name)};
    return work();
  }

  struct Phase {
    std::string name;
    double seconds = 0;
  };
  /// In the order in which they first began.
  const std::deque<Phase>& all() const { return phases_; }

 private:
  double& total_of(const std::string& name) {
    const auto found = std::find_if(phases_.begin(), phases_.end(), [&](const Phase& p) { return p.name == name; });
    return found != phases_.end() ? found->seconds : phases_.emplace_back(Phase{name}).seconds;
  }

  std::deque<Phase> phases_;  // a phase may begin inside another: its total must stay where it is
};

}  // namespace solenoid
