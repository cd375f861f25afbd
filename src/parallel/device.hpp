/// Choice of the device of a rank, and the capabilities of this build and its MPI library.
#pragma once

#include <cstdint>
#include <string>

#include "base/comm.hpp"

namespace solenoid {

/// "cpu" or "cuda": what this build runs its kernels on.
const char* backend_name();

/// Values of 8 bytes that no cache of what this build computes on holds, for measuring its memory.
int values_beyond_caches();

/// What a rank computes on.
struct Device {
  std::string name;     ///< e.g. "NVIDIA H200" or "CPU, 2 threads"
  int index = 0;        ///< among the devices of the node
  int count = 0;        ///< devices of the node; 0 on the CPU
  std::int64_t id = 0;  ///< the same on two ranks only where they share the device
  int threads = 1;      ///< of the CPU, that kernels run on
};

/// Gives this rank its device: the ranks of a node share its devices in turn.
/// Collective. Throws a collective Error (exit code 1) where the build needs a GPU and the node has none.
Device select_device(const Comm& comm);

/// True where the MPI library takes device pointers.
bool mpi_is_gpu_aware();

}  // namespace solenoid
