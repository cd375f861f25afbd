/// Number of kernels that this rank has launched.
#pragma once

namespace solenoid {

// Kernels this rank has started (in the CPU build: passes over its values), those of replayed graphs too.
void count_launch(long count = 1);
long kernel_launches();

}  // namespace solenoid
