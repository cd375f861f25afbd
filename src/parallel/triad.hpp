/// The reference for memory bandwidth: a = b + s c over arrays that no cache holds (McCalpin 1995).
#pragma once

#include "base/comm.hpp"
#include "parallel/device_array.hpp"

namespace solenoid {

/// target = first + second / 2.
void triad(DeviceArray<real>& target, const DeviceArray<real>& first, const DeviceArray<real>& second);

/// Bandwidth of all ranks together [bytes/s], each array counted once: the best of the passes within `seconds`, over
/// arrays that exceed the caches but not the spare memory of a run (0.1 GB per rank at most on CPUs); 0 if that memory
/// is not available. Collective.
double measure_triad(const Comm& comm, double seconds);

}  // namespace solenoid
