/// A session of Gmsh: its options, its end, its errors, and word of work that takes long.
#pragma once

#include <condition_variable>
#include <csignal>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace solenoid {

/// Initialises Gmsh, silent and without the user's configuration, and finalises it at the end. One at a time. During a
/// session SIGINT, SIGTERM and SIGUSR1 end the program at once, since Gmsh never checks for interruption, and so does
/// an exception that leaves one of its parallel loops: with a message, and exit code 2 for a fault that Gmsh reports, 1
/// if memory runs out.
class GmshSession {
 public:
  /// `file`: the file read or meshed, for the final message. `size`: the constant `lc` of the .geo files opened.
  explicit GmshSession(const std::string& file, const std::optional<double>& size = {});
  ~GmshSession();
  GmshSession(const GmshSession&) = delete;
  GmshSession& operator=(const GmshSession&) = delete;

 private:
  std::map<int, struct sigaction> signals_;  // previous handlers
  std::terminate_handler terminate_;
};

/// Runs calls to Gmsh; an exception other than Error becomes an input error: "<file>: <failure>: <reason>". If memory
/// runs out: exit code 1.
void ask_gmsh(const std::string& file, const std::string& failure, const std::function<void()>& calls);

/// Discards Gmsh's warnings so far.
void forget_warnings();

/// Passes on the first few of Gmsh's warnings, and discards all.
void say_warnings(const std::function<void(const std::string&)>& say);

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
