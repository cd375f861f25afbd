/// The state that steers an iteration of kernels (step lengths, whether to go on): fed by sums over all ranks, read by
/// kernels where they run. A rank alone on its GPU iterates without its host. For files that launch kernels.
#pragma once

#include <span>

#include "base/comm.hpp"
#include "parallel/backend.hpp"
#include "parallel/device_array.hpp"

namespace solenoid {

/// The state as captured by kernels: a copy on the CPU, an address on the GPU.
template <class S>
struct StateView {
#ifdef SOLENOID_CUDA
  const S* place;
  SOLENOID_HD const S* operator->() const { return place; }
#else
  S copy;
  const S* operator->() const { return &copy; }
#endif
};

namespace loop_state {  // public types: nvcc accepts no private ones as kernel arguments

template <class S, int N>
struct Both {
  S state;
  Sums<N> sums;
};

/// Advances the state and resets the sums to zero.
template <class S, int N, class Step>
SOLENOID_HD void turn(Both<S, N>& both, const Step& step) {
  step(both.state, both.sums);
  both.sums = Sums<N>{};
}

template <class S, int N, int K>
struct Add {
  Both<S, N>* both;
  int first;
  SOLENOID_HD void operator()(const Sums<K>& total) const {
    for (int k = 0; k < K; ++k) both->sums[first + k] += total[k];
  }
};

template <class S, int N, int K, class Step>
struct AddAndTurn {
  Add<S, N, K> add;
  Step step;
  SOLENOID_HD void operator()(const Sums<K>& total) const {
    add(total);
    turn(*add.both, step);
  }
};

#ifdef SOLENOID_CUDA
/// As Add, with exact sums.
template <class S, int N, int K>
struct AddExactly {
  ExactSum* sums;
  SOLENOID_HD void operator()(const ExactSum* more) const {
    for (int k = 0; k < K; ++k) sums[k].add(more[k]);
  }
};

template <class S, int N, int K, class Step>
struct AddExactlyAndTurn {
  Both<S, N>* both;
  ExactSum* sums;
  int first;
  Step step;
  SOLENOID_HD void operator()(const ExactSum* more) const {
    for (int k = 0; k < K; ++k) sums[first + k].add(more[k]);
    for (int k = 0; k < N; ++k) both->sums[k] = sums[k].rounded();
    for (int k = 0; k < N; ++k) sums[k] = ExactSum{};
    turn(*both, step);
  }
};
#endif

}  // namespace loop_state

/// A state S (a plain struct) and N sums that advance it.
template <class S, int N>
class LoopState {
  static_assert(std::is_trivially_copyable_v<S>);
  using Both = loop_state::Both<S, N>;
  template <int K>
  using Add = loop_state::Add<S, N, K>;

 public:
  explicit LoopState(const Comm& comm) : comm_(comm), device_(1), host_(1) { start(S{}); }

  /// Whether the device turns without the host, which may let it make several turns before it reads the state.
  bool turns_alone() const {
#ifdef SOLENOID_CUDA
    return alone_on_device();
#else
    return false;
#endif
  }

  /// Sets the state and resets the sums to zero.
  void start(const S& state) {
    if (is_uploading_) device_synchronize();
    host() = {state, {}};
    upload();
#ifdef SOLENOID_CUDA
    if (sums_are_exact()) clear_exact();
#else
    parts_ = {};
#endif
  }

  /// Waits for the device.
  const S& get() {
#ifdef SOLENOID_CUDA
    if (alone_on_device()) download();
#endif
    return host().state;
  }

  StateView<S> view() {
#ifdef SOLENOID_CUDA
    return {&device_.data()->state};
#else
    return {host().state};
#endif
  }

  /// Adds sums of K values f(i), 0 <= i < n, to this rank's sums first ... first + K - 1.
  template <int K, class F>
  void add(int first, int n, F f) {
#ifdef SOLENOID_CUDA
    if (sums_are_exact()) {
      cuda::reduce_exactly_into<K>(n, f, loop_state::AddExactly<S, N, K>{exact_.data() + first});
    } else {
      cuda::reduce_into(n, Sums<K>{}, f, Plus{}, Add<K>{device_.data(), first});
    }
#else
    const PartialSums<K> more = reduce_sums<K>(n, f);
    for (int k = 0; k < K; ++k) parts_[static_cast<std::size_t>(first + k)] += more[static_cast<std::size_t>(k)];
#endif
  }

  /// Adds as add() does, then passes the sums over all ranks to step(state, sums), and resets them to zero. Collective.
  template <int K, class F, class Step>
  void turn(int first, int n, F f, Step step) {
#ifdef SOLENOID_CUDA
    if (alone_on_device() && sums_are_exact()) {
      cuda::reduce_exactly_into<K>(
          n, f, loop_state::AddExactlyAndTurn<S, N, K, Step>{device_.data(), exact_.data(), first, step});
      return;
    }
    if (alone_on_device()) {
      cuda::reduce_into(n, Sums<K>{}, f, Plus{}, loop_state::AddAndTurn<S, N, K, Step>{{device_.data(), first}, step});
      return;
    }
    add<K>(first, n, f);
    download();
    if (sums_are_exact()) {
      host().sums = totals(comm_, exact_parts());
      clear_exact();
    } else {
      comm_.sum(std::span<real>(host().sums.value, N));
    }
#else
    add<K>(first, n, f);
    host().sums = totals(comm_, parts_);
    parts_ = {};
#endif
    loop_state::turn(host(), step);
    upload();
  }

 private:
#ifdef SOLENOID_CUDA
  bool alone_on_device() const { return comm_.size() == 1; }
  void upload() {  // asynchronous: the host writes again only after the device has answered
    copy_to_device_later(device_.data(), &host(), sizeof(Both));
    is_uploading_ = true;
  }
  void download() {
    copy_to_host(&host(), device_.data(), sizeof(Both));
    is_uploading_ = false;
  }
  void clear_exact() {
    const std::vector<ExactSum> zeros(N, ExactSum{});
    if (exact_.size() == 0) exact_ = DeviceArray<ExactSum>(zeros);
    exact_.from_host(zeros);
  }
  PartialSums<N> exact_parts() const {
    const std::vector<ExactSum> sums = exact_.to_host();
    PartialSums<N> parts;
    for (std::size_t k = 0; k < N; ++k) parts[k] = PartialSum(sums[k]);
    return parts;
  }
  DeviceArray<ExactSum> exact_;  // used if sums are exact
  bool is_uploading_ = false;    // perhaps: the device has not answered since
#else
  static constexpr bool is_uploading_ = false;
  void upload() {}
  PartialSums<N> parts_;
#endif
  Both& host() { return *host_.data(); }

  Comm comm_;
  DeviceArray<Both> device_;
  PinnedArray<Both> host_;
};

}  // namespace solenoid
