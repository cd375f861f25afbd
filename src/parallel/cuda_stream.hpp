/// The CUDA stream of a rank's kernels, and CUDA's status as an Error.
#pragma once

#include <cuda_runtime.h>

#include "base/error.hpp"

namespace solenoid {

inline void check_cuda(cudaError_t status, const char* doing) {
  require(status == cudaSuccess,
          [&] { return message("the device failed while {}: {}", doing, cudaGetErrorString(status)); });
}

inline void wait_for(cudaStream_t stream) { check_cuda(cudaStreamSynchronize(stream), "waiting for the device"); }

namespace cuda {
/// Where this rank's kernels and copies go: one after the other, aside while an Aside lives.
cudaStream_t kernel_stream();
}  // namespace cuda

}  // namespace solenoid
