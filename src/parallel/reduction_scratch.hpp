/// Device memory that reductions keep between calls.
#pragma once

#include <cstddef>

namespace solenoid {

/// Scratch memory for partial results of reductions: a block of device memory and one of page-locked host memory, each
/// of at least the requested bytes, and a device counter that starts at 0; kept, and grown on demand, until the process
/// ends.
struct ReductionScratch {
  void* device;
  void* pinned;
  unsigned* arrived;
};
ReductionScratch reduction_scratch(std::size_t device_bytes, std::size_t pinned_bytes);

}  // namespace solenoid
