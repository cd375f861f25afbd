/// Number of kernels that this rank has launched.
#pragma once

namespace solenoid {

// Kernels launched by this rank (in the CPU build: passes over its values), including those of replayed graphs.
void count_launch(long count = 1);
long kernel_launches();

}  // namespace solenoid
