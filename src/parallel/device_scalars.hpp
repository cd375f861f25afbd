/// Numbers on the device for kernels that refer to them. For files that launch kernels.
#pragma once

#include <array>

#include "parallel/backend.hpp"
#include "parallel/device_array.hpp"
#include "parallel/scalar.hpp"

namespace solenoid {

/// N numbers on the device.
template <int N>
class DeviceScalars {
 public:
#ifdef SOLENOID_CUDA
  DeviceScalars() : values_(std::vector<real>(N)) {}
  /// In the order of kernels: later ones find these.
  void set(const std::array<real, N>& values) {
    Sums<N> given;
    for (int k = 0; k < N; ++k) given[k] = values[k];
    real* const place = values_.data();
    forall(
        N, SOLENOID_KERNEL(int k) { place[k] = given[k]; });
  }
  Scalar<> operator[](int k) const { return {1, values_.data() + k}; }

 private:
  DeviceArray<real> values_;
#else
  void set(const std::array<real, N>& values) { values_ = values; }
  Scalar<> operator[](int k) const { return values_[k]; }

 private:
  std::array<real, N> values_{};
#endif
};

}  // namespace solenoid
