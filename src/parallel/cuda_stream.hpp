/// The CUDA stream of a rank's kernels, and CUDA's status as an Error.
#pragma once

#include <cuda_runtime.h>

#include "base/error.hpp"
#include "parallel/kernel_list.hpp"

namespace solenoid {

inline void check_cuda(cudaError_t status, const char* doing) {
  require(status == cudaSuccess,
          [&] { return message("the device failed while {}: {}", doing, cudaGetErrorString(status)); });
}

inline void wait_for(cudaStream_t stream) {
  cuda::require_launches();
  check_cuda(cudaStreamSynchronize(stream), "waiting for the device");
}

namespace cuda {
/// The stream of this rank's kernels and copies, which run in order: the second stream while an Aside exists.
cudaStream_t kernel_stream();
}  // namespace cuda

}  // namespace solenoid
