/// Wall-clock time of a run by phase (reading, partitioning, stepping, output), for the log and summary.json.
#pragma once

#include <chrono>
#include <map>
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
    } entry{seconds_[name]};
    return work();
  }
  const std::map<std::string, double>& seconds() const { return seconds_; }

 private:
  std::map<std::string, double> seconds_;
};

}  // namespace solenoid
