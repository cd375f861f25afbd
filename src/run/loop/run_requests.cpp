#include "run/loop/run_requests.hpp"

#include <algorithm>

namespace solenoid {

namespace {

/// The lines of a control file joined into one, for the log.
std::string in_a_line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  std::string line;
  for (const char c : text) line += c == '\n' ? std::string("; ") : std::string(1, c);
  return line;
}

}  // namespace

void RunRequests::open(const OutputFolder& folder, Log& log) {
  if (!comm_.is_root()) return;
  file_ = ControlFile(folder.path());
  if (file_.was_there()) {
    log.line(message("warning: {} was there before the run and is ignored; write it anew to send its request",
                     file_.path().string()));
  }
}

RunRequest RunRequests::take(Log& log) {
  constexpr std::int64_t is_there = 1'000;  // beyond any signal number: one maximum carries both
  const bool has_file = comm_.is_root() && file_.is_there();
  std::int64_t told = comm_.max(signals_.received() + (has_file ? is_there : 0));
  RunRequest request;
  if (told >= is_there) {
    told = comm_.max(std::int64_t{signals_.received()});
    try {
      std::string text;
      comm_.guard([&] {
        if (comm_.is_root()) text = file_.take();
      });
      text = comm_.broadcast(text);
      comm_.guard([&] { static_cast<ControlRequest&>(request) = read_control(text, "control"); });
      log.line(message("control  {}", in_a_line(text)));
      if (request.stop) request.stopped_by = "control file";
    } catch (const Error& error) {
      if (!error.collective()) throw;
      request = {};
      log.line(message("warning: {}; nothing of it is done", error.what()));
    }
  }
  if (told != 0) request.stopped_by = signal_name(static_cast<int>(told));
  return request;
}

}  // namespace solenoid
