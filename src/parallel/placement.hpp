/// Choice of the device of a rank; placement of the ranks of a run on nodes, threads, cores and devices, and its
/// faults.
#pragma once

#include <sched.h>

#include <bitset>
#include <cstdint>
#include <string>
#include <vector>

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

/// How many ranks share the memory of a device, where those of a node do so in turn; on the CPU all of the node.
/// Collective.
int ranks_on_device(const Comm& comm);

/// Whether the MPI library accepts device pointers.
bool mpi_is_gpu_aware();

using Processors = std::bitset<CPU_SETSIZE>;  ///< by their numbers in the system

/// Node, threads, processors and device of one rank.
struct RankPlace {
  int node = 0;             ///< the lowest rank of the node
  int threads = 1;          ///< of its kernels
  int node_size = 0;        ///< all processors of the node
  std::int64_t device = 0;  ///< Device::id
  Processors processors;    ///< allowed for this rank; empty: the system does not report them
  Processors cores;         ///< the same, with the first processor of each core in place of all of them
};

/// All ranks together.
struct Placement {
  int ranks = 1, nodes = 1;
  int threads = 1;                    ///< of the rank with the most
  int devices = 0;                    ///< 0 on the CPU
  std::string device;                 ///< Device::name of rank 0
  std::string binding;                ///< of ranks to processors: "none", "core" (one core per rank) or "cores"
  std::string text;                   ///< "4 ranks on 2 nodes, CPU, 1 thread a rank, bound to a core each"
  std::vector<std::string> warnings;  ///< of ranks that share a core or a device, with a remedy; at most one of each
};

/// The placement for these ranks; `device` is rank 0's. A warning concerns the worst node. Public for tests.
Placement placement_of(const std::vector<RankPlace>& places, const Device& device);

/// The placement of the ranks of `comm`. Collective; complete on rank 0 only, empty elsewhere.
Placement find_placement(const Comm& comm, const Device& device);

}  // namespace solenoid
