/// The part of CUB that Solenoid uses, on the stand-in for CUDA: a scan is a loop. As CUB, it asks for device memory of
/// its own, which is poisoned here: who shares it with values in use loses them.
#pragma once

#include <cuda_runtime.h>

namespace cub {

struct DeviceScan {
  /// sums[k] = the sum of values[0 ... k - 1]; both may be one array. Without `scratch` only says how much it takes.
  template <class T>
  static cudaError_t ExclusiveSum(void* scratch, std::size_t& bytes, const T* values, T* sums, int count,
                                  cudaStream_t stream) {
    const std::size_t needed = 256 + static_cast<std::size_t>(count) / 8;
    if (!scratch) {
      bytes = needed;
      return cudaSuccess;
    }
    if (!stream) return cudaErrorInvalidResourceHandle;
    const std::size_t size = static_cast<std::size_t>(count) * sizeof(T);
    if (bytes < needed || !cuda_on_host::is_at(scratch, bytes, true) || !cuda_on_host::is_at(values, size, true) ||
        !cuda_on_host::is_at(sums, size, true)) {
      return cudaErrorInvalidValue;
    }
    constexpr long kernels = 2;  // the first prepares the other
    cuda_on_host::give_kernels(*stream, kernels, [=] {
      std::memset(scratch, cuda_on_host::poison, needed);
      T sum = 0;
      for (int k = 0; k < count; ++k) {
        const T value = values[k];
        sums[k] = sum;
        sum += value;
      }
    });
    return cudaSuccess;
  }
};

}  // namespace cub
