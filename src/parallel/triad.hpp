/// The reference for memory bandwidth: a = b + s c over arrays that no cache holds (McCalpin 1995).
#pragma once

#include "base/comm.hpp"
#include "parallel/device_array.hpp"

namespace solenoid {

/// target = first + second / 2.
void triad(DeviceArray<real>& target, const DeviceArray<real>& first, const DeviceArray<real>& second);

/// What all ranks together reach [bytes/s], each array counted once: the best of the passes that `seconds` suffice for,
/// over arrays of a size between what caches hold and what a run can spare (0.1 GB a rank at most on CPUs); 0 where
/// there is no room for them. Collective.
double measure_triad(const Comm& comm, double seconds);

}  // namespace solenoid
