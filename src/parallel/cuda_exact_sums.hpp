/// Exact sums as a CUDA kernel.
#pragma once

#include "parallel/cuda_backend.hpp"
#include "parallel/sums.hpp"

namespace solenoid {

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
