/// Gmsh in a process of its own: a crash of it, or its hunger for memory, is a message of this program and not its end.
#pragma once

#include <functional>
#include <string>

#include "io/gmsh/mesh_request.hpp"

namespace solenoid {

/// The child process's line to the one that waits for it.
class GmshReports {
 public:
  /// `pipe`: a descriptor open for writing.
  explicit GmshReports(int pipe) : pipe_(pipe) {}

  void say(const std::string& line) const;
  /// Names the activity that begins, for the word on what takes long: "WHAT has been running for ..."; `hint` ends it.
  void begin(const std::string& what, const std::string& hint = "") const;

 private:
  int pipe_;
};

/// Runs `work` in a child process and returns the text that `work` returns. Of what it does, files alone stay. `say`
/// gets its lines; of an activity longer than `request.patience` also that it goes on, each time the time has doubled.
/// The child may take as much memory as is left here (host_bytes_left()), and it ends with this process: SIGINT,
/// SIGTERM and SIGUSR1 end both at once while it works, since Gmsh never checks for interruption. Throws the Error that
/// `work` throws, and exit code 1 if the child crashes or cannot be started.
std::string in_gmsh_process(const MeshRequest& request, const std::function<void(const std::string&)>& say,
                            const std::function<std::string(const GmshReports&)>& work);

}  // namespace solenoid
