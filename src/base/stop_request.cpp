#include "base/stop_request.hpp"

namespace solenoid {

namespace {

volatile std::sig_atomic_t last = 0;

void note(int signal) { last = signal; }

}  // namespace

StopRequest::StopRequest() {
  last = 0;
  for (std::size_t k = 0; k < signals.size(); ++k) {
    struct sigaction action {};
    action.sa_handler = note;
    action.sa_flags = SA_RESTART;
    if (signals[k] != SIGUSR1) action.sa_flags |= SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(signals[k], &action, &before_[k]);
  }
}

StopRequest::~StopRequest() {
  for (std::size_t k = 0; k < signals.size(); ++k) sigaction(signals[k], &before_[k], nullptr);
}

int StopRequest::received() const { return last; }

const char* signal_name(int signal) {
  return signal == SIGUSR1 ? "SIGUSR1" : signal == SIGINT ? "SIGINT" : signal == SIGTERM ? "SIGTERM" : "a signal";
}

}  // namespace solenoid
