/// A rank's part of a sum over all ranks. Only the total is a number; where sums are reproducible it does not depend on
/// the partition.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "base/comm.hpp"
#include "base/exact_sum.hpp"

namespace solenoid {

/// Whether sums over ranks are exact, hence the same on any number of ranks, threads and devices; false at first. The
/// same on all ranks; it changes only between solves.
bool sums_are_exact();
void make_sums_exact(bool exact);

/// This rank's part of a sum, 0 at first: a rounded number, or an exact one if sums are exact.
class PartialSum {
 public:
  PartialSum() {
    if (sums_are_exact()) exact_ = ExactSum{};
  }
  explicit PartialSum(real value) : value_(value) {}
  explicit PartialSum(const ExactSum& exact) : exact_(exact) {}

  PartialSum& operator+=(real value) {
    if (exact_) {
      exact_->add(value);
    } else {
      value_ += value;
    }
    return *this;
  }
  PartialSum& operator+=(const PartialSum& more) {
    if (exact_) exact_->add(*more.exact_);
    value_ += more.value_;
    return *this;
  }

  real of_this_rank() const { return exact_ ? exact_->rounded() : value_; }

 private:
  friend void add_up(const Comm& comm, std::span<const PartialSum> parts, std::span<real> totals);
  real value_ = 0;
  std::optional<ExactSum> exact_;
};

/// Sums over all ranks. Collective.
void add_up(const Comm& comm, std::span<const PartialSum> parts, std::span<real> totals);
real total(const Comm& comm, const PartialSum& part);
std::vector<real> totals(const Comm& comm, const std::vector<PartialSum>& parts);

/// Adds x to the three components.
void add_to(std::array<PartialSum, 3>& parts, const Vec3& x);
Vec3 total(const Comm& comm, const std::array<PartialSum, 3>& parts);  ///< Collective.

/// N numbers, summed side by side.
template <int N>
struct Sums {
  real value[N] = {};
  SOLENOID_HD real& operator[](int k) { return value[k]; }
  SOLENOID_HD real operator[](int k) const { return value[k]; }
};

/// This rank's parts of N sums over all ranks.
template <int N>
using PartialSums = std::array<PartialSum, N>;

/// Sums over all ranks. Collective.
template <std::size_t N>
Sums<static_cast<int>(N)> totals(const Comm& comm, const std::array<PartialSum, N>& parts) {
  Sums<static_cast<int>(N)> sums;
  add_up(comm, parts, sums.value);
  return sums;
}

}  // namespace solenoid
