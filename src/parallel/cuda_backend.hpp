/// forall and reduce as CUDA kernels.
#pragma once

#include <algorithm>
#include <array>

#include "base/partial_sum.hpp"
#include "parallel/cuda_stream.hpp"
#include "parallel/kernel_list.hpp"
#include "parallel/memory.hpp"
#include "parallel/pack.hpp"
#include "parallel/stream.hpp"

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
  if (listed_kernels) return listed_kernels->add(blocks, width, kernel, arguments...);
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
__global__ void __launch_bounds__(most_shares* pack_width) shared_kernel(int n, int shares, F f) {
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

/// Two of them, and one wait.
template <class T, class F, class G, class Combine>
std::array<T, 2> reduce_two(int n, F f, int m, G g, T identity, Combine combine) {
  T* const results = static_cast<T*>(reduction_scratch(0, 2 * sizeof(T)).pinned);
  results[0] = results[1] = identity;
  if (n > 0) cuda::reduce_into(n, identity, f, combine, cuda::Store<T>{results});
  if (m > 0) cuda::reduce_into(m, identity, g, combine, cuda::Store<T>{results + 1});
  wait_for(cuda::kernel_stream());
  return {results[0], results[1]};
}

namespace cuda {

struct AddCounts {
  __device__ std::int64_t operator()(std::int64_t a, std::int64_t b) const { return a + b; }
};
struct AnyBit {
  __device__ std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return a | b; }
};
struct LargerBits {
  __device__ std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return a > b ? a : b; }
};

/// As fold_block, with the total on every thread; another fold may follow at once.
template <class T, class Combine>
__device__ T fold_for_all(T value, void* shared, Combine combine) {
  const T all = fold_block(value, static_cast<T*>(shared), combine);
  __syncthreads();
  return all;
}

/// Adds the terms of all threads of the block, `items` each, on thread 0. Every thread calls this.
__device__ inline void add_block(ExactSum& sum, double* terms, void* shared) {
  constexpr std::uint64_t magnitude = ~std::uint64_t{0} >> 1;
  std::uint64_t largest = 0;
  for (int j = 0; j < items; ++j) largest = LargerBits{}(largest, ExactSum::bits_of(terms[j]) & magnitude);
  largest = fold_for_all(largest, shared, LargerBits{});
  if (largest == 0) return;
  if (ExactSum::exponent_of(largest) > ExactSum::largest_exponent) {
    if (threadIdx.x == 0) sum.add_unfit();
    return;
  }
  for (Splitter splitter = Splitter::for_largest(ExactSum::exponent_of(largest));; splitter = splitter.next()) {
    std::int64_t count = 0;
    std::uint64_t left = 0;
    for (int j = 0; j < items; ++j) {
      count += splitter.chunk(terms[j]);
      terms[j] = splitter.rest(terms[j]);
      left |= ExactSum::bits_of(terms[j]);
    }
    count = fold_for_all(count, shared, AddCounts{});
    if (threadIdx.x == 0) sum.add(count, splitter.exponent);
    if ((fold_for_all(left, shared, AnyBit{}) & magnitude) == 0) return;
  }
}

/// Computes the exact sums of each block; the last block to finish adds them up, one digit per thread, and passes them
/// to `finish`. `arrived` is 0 before and after.
template <int N, class F, class Finish>
__global__ void exact_kernel(int n, F f, ExactSum* partial, unsigned* arrived, Finish finish) {
  __shared__ BlockMemory<std::int64_t> memory;
  __shared__ ExactSum sums[N];
  __shared__ bool is_last;
  constexpr int words = N * ExactSum::words;
  std::int64_t* const word = &sums[0].word[0];
  for (int w = threadIdx.x; w < words; w += threads) word[w] = 0;
  __syncthreads();
  double terms[N][items];
  const int begin = blockIdx.x * threads * items + threadIdx.x;
  for (int j = 0; j < items; ++j) {
    const int i = begin + j * threads;
    const Sums<N> values = i < n ? Sums<N>(f(i)) : Sums<N>{};
    for (int k = 0; k < N; ++k) terms[k][j] = values[k];
  }
  for (int k = 0; k < N; ++k) add_block(sums[k], terms[k], memory.bytes);
  __syncthreads();
  std::int64_t* const of_blocks = &partial[0].word[0];
  for (int w = threadIdx.x; w < words; w += threads)
    of_blocks[static_cast<std::size_t>(blockIdx.x) * words + w] = word[w];
  __threadfence();  // the sums are visible before the arrival is
  __syncthreads();
  if (threadIdx.x == 0) is_last = atomicInc(arrived, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  for (int w = threadIdx.x; w < words; w += threads) {
    std::int64_t all = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) all += of_blocks[static_cast<std::size_t>(b) * words + w];
    word[w] = all;
  }
  __syncthreads();
  if (threadIdx.x == 0) finish(sums);
}

/// Sums and calls `finish` with the N exact sums on the device. Does not wait.
template <int N, class F, class Finish>
void reduce_exactly_into(int n, F f, Finish finish) {
  const int blocks = blocks_for(n);
  constexpr std::size_t bytes = N * sizeof(ExactSum);
  const ReductionScratch scratch = reduction_scratch(static_cast<std::size_t>(blocks) * bytes, bytes);
  launch(blocks, &exact_kernel<N, F, Finish>, n, f, static_cast<ExactSum*>(scratch.device), scratch.arrived, finish);
}

template <int N>
struct StoreExact {
  ExactSum* target;  // page-locked host memory
  __device__ void operator()(const ExactSum* sums) const {
    for (int k = 0; k < N; ++k) target[k] = sums[k];
  }
};

}  // namespace cuda

/// Adds the Sums<N> that f(i) returns for 0 <= i < n.
template <int N, class F>
void reduce_exactly(int n, F f, ExactSum* sums) {
  if (n <= 0) return;
  auto* const result = static_cast<ExactSum*>(reduction_scratch(0, N * sizeof(ExactSum)).pinned);
  cuda::reduce_exactly_into<N>(n, f, cuda::StoreExact<N>{result});
  wait_for(cuda::kernel_stream());
  for (int k = 0; k < N; ++k) sums[k].add(result[k]);
}

}  // namespace solenoid
