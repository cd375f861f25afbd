/// A session of Gmsh: its options, its end, and its errors.
#pragma once

#include <csignal>
#include <exception>
#include <functional>
#include <map>
#include <optional>
#include <string>

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

}  // namespace solenoid
