/// Bytes that the kernels of this rank have moved between memory and processor, as far as they tell of them: each array
/// once per kernel that reads it and once per kernel that writes it, what is gathered once and not once per neighbour.
#pragma once

#include <cstdint>

namespace solenoid {

// Those who start kernels tell; a kernel of which nobody does is missing, so that what is counted is a lower bound.
// Serial, as starting kernels is.
void count_traffic(std::int64_t bytes);
std::int64_t traffic();  ///< [bytes] since the program began

}  // namespace solenoid
