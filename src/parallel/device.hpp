/// Where arrays live: memory of the device (GPU, or the host itself in the CPU build), copies, and which device a rank
/// takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/comm.hpp"

namespace solenoid {

/// "cpu" or "cuda": what this build runs its kernels on.
const char* backend_name();

/// What a rank computes on.
struct Device {
  std::string name;     ///< e.g. "NVIDIA H200" or "CPU, 2 threads"
  int index = 0;        ///< among the devices of the node
  int count = 0;        ///< devices of the node; 0 on the CPU
  std::int64_t id = 0;  ///< the same on two ranks only where they share the device
};

/// Gives this rank its device: the ranks of a node share its devices in turn.
/// Collective. Throws a collective Error (exit code 1) where the build needs a GPU and the node has none.
Device select_device(const Comm& comm);

/// "2 ranks, NVIDIA H200, 1 device: ranks share devices ...", a line for the log. Collective.
std::string ranks_and_devices(const Comm& comm, const Device& device);

/// True where the MPI library takes device pointers.
bool mpi_is_gpu_aware();

// Device memory [bytes]. Throw Error (exit code 1) when there is none left, or when the device reports a fault.
void* device_allocate(std::size_t bytes);
void device_free(void* memory, std::size_t bytes) noexcept;  // `bytes` as allocated
void copy_to_device(void* device, const void* host, std::size_t bytes);
void copy_to_host(void* host, const void* device, std::size_t bytes);
void copy_on_device(void* to, const void* from, std::size_t bytes);
void device_synchronize();

// Copies between page-locked host memory and the device that are not waited for.
void copy_to_device_later(void* device, const void* host, std::size_t bytes);
void copy_to_host_later(void* host, const void* device, std::size_t bytes);

/// While it lives, this rank's kernels and copies go beside those that come after it. They begin once all is done that
/// came before (`after_all`), or only what went aside before. In the CPU build everything is done at once.
class Aside {
 public:
  explicit Aside(bool after_all);
  ~Aside();
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;
};
bool aside_is_done();
void wait_for_aside();  ///< the host does
void join_aside();      ///< kernels and copies from here on do

// Page-locked host memory for staging (ordinary memory in the CPU build).
void* pinned_allocate(std::size_t bytes);
void pinned_free(void* memory) noexcept;

/// Room for the partial results of reductions: one block of device memory, one of page-locked host memory, of at least
/// the bytes asked for, and a counter on the device that starts at 0; kept and grown as needed until the process ends.
struct ReductionScratch {
  void* device;
  void* pinned;
  unsigned* arrived;
};
ReductionScratch reduction_scratch(std::size_t device_bytes, std::size_t pinned_bytes);

// Kernels this rank has started (in the CPU build: passes over its values), those of replayed graphs too.
void count_launch(long count = 1);
long kernel_launches();

/// Largest device memory this rank has held at one time [bytes].
std::size_t device_bytes_peak();

/// Largest resident memory this process has had [bytes].
std::size_t host_bytes_peak();

}  // namespace solenoid
