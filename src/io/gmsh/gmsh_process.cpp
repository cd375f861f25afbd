#include "io/gmsh/gmsh_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <exception>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/host_memory.hpp"
#include "base/phases.hpp"
#include "base/user_text.hpp"

namespace solenoid {

namespace {

using Say = std::function<void(const std::string&)>;

// Kinds of messages from the child; each is a letter, the length of a text, the text. An activity has its hint behind a
// zero.
constexpr char line = 'l', activity = 'a', result = 'r', failure = 'f', wrong_input = 'w';

constexpr std::array ending_signals{SIGINT, SIGTERM, SIGUSR1};

// Prepared for the handler of a signal, which cannot make them.
volatile pid_t child_at_work = 0;
std::string last_words;

extern "C" void end_both(int signal) {
  if (child_at_work > 0) ::kill(child_at_work, SIGKILL);
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, last_words.data(), last_words.size());
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// Holds back the signals that end both processes while one becomes two.
class HeldSignals {
 public:
  HeldSignals() {
    sigset_t held;
    sigemptyset(&held);
    for (const int number : ending_signals) sigaddset(&held, number);
    pthread_sigmask(SIG_BLOCK, &held, &before_);
  }
  ~HeldSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

 private:
  sigset_t before_{};
};

void send(int pipe, char kind, const std::string& text) {
  const auto size = static_cast<std::uint64_t>(text.size());
  std::string frame(1 + sizeof(size), kind);
  std::memcpy(frame.data() + 1, &size, sizeof(size));
  frame += text;
  for (std::size_t sent = 0; sent < frame.size();) {
    const auto count = ::write(pipe, frame.data() + sent, frame.size() - sent);
    if (count < 0 && errno != EINTR) return;  // nobody waits any more
    if (count > 0) sent += static_cast<std::size_t>(count);
  }
}

/// Reports the current exception of the child.
void send_exception(int pipe, const std::string& file) {
  try {
    if (std::current_exception()) throw;
    send(pipe, failure, message("{}: Gmsh broke off", file));
  } catch (const Error& error) {
    send(pipe, error.code() == ExitCode::bad_input ? wrong_input : failure, error.what());
  } catch (const std::string& reason) {  // Gmsh 4.8 throws its faults as strings
    send(pipe, wrong_input, message("{}: Gmsh cannot mesh it: {}", file, printable(reason)));
  } catch (const std::bad_alloc&) {
    send(pipe, failure,
         message("{}: memory ran out in Gmsh; take a larger edge length, or a machine with more memory", file));
  } catch (...) {
    send(pipe, failure, message("{}: {}", file, current_error().what()));
  }
}

// For an exception that leaves one of Gmsh's parallel loops: it cannot be caught.
int pipe_at_end = -1;
std::string file_at_end;

using Task = std::function<std::string(const GmshReports&)>;

/// noexcept: nothing may reach the copy of the parent's stack, whose guard would speak for this rank.
[[noreturn]] void run_in_child(int pipe, const std::string& file, double most, const Task& work) noexcept {
  for (const int number : ending_signals) {
    struct sigaction now {};
    sigaction(number, nullptr, &now);
    if (now.sa_handler != SIG_IGN) std::signal(number, SIG_DFL);
  }
  for (const int number : {SIGABRT, SIGBUS, SIGFPE, SIGSEGV}) std::signal(number, SIG_DFL);  // MPI prints its stack
  std::signal(SIGPIPE, SIG_IGN);
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, nullptr);
  limit_host_memory(most);
  const int nowhere = ::open("/dev/null", O_WRONLY);  // for what OpenCASCADE prints
  if (nowhere >= 0) ::dup2(nowhere, STDOUT_FILENO);
  pipe_at_end = pipe;
  file_at_end = file;
  std::set_terminate([] {
    send_exception(pipe_at_end, file_at_end);
    ::_exit(0);
  });
  try {
    send(pipe, result, work(GmshReports(pipe)));
  } catch (...) {
    send_exception(pipe, file);
  }
  ::_exit(0);
}

/// A child process at work: read from until it ends; its end is that of this, whether or not it is done.
class Work {
 public:
  Work(const std::string& file, const Task& work) {
    std::array<int, 2> ends{};
    require(::pipe2(ends.data(), O_CLOEXEC) == 0, [] { return cannot_start(); });
    pipe_ = ends[0];
    last_words = (::isatty(STDERR_FILENO) == 1 ? "\n" : "") +  // below the live line
                 message("ended by a signal while Gmsh was at work on {}\n", printable(file));
    const HeldSignals held;
    const double most = host_bytes_left();
    const pid_t here = ::getpid();
    child_ = ::fork();
    if (child_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != here) ::_exit(0);
      run_in_child(ends[1], file, most, work);
    }
    ::close(ends[1]);
    if (child_ < 0) ::close(pipe_);
    require(child_ > 0, [] { return cannot_start(); });
    child_at_work = child_;
    for (std::size_t k = 0; k < ending_signals.size(); ++k) {
      struct sigaction ours {};
      ours.sa_handler = end_both;
      sigaction(ending_signals[k], nullptr, &before_[k]);
      if (before_[k].sa_handler != SIG_IGN) sigaction(ending_signals[k], &ours, nullptr);
    }
  }

  ~Work() {
    if (!status_) {
      ::kill(child_, SIGKILL);
      end();
    }
    ::close(pipe_);
  }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  /// Waits until the child says something or ends, or until `seconds` have passed: false.
  bool hears(double seconds) const {
    constexpr double longest = 1e6;  // fits into poll()'s milliseconds
    pollfd from{pipe_, POLLIN, 0};
    const int count = ::poll(&from, 1, static_cast<int>(std::ceil(1000 * std::min(std::max(seconds, 0.0), longest))));
    return count > 0;
  }

  /// The next message; nothing if the child has ended.
  std::optional<std::pair<char, std::string>> next() const {
    char kind = 0;
    std::uint64_t size = 0;
    if (!read(&kind, 1) || !read(&size, sizeof(size))) return std::nullopt;
    std::string text(size, ' ');
    if (!read(text.data(), size)) return std::nullopt;
    return std::pair(kind, std::move(text));
  }

  /// Waits for the end of the child, and returns its status, as waitpid() does.
  int end() {
    const HeldSignals held;
    int status = 0;
    while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    status_ = status;
    child_at_work = 0;
    for (std::size_t k = 0; k < ending_signals.size(); ++k) sigaction(ending_signals[k], &before_[k], nullptr);
    return status;
  }

 private:
  static std::string cannot_start() {
    return message("the process that Gmsh works in cannot be started: {}", std::strerror(errno));
  }

  bool read(void* to, std::size_t size) const {
    for (std::size_t have = 0; have < size;) {
      const auto count = ::read(pipe_, static_cast<char*>(to) + have, size - have);
      if (count == 0 || (count < 0 && errno != EINTR)) return false;
      if (count > 0) have += static_cast<std::size_t>(count);
    }
    return true;
  }

  int pipe_ = -1;
  pid_t child_ = -1;
  std::optional<int> status_;  // once it has ended
  std::array<struct sigaction, ending_signals.size()> before_{};
};

std::string text_of_crash(const std::string& file, int status) {
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
    return message(
        "{}: the system ended Gmsh, as it does where memory runs out: take a larger edge length, or a "
        "machine with more memory",
        file);
  }
  const std::string how =
      WIFSIGNALED(status) ? ::strsignal(WTERMSIG(status)) : message("exit code {}", WEXITSTATUS(status));
  return message(
      "{}: Gmsh crashed on it ({}): the geometry may be broken, or memory ran out; open it in Gmsh, or take a "
      "larger edge length",
      file, how);
}

}  // namespace

void GmshReports::say(const std::string& text) const { send(pipe_, line, text); }

void GmshReports::begin(const std::string& what, const std::string& hint) const {
  send(pipe_, activity, what + '\0' + hint);
}

std::string in_gmsh_process(const MeshRequest& request, const Say& say, const Task& work) {
  const std::string file = request.file.string();
  Work child(file, work);
  std::string what, hint;
  Stopwatch since;
  double next = request.patience;
  while (true) {
    if (!child.hears(next - since.seconds())) {
      if (since.seconds() < next) continue;
      if (!what.empty()) {
        say(message("{} has been running for {} and is not done: Ctrl-C ends it{}", what, duration_text(next), hint));
      }
      next *= 2;
      continue;
    }
    auto told = child.next();
    if (!told) throw Error(ExitCode::failure, text_of_crash(file, child.end()));
    auto& [kind, text] = *told;
    if (kind == line) {
      say(text);
    } else if (kind == activity) {
      const std::size_t end = text.find('\0');
      what = text.substr(0, end);
      hint = text.substr(end + 1);
      since = Stopwatch();
      next = request.patience;
    } else {
      child.end();
      if (kind == result) return std::move(text);
      throw Error(kind == wrong_input ? ExitCode::bad_input : ExitCode::failure, text);
    }
  }
}

}  // namespace solenoid
