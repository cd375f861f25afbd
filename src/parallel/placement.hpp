/// Placement of the ranks of a run on nodes, threads, cores and devices, and its faults.
#pragma once

#include <sched.h>

#include <bitset>
#include <cstdint>
#include <string>
#include <vector>

#include "base/comm.hpp"
#include "parallel/device.hpp"

namespace solenoid {

using Processors = std::bitset<CPU_SETSIZE>;  ///< by their numbers in the system

/// What one rank knows of its place.
struct RankPlace {
  int node = 0;             ///< the lowest rank of the node
  int threads = 1;          ///< that its kernels run on
  int node_size = 0;        ///< processors of the node, whoever may use them
  std::int64_t device = 0;  ///< Device::id
  Processors processors;    ///< that it may run on; none: the system does not tell
  Processors cores;         ///< the same, with the first processor of each core for the whole of it
};

/// Of all ranks together.
struct Placement {
  int ranks = 1, nodes = 1;
  int threads = 1;                    ///< of the rank with most of them
  int devices = 0;                    ///< 0 on the CPU
  std::string device;                 ///< Device::name of rank 0
  std::string binding;                ///< of ranks to processors: "none", "core" (each rank to one) or "cores"
  std::string text;                   ///< "4 ranks on 2 nodes, CPU, 1 thread a rank, bound to a core each"
  std::vector<std::string> warnings;  ///< of ranks that share a core or a device, with the way out; one of each at most
};

/// What to say of ranks that stand so; `device` is rank 0's. A warning is about the worst node. For use in tests, too.
Placement placement_of(const std::vector<RankPlace>& places, const Device& device);

/// The placement of the ranks of `comm`. Collective; rank 0 alone knows it, elsewhere it is empty.
Placement find_placement(const Comm& comm, const Device& device);

}  // namespace solenoid
