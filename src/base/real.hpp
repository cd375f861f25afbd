/// The floating-point type of all fields, and the mark of functions that run on host and device.
#pragma once

#include <type_traits>

#ifdef __CUDACC__
#define SOLENOID_HD __host__ __device__
#else
#define SOLENOID_HD
#endif

namespace solenoid {

using real = double;

/// The type of factors for values of type T: single precision stays single precision.
template <class T>
using FactorOf = std::conditional_t<std::is_same_v<T, float>, float, real>;

inline constexpr const char* precision_name = "double";

}  // namespace solenoid
