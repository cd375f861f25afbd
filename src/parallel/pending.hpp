/// Results of reductions that the host reads later, while the device computes and more work queues behind.
#pragma once

#include <optional>
#include <utility>

#include "base/partial_sum.hpp"

namespace solenoid {

#ifdef SOLENOID_CUDA

/// Page-locked memory for a result, from a pool that is kept until the process ends, and the place in the queue of
/// kernels behind which the result is there.
class ResultPlace {
 public:
  explicit ResultPlace(std::size_t bytes);
  ~ResultPlace();
  ResultPlace(ResultPlace&& other) noexcept : slot_(std::exchange(other.slot_, nullptr)) {}
  ResultPlace& operator=(ResultPlace&& other) noexcept {
    std::swap(slot_, other.slot_);
    return *this;
  }
  void* data() const;
  void mark();        ///< all work queued so far computes it
  void wait() const;  ///< until that work is done

  struct Slot;

 private:
  Slot* slot_;
};

#endif

/// A plain struct that a device may still be computing. Move-only where it does.
template <class T>
class Pending {
 public:
  explicit Pending(const T& value) : value_(value) {}
#ifdef SOLENOID_CUDA
  explicit Pending(ResultPlace place) : place_(std::move(place)) {}
#endif

  /// The first time waits for the device, unless the host has waited for later work since.
  const T& get() {
#ifdef SOLENOID_CUDA
    if (place_) {
      place_->wait();
      value_ = *static_cast<const T*>(place_->data());
      place_.reset();
    }
#endif
    return value_;
  }

 private:
  T value_{};
#ifdef SOLENOID_CUDA
  std::optional<ResultPlace> place_;
#endif
};

/// This rank's parts of N sums, as of reduce_sums().
template <int N>
class PendingSums {
 public:
  explicit PendingSums(PartialSums<N> parts) : parts_(std::move(parts)) {}
#ifdef SOLENOID_CUDA
  struct Exact {
    ExactSum sum[N];
  };
  explicit PendingSums(Pending<Sums<N>> rounded) : rounded_(std::move(rounded)) {}
  explicit PendingSums(Pending<Exact> exact) : exact_(std::move(exact)) {}
#endif

  /// Waits as Pending does.
  const PartialSums<N>& parts() {
#ifdef SOLENOID_CUDA
    for (std::size_t k = 0; k < N; ++k) {
      if (rounded_) parts_[k] = PartialSum(rounded_->get()[static_cast<int>(k)]);
      if (exact_) parts_[k] = PartialSum(exact_->get().sum[k]);
    }
#endif
    return parts_;
  }

 private:
  PartialSums<N> parts_;
#ifdef SOLENOID_CUDA
  std::optional<Pending<Sums<N>>> rounded_;
  std::optional<Pending<Exact>> exact_;
#endif
};

}  // namespace solenoid
