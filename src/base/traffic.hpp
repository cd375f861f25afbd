/// Bytes that the kernels of this rank move between memory and processor, as their launchers count them: each array
/// once a kernel that reads it and once a kernel that writes it, gathered values once and not once a neighbour.
#pragma once

#include <cstdint>

namespace solenoid {

// Those who start kernels tell; a kernel of which nobody does is missing, so that what is counted is a lower bound.
// Serial, as starting kernels is.
void count_traffic(std::int64_t bytes);
std::int64_t traffic();  ///< [bytes] since the program began

}  // namespace solenoid
