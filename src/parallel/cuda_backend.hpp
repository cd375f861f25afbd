/// forall and reduce as CUDA kernels.
#pragma once

#include "parallel/cuda_check.hpp"
#include "parallel/device.hpp"

namespace solenoid {

namespace cuda {

inline constexpr int threads = 256;

template <class F>
__global__ void forall_kernel(int n, F f) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i < n) f(i);
}

/// One value per block: each thread takes `items` of them in turn, then the block folds in half until one is left.
template <class T, class F, class Combine>
__global__ void reduce_kernel(int n, int items, T identity, F f, Combine combine, T* partial) {
  __shared__ alignas(T) unsigned char memory[threads * sizeof(T)];
  T* const shared = reinterpret_cast<T*>(memory);
  T value = identity;
  const int begin = blockIdx.x * threads * items + threadIdx.x;
  for (int k = 0; k < items; ++k) {
    const int i = begin + k * threads;
    if (i < n) value = combine(value, f(i));
  }
  shared[threadIdx.x] = value;
  __syncthreads();
  for (int width = threads / 2; width > 0; width /= 2) {
    if (threadIdx.x < width) shared[threadIdx.x] = combine(shared[threadIdx.x], shared[threadIdx.x + width]);
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = shared[0];
}

template <class T>
struct Load {
  const T* data;
  __device__ T operator()(int i) const { return data[i]; }
};

}  // namespace cuda

/// f(i) for 0 <= i < n, in any order.
template <class F>
void forall(int n, F f) {
  if (n <= 0) return;
  cuda::forall_kernel<<<(n - 1) / cuda::threads + 1, cuda::threads>>>(n, f);
  check_cuda(cudaGetLastError(), "launching a kernel");
}

/// Combines f(i) over blocks of a fixed size, then the blocks' values in one block: the same tree for the same n, no
/// atomics.
template <class T, class F, class Combine>
T reduce(int n, T identity, F f, Combine combine) {
  if (n <= 0) return identity;
  constexpr int items = 8, chunk = cuda::threads * items;
  const int blocks = (n - 1) / chunk + 1;
  const ReductionScratch scratch = reduction_scratch((static_cast<std::size_t>(blocks) + 1) * sizeof(T), sizeof(T));
  T* const part = static_cast<T*>(scratch.device);
  T* const total = part + blocks;
  T* const result = static_cast<T*>(scratch.pinned);
  cuda::reduce_kernel<<<blocks, cuda::threads>>>(n, items, identity, f, combine, part);
  check_cuda(cudaGetLastError(), "launching a reduction");
  cuda::reduce_kernel<<<1, cuda::threads>>>(blocks, (blocks - 1) / cuda::threads + 1, identity, cuda::Load<T>{part},
                                            combine, total);
  check_cuda(cudaGetLastError(), "launching a reduction");
  check_cuda(cudaMemcpy(result, total, sizeof(T), cudaMemcpyDeviceToHost), "reading a reduction");
  return *result;
}

}  // namespace solenoid
