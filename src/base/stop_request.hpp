/// Requests to stop: from a scheduler, a script, or Ctrl-C.
#pragma once

#include <array>
#include <csignal>

namespace solenoid {

/// While it lives SIGUSR1, SIGINT and SIGTERM do not end the process but ask it to stop; a second SIGINT or SIGTERM
/// ends it. Where mpirun starts the ranks it hands on SIGUSR1, and kills them soon after the others. One at a time.
class StopRequest {
 public:
  StopRequest();
  ~StopRequest();  ///< handles the signals as before
  StopRequest(const StopRequest&) = delete;
  StopRequest& operator=(const StopRequest&) = delete;

  /// The last signal that reached this rank; 0: none so far.
  int received() const;

 private:
  static constexpr std::array signals{SIGUSR1, SIGINT, SIGTERM};
  std::array<struct sigaction, signals.size()> before_;
};

/// "SIGUSR1", for messages.
const char* signal_name(int signal);

}  // namespace solenoid
