/// Bytes that the kernels of this rank move between memory and processor, as their launchers count them: each array
/// once a kernel that reads it and once a kernel that writes it, gathered values once and not once a neighbour.
#pragma once

#include <cstdint>

namespace solenoid {

// The code that starts a kernel counts its bytes. Kernels without a count are missing, so the total is a lower bound.
// Serial, as kernel launches are.
inline std::int64_t traffic_so_far = 0;
inline void count_traffic(std::int64_t bytes) { traffic_so_far += bytes; }
inline std::int64_t traffic() { return traffic_so_far; }  ///< [bytes] since the start of the program

}  // namespace solenoid
