/// Choice of the device of a rank, and the capabilities of this build and its MPI library.
#pragma once

#include <cstdint>
#include <string>

#include "base/comm.hpp"

namespace solenoid {

/// The kernel backend of this build: "cpu" or "cuda".
const char* backend_name();

/// A number of 8-byte values beyond the caches of this build's processor, for measuring its memory.
int values_beyond_caches();

/// The processor of a rank.
struct Device {
  std::string name;     ///< e.g. "NVIDIA H200" or "CPU, 2 threads"
  int index = 0;        ///< among the devices of the node
  int count = 0;        ///< devices of the node; 0 on the CPU
  std::int64_t id = 0;  ///< two ranks have the same id only if they share the device
  int threads = 1;      ///< CPU threads for kernels
};

/// Assigns a device to this rank: the ranks of a node share its devices in turn.
/// Collective. Throws a collective Error (exit code 1) if the build needs a GPU and the node has none.
Device select_device(const Comm& comm);

/// Whether the MPI library accepts device pointers.
bool mpi_is_gpu_aware();

}  // namespace solenoid
