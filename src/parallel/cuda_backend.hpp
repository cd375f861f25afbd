/// forall and reduce as CUDA kernels.
#pragma once

#include <algorithm>

#include "parallel/cuda_stream.hpp"
#include "parallel/launch_count.hpp"
#include "parallel/pack.hpp"
#include "parallel/reduction_scratch.hpp"

namespace solenoid {

namespace cuda {

#ifdef SOLENOID_CUDA_ON_HOST
inline constexpr int threads = 32;  // per block; here they run one after another
#else
inline constexpr int threads = 256;
#endif

/// Launches `kernel` on blocks of `width` threads, in the order of this rank's stream.
template <class... Parameters, class... Arguments>
void launch_blocks(int blocks, int width, void (*kernel)(Parameters...), Arguments... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = dim3(static_cast<unsigned>(width));
  config.stream = kernel_stream();
  check_cuda(cudaLaunchKernelEx(&config, kernel, arguments...), "launching a kernel");
  count_launch();
}
/// The same on blocks of `threads` threads.
template <class... Parameters, class... Arguments>
void launch(int blocks, void (*kernel)(Parameters...), Arguments... arguments) {
  launch_blocks(blocks, threads, kernel, arguments...);
}

template <class F>
__global__ void forall_kernel(int n, F f) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i < n) f(i);
}

/// A block has pack_width items, and `shares` threads for each.
template <class T, class F>
__global__ void shared_kernel(int n, int shares, F f) {
  __shared__ T shared[most_shares * pack_width];
  const int lane = threadIdx.x % pack_width, share = threadIdx.x / pack_width;
  const int i = blockIdx.x * pack_width + lane;
  shared[threadIdx.x] = i < n ? f.share(i, share, shares) : T{};
  __syncthreads();
  for (int width = shares / 2; width > 0; width /= 2) {
    if (share < width) shared[threadIdx.x] += shared[threadIdx.x + width * pack_width];
    __syncthreads();
  }
  if (share == 0 && i < n) f.finish(i, shared[threadIdx.x]);
}

/// Folds one value per thread of the block in half until thread 0 has the total. Every thread calls this.
template <class T, class Combine>
__device__ T fold_block(T value, T* shared, Combine combine) {
  shared[threadIdx.x] = value;
  __syncthreads();
  for (int width = threads / 2; width > 0; width /= 2) {
    if (threadIdx.x < static_cast<unsigned>(width)) {
      shared[threadIdx.x] = combine(shared[threadIdx.x], shared[threadIdx.x + width]);
    }
    __syncthreads();
  }
  return shared[0];
}

/// Items per thread, one after another.
inline constexpr int items = 4;
inline int blocks_for(int n) { return std::max(1, (n - 1) / (threads * items) + 1); }

/// Raw memory for one value per thread of the block; runs no constructors.
template <class T>
struct BlockMemory {
  alignas(T) unsigned char bytes[threads * sizeof(T)];
};

/// Computes one partial value per block; the last block to finish combines them in block order and passes the total to
/// `finish`. The tree depends on n alone. `arrived` is 0 before and after.
template <class T, class F, class Combine, class Finish>
__global__ void reduce_kernel(int n, T identity, F f, Combine combine, T* partial, unsigned* arrived, Finish finish) {
  __shared__ BlockMemory<T> memory;
  __shared__ bool is_last;
  T* const shared = reinterpret_cast<T*>(memory.bytes);
  T value = identity;
  const int begin = blockIdx.x * threads * items + threadIdx.x;
  for (int k = 0; k < items; ++k) {
    const int i = begin + k * threads;
    if (i < n) value = combine(value, f(i));
  }
  value = fold_block(value, shared, combine);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = value;
    __threadfence();  // the partial value is visible before the arrival is
    is_last = atomicInc(arrived, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  value = identity;
  for (unsigned k = threadIdx.x; k < gridDim.x; k += threads) value = combine(value, partial[k]);
  value = fold_block(value, shared, combine);
  if (threadIdx.x == 0) finish(value);
}

/// Reduces and calls `finish` with the total on the device. Does not wait.
template <class T, class F, class Combine, class Finish>
void reduce_into(int n, T identity, F f, Combine combine, Finish finish) {
  const int blocks = blocks_for(n);
  const ReductionScratch scratch = reduction_scratch(static_cast<std::size_t>(blocks) * sizeof(T), sizeof(T));
  launch(blocks, &reduce_kernel<T, F, Combine, Finish>, n, identity, f, combine, static_cast<T*>(scratch.device),
         scratch.arrived, finish);
}

template <class T>
struct Store {
  T* target;  // page-locked host memory
  __device__ void operator()(const T& total) const { *target = total; }
};

}  // namespace cuda

/// Calls f(i) for 0 <= i < n, in any order.
template <class F>
void forall(int n, F f) {
  if (n > 0) cuda::launch((n - 1) / cuda::threads + 1, &cuda::forall_kernel<F>, n, f);
}

/// Calls f.finish(i, sum) for 0 <= i < n, in any order, with the sum of f.share(i, k, shares) over 0 <= k < shares in
/// pairs. `shares`: a power of two, at most most_shares.
template <class T, class F>
void forall_shared(int n, int shares, F f) {
  if (n > 0) {
    cuda::launch_blocks((n - 1) / pack_width + 1, shares * pack_width, &cuda::shared_kernel<T, F>, n, shares, f);
  }
}

/// Combines f(i) over blocks of a fixed size, then the blocks' values in one block: the same tree for the same n. The
/// only atomic operation counts arrivals; it sums no values.
template <class T, class F, class Combine>
T reduce(int n, T identity, F f, Combine combine) {
  if (n <= 0) return identity;
  T* const result = static_cast<T*>(reduction_scratch(0, sizeof(T)).pinned);
  cuda::reduce_into(n, identity, f, combine, cuda::Store<T>{result});
  wait_for(cuda::kernel_stream());
  return *result;
}

}  // namespace solenoid
