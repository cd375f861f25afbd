/// Wall-clock time: of the phases of a run (reading, partitioning, stepping, output), with their memory traffic, for
/// the log and summary.json; and in words.
#pragma once

#include <algorithm>
#include <chrono>
#include <deque>
#include <string>

#include "base/traffic.hpp"

namespace solenoid {

/// Seconds since construction, and the memory traffic of kernels since then.
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  std::int64_t bytes() const { return traffic() - traffic_; }  ///< of this rank, see count_traffic()

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::int64_t traffic_ = traffic();
};

/// Adds up the seconds spent and the bytes moved in each named phase.
class Phases {
 public:
  struct Phase {
    std::string name;
    double seconds = 0;
    std::int64_t bytes = 0;  ///< of this rank
  };

  template <class Work>
  decltype(auto) time(const std::string& name, Work&& work) {
    struct Entry {
      Phase& phase;
      Stopwatch watch{};
      ~Entry() {
        phase.seconds += watch.seconds();
        phase.bytes += watch.bytes();
      }
    } entry{named(name)};
    return work();
  }

  /// In the order of their first begin.
  const std::deque<Phase>& all() const { return phases_; }

 private:
  Phase& named(const std::string& name) {
    const auto found = std::find_if(phases_.begin(), phases_.end(), [&](const Phase& p) { return p.name == name; });
    return found != phases_.end() ? *found : phases_.emplace_back(Phase{name});
  }

  std::deque<Phase> phases_;  // phases nest: the total of a running one must not move
};

/// "0.4 s", "12 s", "3 min 20 s", "2 h 05 min", "4 d 06 h"; `seconds` of at least 0.
std::string duration_text(double seconds);

}  // namespace solenoid
