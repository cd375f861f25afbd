/// Memory for arrays: of the device (GPU, or the host in the CPU build), page-locked memory of the host, and the peak
/// of each.
#pragma once

#include <cstddef>

namespace solenoid {

/// Whether device arrays lie in host memory: true in the CPU build.
#ifdef SOLENOID_CUDA
inline constexpr bool device_is_host = false;
#else
inline constexpr bool device_is_host = true;
#endif

// Device memory [bytes]. Throw OutOfMemory if the memory is exhausted, Error (exit code 1) if the device reports a
// fault.
void* device_allocate(std::size_t bytes);
void device_free(void* memory, std::size_t bytes) noexcept;  // `bytes` as allocated

// Page-locked host memory for staging (ordinary memory in the CPU build).
void* pinned_allocate(std::size_t bytes);
void pinned_free(void* memory) noexcept;

/// Whether new arrays are filled with NaN (reals) or -1 (integers), so that reads of unwritten values show. True from
/// the start in checked builds.
bool arrays_are_poisoned();

/// Poisons new arrays while it exists.
class PoisonedArrays {
 public:
  PoisonedArrays();
  ~PoisonedArrays();
  PoisonedArrays(const PoisonedArrays&) = delete;
  PoisonedArrays& operator=(const PoisonedArrays&) = delete;

 private:
  bool before_;
};

/// Memory in use [bytes]: on the heap of this process, which includes device arrays in the CPU build, and on the
/// device.
struct MemoryHeld {
  std::size_t host = 0, device = 0;
};
MemoryHeld memory_held();

/// Peak device memory of this rank [bytes].
std::size_t device_bytes_peak();

}  // namespace solenoid
