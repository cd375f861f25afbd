/// A session of Gmsh: its options, its end, and its errors.
#pragma once

#include <csignal>
#include <exception>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace solenoid {

/// Gmsh between its initialisation and its end, silent, untouched by the user's configuration. One at a time.
/// Meanwhile SIGINT, SIGTERM and SIGUSR1 end the program at once, for Gmsh never asks whether it should stop, and so
/// does an exception that leaves one of its parallel loops: with a message, and exit code 2 for what Gmsh finds wrong,
/// 1 for memory that runs out.
class GmshSession {
 public:
  /// `file`: what is read or meshed, for the last words. `size`: the constant `lc` of the .geo files that are opened.
  explicit GmshSession(const std::string& file, const std::optional<double>& size = {});
  ~GmshSession();
  GmshSession(const GmshSession&) = delete;
  GmshSession& operator=(const GmshSession&) = delete;

 private:
  std::map<int, struct sigaction> signals_;  // as they were handled before
  std::terminate_handler terminate_;
};

/// Runs calls to Gmsh; whatever they throw becomes an input error: "<file>: <what failed>: <why>".
/// Memory that runs out is a failure, exit code 1.
void ask_gmsh(const std::string& file, const std::string& failure, const std::function<void()>& calls);

/// Drops what Gmsh warned of so far.
void forget_warnings();

/// Passes Gmsh's warnings on, the first few of them, and forgets them.
void say_warnings(const std::function<void(const std::string&)>& say);

}  // namespace solenoid
