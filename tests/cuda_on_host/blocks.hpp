/// The grid of a kernel as a loop: blocks one after the other, their threads as fibers that meet at barriers.
#pragma once

#include <sys/mman.h>
#include <ucontext.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <numeric>
#include <source_location>
#include <utility>
#include <vector>

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned nx = 1, unsigned ny = 1, unsigned nz = 1) : x(nx), y(ny), z(nz) {}
};

inline dim3 threadIdx{0, 0, 0}, blockIdx{0, 0, 0}, blockDim, gridDim;

namespace cuda_on_host {

/// 0 ... n - 1, each once: the same in every run, and in no order that a kernel could rely on.
class Shuffled {
 public:
  Shuffled(unsigned n, unsigned seed) : n_(n), step_(n > 4 ? static_cast<unsigned>(0.618 * n) : 1), at_(seed % n) {
    while (std::gcd(step_, n_) != 1) ++step_;
  }
  /// The first one, then each time the next.
  unsigned next() {
    const unsigned now = at_;
    at_ = now < n_ - step_ ? now + step_ : now - (n_ - step_);  // modulo n, without a division
    return now;
  }

 private:
  unsigned n_, step_, at_;
};

/// A stack, and where to go on with it. Fibers change by GCC's pair of built-in jumps: ucontext would ask the system
/// each time.
struct Fiber {
  void* resume[5];
  ucontext_t start;
  bool started = false;
  bool waits = false;  // at `place`, for the other threads of the block
  std::source_location place;
};

[[gnu::noinline]] inline void jump(void** to) { __builtin_longjmp(to, 1); }
[[gnu::noinline]] inline void change(void** from, void** to) {
  if (__builtin_setjmp(from) == 0) jump(to);
}
[[gnu::noinline]] inline void change(void** from, const ucontext_t& to) {
  if (__builtin_setjmp(from) == 0) setcontext(&to);
}

/// The threads of the block that runs now. A fiber takes one thread after the other, so that a kernel without barriers
/// is a plain loop on one fiber; a thread that waits keeps its fiber, and the next thread gets another one.
class Block {
 public:
  static Block& current() {
    static Block& block = *new Block;  // never destroyed: kernels may still start then
    return block;
  }

  /// body() once for each thread, between barriers in one order after the other.
  void run(const std::function<void()>& body, unsigned seed) {
    body_ = &body;
    next_ = ended_ = 0;
    order_ = Shuffled(blockDim.x, seed);
    waiting_.clear();
    while (next_ < blockDim.x) enter(idle_fiber());
    for (unsigned barrier = 1; !waiting_.empty(); ++barrier) {
      check_barrier();
      Shuffled order(blockDim.x, seed + barrier);
      const std::vector<Fiber*> ready = std::move(waiting_);
      waiting_.clear();
      for (unsigned k = 0; k < blockDim.x; ++k) enter(*ready[order.next()]);
    }
  }

  /// Until all threads of the block are here.
  void wait(const std::source_location& place) {
    const dim3 thread = threadIdx;
    running_->waits = true;
    running_->place = place;
    change(running_->resume, scheduler_);
    threadIdx = thread;
  }

 private:
  Fiber& idle_fiber() {
    if (waiting_.size() == fibers_.size()) {
      constexpr std::size_t stack = std::size_t{256} << 10;
      Fiber& fiber = *fibers_.emplace_back(new Fiber);
      getcontext(&fiber.start);
      fiber.start.uc_stack.ss_sp =
          mmap(nullptr, stack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
      if (fiber.start.uc_stack.ss_sp == MAP_FAILED) stop("no memory for a thread's stack");
      // Each begins elsewhere in its page: at one place they would all fall on the same few lines of the cache.
      fiber.start.uc_stack.ss_size = stack - fibers_.size() % 64 * 320;
      makecontext(
          &fiber.start, [] { current().live(); }, 0);
    }
    return *fibers_[waiting_.size()];
  }

  void enter(Fiber& fiber) {
    running_ = &fiber;
    fiber.waits = false;
    if (std::exchange(fiber.started, true)) {
      change(scheduler_, fiber.resume);
    } else {
      change(scheduler_, fiber.start);
    }
    if (fiber.waits) waiting_.push_back(&fiber);
  }

  /// What a fiber does, for ever.
  void live() {
    for (;;) {
      while (next_ < blockDim.x) {
        threadIdx.x = order_.next();
        ++next_;
        (*body_)();
        ++ended_;
      }
      change(running_->resume, scheduler_);
    }
  }

  void check_barrier() const {
    const std::source_location& here = waiting_.front()->place;
    for (const Fiber* other : waiting_) {
      if (other->place.line() != here.line()) stop("threads of a block wait at different barriers");
    }
    if (ended_ > 0) stop("some threads of a block wait at a barrier that the others never reach");
  }
  [[noreturn]] void stop(const char* text) const {
    std::fprintf(stderr, "CUDA on the host: %s (block %u of %u", text, blockIdx.x, gridDim.x);
    for (const Fiber* fiber : waiting_) {
      if (fiber != waiting_.front() && fiber->place.line() == waiting_.front()->place.line()) continue;
      std::fprintf(stderr, ", %s:%u", fiber->place.file_name(), fiber->place.line());
    }
    std::fprintf(stderr, "; %zu threads wait, %u have ended)\n", waiting_.size(), ended_);
    std::abort();
  }

  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Fiber*> waiting_;
  Fiber* running_ = nullptr;
  void* scheduler_[5];
  const std::function<void()>* body_ = nullptr;
  Shuffled order_{1, 0};
  unsigned next_ = 0, ended_ = 0;  // threads
};

/// body() once for each thread of each block.
inline void run_grid(dim3 grid, dim3 block, const std::function<void()>& body) {
  static unsigned seed = 0;
  ++seed;
  gridDim = grid;
  blockDim = block;
  Shuffled order(grid.x, seed);
  for (unsigned k = 0; k < grid.x; ++k) {
    blockIdx = dim3(order.next(), 0, 0);
    threadIdx = dim3(0, 0, 0);
    Block::current().run(body, seed + k);
  }
}

}  // namespace cuda_on_host

inline void __syncthreads(std::source_location place = std::source_location::current()) {
  cuda_on_host::Block::current().wait(place);
}
