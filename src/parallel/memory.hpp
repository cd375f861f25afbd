/// Memory for arrays: of the device (GPU, or the host in the CPU build), page-locked memory of the host, and the peak
/// of each.
#pragma once

#include <cstddef>

namespace solenoid {

/// Whether arrays of the device are among the host's: in the CPU build.
#ifdef SOLENOID_CUDA
inline constexpr bool device_is_host = false;
#else
inline constexpr bool device_is_host = true;
#endif

// Device memory [bytes]. Throw OutOfMemory when there is none left, Error (exit code 1) when the device reports a
// fault.
void* device_allocate(std::size_t bytes);
void device_free(void* memory, std::size_t bytes) noexcept;  // `bytes` as allocated

// Page-locked host memory for staging (ordinary memory in the CPU build).
void* pinned_allocate(std::size_t bytes);
void pinned_free(void* memory) noexcept;

/// Whether arrays begin full of NaN (reals) or -1 (integers), so that what reads a value that nobody wrote is seen.
/// True from the start in checked builds.
bool arrays_are_poisoned();

/// They do as long as this exists.
class PoisonedArrays {
 public:
  PoisonedArrays();
  ~PoisonedArrays();
  PoisonedArrays(const PoisonedArrays&) = delete;
  PoisonedArrays& operator=(const PoisonedArrays&) = delete;

 private:
  bool before_;
};

/// Memory that arrays hold now [bytes]: on the heap of this process, where the CPU build has its device arrays too, and
/// on the device.
struct MemoryHeld {
  std::size_t host = 0, device = 0;
};
MemoryHeld memory_held();

/// Largest device memory this rank has held at one time [bytes].
std::size_t device_bytes_peak();

}  // namespace solenoid
