#include "io/gmsh/gmsh_session.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <new>
#include <system_error>
#include <vector>

#include "base/error.hpp"
#include "base/phases.hpp"
#include "base/user_text.hpp"
#include "io/gmsh/gmsh_library.hpp"

namespace solenoid {

namespace {

// Messages prepared in advance: a signal handler cannot make them, nor can a program without memory.
std::string start, whose_work, words_at_signal, words_without_memory;

void write_last_words(const std::string& words) {
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, words.data(), words.size());
}

extern "C" void end_by_signal(int signal) {
  write_last_words(words_at_signal);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// For an exception that leaves one of Gmsh's parallel loops: it cannot be caught.
[[noreturn]] void end_by_exception() {
  ExitCode code = ExitCode::failure;
  try {
    if (const auto thrown = std::current_exception()) std::rethrow_exception(thrown);
    write_last_words(words_without_memory);
  } catch (const std::string& reason) {  // Gmsh 4.8 throws its faults as strings
    code = ExitCode::bad_input;
    write_last_words(start + "error: " + whose_work + ": Gmsh cannot mesh it: " + printable(reason) + "\n");
  } catch (...) {
    write_last_words(words_without_memory);
  }
  std::_Exit(static_cast<int>(code));
}

}  // namespace

GmshSession::GmshSession(const std::string& file, const std::optional<double>& size) {
  start = ::isatty(STDERR_FILENO) == 1 ? "\n" : "";  // below the live line
  whose_work = printable(file);
  words_at_signal = start + "ended by a signal while Gmsh was at work on " + whose_work + "\n";
  words_without_memory = start + "error: " + whose_work +
                         ": Gmsh broke off, as it does where memory runs out: take a larger edge length, or a machine "
                         "with more memory\n";
  for (const int number : {SIGINT, SIGTERM, SIGUSR1}) {
    struct sigaction ours {};
    ours.sa_handler = end_by_signal;
    sigaction(number, nullptr, &signals_[number]);
    if (signals_[number].sa_handler != SIG_IGN) sigaction(number, &ours, nullptr);
  }
  terminate_ = std::set_terminate(end_by_exception);

  std::vector<std::string> arguments{"solenoid"};
  if (size) arguments.insert(arguments.end(), {"-setnumber", "lc", message("{}", *size)});
  gmsh::initialize(arguments);
  gmsh::set_option("General.Terminal", 0);
  for (const char* threads :
       {"General.NumThreads", "Mesh.MaxNumThreads1D", "Mesh.MaxNumThreads2D", "Mesh.MaxNumThreads3D"}) {
    gmsh::set_option(threads, 1);  // meshing with threads is not reproducible
  }
  gmsh::start_log();
}

GmshSession::~GmshSession() {
  gmsh::stop_log();
  gmsh::finalize();
  std::set_terminate(terminate_);
  for (const auto& [number, before] : signals_) sigaction(number, &before, nullptr);
}

void ask_gmsh(const std::string& file, const std::string& failure, const std::function<void()>& calls) {
  std::string reason;
  try {
    calls();
    return;
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw Error(
        ExitCode::failure,
        message("{}: {}: memory ran out; take a larger edge length, or a machine with more memory", file, failure));
  } catch (const std::exception& error) {
    reason = error.what();
  }
  throw Error(ExitCode::bad_input, message("{}: {}: {}", file, failure, reason));
}

void forget_warnings() {
  gmsh::stop_log();
  gmsh::start_log();
}

void say_warnings(const std::function<void(const std::string&)>& say) {
  constexpr int most = 3;
  int count = 0;
  for (const std::string& line : gmsh::log()) {
    // Debian's Gmsh warns of this for every periodic curve, but copies the nodes.
    if (line.find("must be compiled with ANN support") != std::string::npos) continue;
    if (line.starts_with("Warning") && ++count <= most) say("Gmsh: " + line);
  }
  if (count > most) say(message("Gmsh: {} more warnings", count - most));
  forget_warnings();
}

Patience::Patience(double seconds, const std::function<void(const std::string&)>& say, const std::string& what,
                   const std::string& hint) {
  const auto watch = [this, seconds, say, what, hint] {
    double passed = 0, next = seconds;
    std::unique_lock lock(mutex_);
    while (!ended_.wait_for(lock, std::chrono::duration<double>(next - passed), [this] { return over_; })) {
      passed = next;
      next = 2 * passed;
      say(message("{} has been running for {} and is not done: Ctrl-C ends it{}", what, duration_text(passed), hint));
    }
  };
  try {
    clock_ = std::thread(watch);
  } catch (const std::system_error&) {  // without a thread the work continues silently
  }
}

Patience::~Patience() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  ended_.notify_one();
  if (clock_.joinable()) clock_.join();
}

}  // namespace solenoid
