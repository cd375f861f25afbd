/// Requests to stop: from a scheduler, a script, or Ctrl-C.
#pragma once

#include <array>
#include <csignal>

namespace solenoid {

/// While it exists, SIGUSR1, SIGINT and SIGTERM do not end the process but request a stop; a second SIGINT or SIGTERM
/// ends it. If mpirun starts the ranks, it forwards SIGUSR1, but kills the ranks soon after one of the other signals.
/// One object at a time.
class StopRequest {
 public:
  StopRequest();
  ~StopRequest();  ///< restores the earlier signal handlers
  StopRequest(const StopRequest&) = delete;
  StopRequest& operator=(const StopRequest&) = delete;

  /// The last signal received by this rank; 0: none so far.
  int received() const;

 private:
  static constexpr std::array signals{SIGUSR1, SIGINT, SIGTERM};
  std::array<struct sigaction, signals.size()> before_;
};

/// "SIGUSR1", for messages.
const char* signal_name(int signal);

}  // namespace solenoid
