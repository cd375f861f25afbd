/// Turns a CUDA status into the program's Error.
#pragma once

#include <cuda_runtime_api.h>

#include "base/error.hpp"

namespace solenoid {

inline void check_cuda(cudaError_t status, const char* doing) {
  require(status == cudaSuccess,
          [&] { return message("the device failed while {}: {}", doing, cudaGetErrorString(status)); });
}

}  // namespace solenoid
