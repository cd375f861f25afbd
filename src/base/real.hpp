/// The floating-point type of all fields, and the mark of functions that run on host and device.
#pragma once

#ifdef __CUDACC__
#define SOLENOID_HD __host__ __device__
#else
#define SOLENOID_HD
#endif

namespace solenoid {

using real = double;
inline constexpr const char* precision_name = "double";

}  // namespace solenoid
