#include "parallel/threads.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "parallel/host_threads.hpp"

namespace solenoid {

namespace {

/// Yields to the other thread of the core during a busy wait.
void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

/// Returns `watched` once it differs from `old`. Sleeps after 20 microseconds: the core may have other work.
unsigned await(const std::atomic<unsigned>& watched, unsigned old) {
  constexpr std::chrono::microseconds awake(20);
  unsigned value = old;
  for (const auto until = std::chrono::steady_clock::now() + awake; value == old;) {
    for (int k = 0; k < 16 && value == old; ++k, value = watched.load(std::memory_order_acquire)) pause();
    if (std::chrono::steady_clock::now() < until) continue;
    watched.wait(old, std::memory_order_acquire);
    value = watched.load(std::memory_order_acquire);
  }
  return value;
}

/// All threads of the rank except the one that launches kernels.
class Team {
 public:
  explicit Team(int threads) : shares_(static_cast<std::size_t>(threads)) {
    sigset_t all, before;  // only the main thread handles signals
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    helpers_.reserve(static_cast<std::size_t>(threads));
    try {
      for (int thread = 1; thread < threads; ++thread) helpers_.emplace_back([this, thread] { help(thread); });
    } catch (const std::system_error&) {  // the system refuses more threads: the existing ones do all the work
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  ~Team() {
    is_over_.store(true);
    call();
  }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int threads() const { return static_cast<int>(shares_.size()); }

  void share_out(int n, int piece, void (*part)(const void*, int, int), const void* body) {
    n_ = n;
    piece_ = piece;
    part_ = part;
    body_ = body;
    const int pieces = (n + piece - 1) / piece;
    for (int thread = 0, begin = 0; thread < threads(); ++thread) {
      Share& share = shares_[static_cast<std::size_t>(thread)];
      share.next.store(begin, std::memory_order_relaxed);
      share.end = begin = static_cast<int>(std::int64_t{pieces} * (thread + 1) / threads());
    }
    state_.fetch_or(open, std::memory_order_release);
    call();
    run_pieces(0);
    unsigned busy = state_.fetch_and(~open, std::memory_order_acq_rel) & ~open;
    while (busy != 0) busy = await(state_, busy);  // helpers in the middle of a piece
  }

 private:
  /// Pieces of one thread; others help once they have done their own.
  struct alignas(64) Share {
    std::atomic<int> next{0};
    int end = 0;
  };

  void call() {
    calls_.fetch_add(1);
    calls_.notify_all();
  }

  void help(int thread) {
    for (unsigned seen = 0; !is_over_.load(std::memory_order_relaxed);) {
      seen = await(calls_, seen);
      // The work does not change while it is open; it ends when all helpers have left.
      if (state_.fetch_add(1, std::memory_order_acq_rel) & open) run_pieces(thread);
      if (state_.fetch_sub(1) == 1) state_.notify_one();
    }
  }

  void run_pieces(int thread) {
    for (int k = 0; k < threads(); ++k) {
      Share& share = shares_[static_cast<std::size_t>((thread + k) % threads())];
      for (int taken; (taken = share.next.fetch_add(1, std::memory_order_relaxed)) < share.end;) {
        part_(body_, taken * piece_, std::min(n_, (taken + 1) * piece_));
      }
    }
  }

  static constexpr unsigned open = 1U << 31;

  int n_ = 0, piece_ = 1;
  void (*part_)(const void*, int, int) = nullptr;
  const void* body_ = nullptr;
  std::vector<Share> shares_;
  std::atomic<unsigned> calls_{0};
  std::atomic<unsigned> state_{0};  // `open` while there is work, plus the number of helpers in it
  std::atomic<bool> is_over_{false};
  std::vector<std::jthread> helpers_;  // last: they end before the members that they use
};

const char* given_threads() {
  const char* const given = std::getenv("OMP_NUM_THREADS");
  return given == nullptr || *given == '\0' ? nullptr : given;
}

int allowed_processors() {
  cpu_set_t allowed;
  return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
}

int wanted_threads() {
  const char* const given = given_threads();
  if (given == nullptr) return allowed_processors();
  const std::string text = given;
  int count = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), count);
  constexpr int most = 4096;
  require_input(fault == std::errc() && (*end == '\0' || *end == ',') && count >= 1 && count <= most, [&] {
    return message("OMP_NUM_THREADS is `{}`: expected the number of threads of a rank, from 1 to {}", text, most);
  });
  return count;
}

int& count_of_threads() {
  static int count = wanted_threads();
  return count;
}

}  // namespace

int thread_count() { return count_of_threads(); }

void set_thread_count(int count) { count_of_threads() = count; }

void share_processors(const Comm& comm) {
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  cpu_set_t allowed{};
  sched_getaffinity(0, sizeof allowed, &allowed);
  const std::string_view mask(reinterpret_cast<const char*>(&allowed), sizeof allowed);
  const auto place = static_cast<std::int64_t>(std::hash<std::string>{}(host + std::string(mask)));
  const std::vector<std::int64_t> places = comm.gather(place);
  const auto ranks = static_cast<int>(std::count(places.begin(), places.end(), place));
  if (given_threads() == nullptr) set_thread_count(std::max(1, thread_count() / ranks));
}

void over_host_threads(int n, int piece, const std::function<void(int begin, int end)>& body) {
  struct Work {
    const std::function<void(int, int)>& body;
    std::mutex mutex;
    std::exception_ptr fault;
    void operator()(int begin, int end) {
      try {
        body(begin, end);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!fault) fault = std::current_exception();
      }
    }
  };
  if (thread_count() == 1) {
    for (int begin = 0; begin < n; begin += piece) body(begin, std::min(n, begin + piece));
    return;
  }
  Work work{body, {}, {}};
  const auto part = [](const void* of, int begin, int end) { (**static_cast<Work* const*>(of))(begin, end); };
  Work* const at = &work;
  cpu::share_out(n, piece, part, &at);
  if (work.fault) std::rethrow_exception(work.fault);
}

void cpu::share_out(int n, int piece, void (*part)(const void*, int, int), const void* body) {
  static std::unique_ptr<Team> team;
  if (!team || team->threads() != thread_count()) {
    team.reset();
    team = std::make_unique<Team>(thread_count());
  }
  team->share_out(n, piece, part, body);
}

}  // namespace solenoid
