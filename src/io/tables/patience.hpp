/// Progress of a long read, and how to end it.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace solenoid {

/// During its lifetime `say` gets the line "WHAT has been running for ..., Ctrl-C ends it" from another thread: after
/// `seconds`, and then each time the elapsed time has doubled.
class Patience {
 public:
  Patience(double seconds, const std::function<void(const std::string&)>& say, const std::string& what,
           const std::string& hint);
  ~Patience();
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;

 private:
  std::mutex mutex_;
  bool over_ = false;  // guarded by mutex_
  std::condition_variable ended_;
  std::thread clock_;
};

}  // namespace solenoid
