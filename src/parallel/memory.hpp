/// Memory for arrays: of the device (GPU, or the host in the CPU build) and page-locked memory of the host, the peak of
/// each, and copies between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

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

/// Device memory available to this process [bytes], of which other ranks may take a part; see host_bytes_left().
double device_bytes_left();

/// Peak device memory of this rank [bytes].
std::size_t device_bytes_peak();

/// While it exists, new device arrays belong to `name`, within the MemoryOf made before. As the last argument of a
/// constructor, by default, it names all arrays that the object is made with. Main thread only.
class MemoryOf {
 public:
  explicit MemoryOf(const char* name);
  ~MemoryOf();
  MemoryOf(const MemoryOf&) = delete;
  MemoryOf& operator=(const MemoryOf&) = delete;

 private:
  int outer_;
};

/// The device arrays of one owner on this rank.
struct ArraysOf {
  std::string owner;  ///< names from the outermost MemoryOf on, "friction / tables"; "other": of none
  int arrays;
  std::size_t bytes;
};
/// All arrays that exist, the largest owner first.
std::vector<ArraysOf> device_arrays();

// Sizes in bytes. Throw Error (exit code 1) if the device reports a fault.
void copy_to_device(void* device, const void* host, std::size_t bytes);
void copy_to_host(void* host, const void* device, std::size_t bytes);
void copy_on_device(void* to, const void* from, std::size_t bytes);
void device_synchronize();

// Asynchronous copies between page-locked host memory and the device.
void copy_to_device_later(void* device, const void* host, std::size_t bytes);
void copy_to_host_later(void* host, const void* device, std::size_t bytes);

/// Bytes that this rank has copied by copy_to_host() and copy_to_host_later(), in the CPU build as well; results of
/// reductions are not among them.
std::int64_t bytes_copied_to_host();

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
