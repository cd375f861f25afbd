/// Running sums of whole numbers.
#pragma once

#include <cstdint>

#include "parallel/device_array.hpp"

namespace solenoid {

/// Replaces each of one or more values by the sum of those before it, modulo 2^64: differences of these sums that fit
/// 64 bits are exact, whatever the sums themselves are. Does not wait for the device.
void make_running_sums(DeviceArray<std::uint64_t>& values);

}  // namespace solenoid
