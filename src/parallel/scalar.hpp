/// A number that a kernel reads when it runs, such as one of a step: a graph of kernels outlives its value.
#pragma once

#include "base/real.hpp"

namespace solenoid {

/// A number as kernels capture it, in T: given now, or a multiple of one that stands on the device.
template <class T = real>
class Scalar {
 public:
#ifdef SOLENOID_CUDA
  Scalar(real value) : factor_(value) {}
  Scalar(real factor, const real* place) : factor_(factor), place_(place) {}
  template <class Other>
  explicit Scalar(const Scalar<Other>& other) : factor_(other.factor_), place_(other.place_) {}
  SOLENOID_HD operator T() const { return static_cast<T>(place_ ? factor_ * *place_ : factor_); }
  friend Scalar operator*(real factor, const Scalar& a) { return {factor * a.factor_, a.place_}; }

 private:
  template <class>
  friend class Scalar;
  real factor_;
  const real* place_ = nullptr;
#else
  Scalar(real value) : value_(static_cast<T>(value)) {}
  template <class Other>
  explicit Scalar(const Scalar<Other>& other) : Scalar(other.value_) {}
  operator T() const { return value_; }
  friend Scalar operator*(real factor, const Scalar& a) { return factor * a.value_; }

 private:
  template <class>
  friend class Scalar;
  T value_;
#endif
};

}  // namespace solenoid
