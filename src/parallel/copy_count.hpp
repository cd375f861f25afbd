/// Number of bytes that this rank has copied from its device to the host.
#pragma once

#include <cstdint>

namespace solenoid {

/// By copy_to_host() and copy_to_host_later(), in the CPU build as well; results of reductions are not among them.
std::int64_t bytes_copied_to_host();

}  // namespace solenoid
