/// Requests to a running case: by signals, and by the control file of its result folder.
#pragma once

#include <string>

#include "base/comm.hpp"
#include "base/log.hpp"
#include "base/output_folder.hpp"
#include "base/stop_request.hpp"
#include "run/loop/control_file.hpp"

namespace solenoid {

/// The requests after a step, the same on every rank.
struct RunRequest : ControlRequest {
  std::string stopped_by;  ///< source of a stop request, "SIGUSR1" or "control file"; empty: none
};

/// Collects the requests. All functions are collective.
class RunRequests {
 public:
  RunRequests(const Comm& comm, const StopRequest& signals) : comm_(comm), signals_(signals) {}

  /// Watches for the control file in `folder` from now on; warns in `log` of one that exists already.
  void open(const OutputFolder& folder, Log& log);
  /// Call after a step. Logs the content of the control file; a faulty file is logged and ignored as a whole.
  RunRequest take(Log& log);

 private:
  Comm comm_;
  const StopRequest& signals_;
  ControlFile file_;  // rank 0
};

}  // namespace solenoid
