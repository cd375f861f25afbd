/// Progress line of a long stage (meshing, reading, partitioning, setting up) with its elapsed time.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "base/host_memory.hpp"
#include "base/log.hpp"
#include "base/phases.hpp"

namespace solenoid {

/// While it exists, a terminal's last line reads "<what> ... 12 s"; without a terminal a line appears after ten seconds
/// and then every minute. Stages shorter than 0.2 s show nothing. An out-of-memory message during the stage names it.
class Activity {
 public:
  Activity(Log& log, std::string what);
  ~Activity();
  Activity(const Activity&) = delete;
  Activity& operator=(const Activity&) = delete;

 private:
  void show();

  Log& log_;
  Purpose purpose_;
  std::string what_;
  Stopwatch since_start_;
  bool over_ = false;  // guarded by mutex_
  std::mutex mutex_;
  std::condition_variable ended_;
  std::thread clock_;
};

}  // namespace solenoid
