/// Requests to a running case: by signals, and by the control file of its result folder.
#pragma once

#include <string>

#include "base/comm.hpp"
#include "base/log.hpp"
#include "base/output_folder.hpp"
#include "base/stop_request.hpp"
#include "run/loop/control_file.hpp"

namespace solenoid {

/// What is asked after a step, the same on every rank.
struct RunRequest : ControlRequest {
  std::string stopped_by;  ///< whoever wants the run to stop, "SIGUSR1" or "control file"; empty: nobody
};

/// Collects it. Everything is collective.
class RunRequests {
 public:
  RunRequests(const Comm& comm, const StopRequest& signals) : comm_(comm), signals_(signals) {}

  /// Looks for the control file in `folder` from here on; tells `log` of one that is there already.
  void open(const OutputFolder& folder, Log& log);
  /// After a step. What the control file has is told to `log`; what is wrong there, too, and nothing of it is asked.
  RunRequest take(Log& log);

 private:
  Comm comm_;
  const StopRequest& signals_;
  ControlFile file_;  // rank 0
};

}  // namespace solenoid
