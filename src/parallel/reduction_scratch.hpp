/// Device memory that reductions keep between calls.
#pragma once

#include <cstddef>

namespace solenoid {

/// Room for the partial results of reductions: one block of device memory, one of page-locked host memory, of at least
/// the bytes asked for, and a counter on the device that starts at 0; kept and grown as needed until the process ends.
struct ReductionScratch {
  void* device;
  void* pinned;
  unsigned* arrived;
};
ReductionScratch reduction_scratch(std::size_t device_bytes, std::size_t pinned_bytes);

}  // namespace solenoid
