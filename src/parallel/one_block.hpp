/// Several short loops in one launch: one block of threads runs them one after another. For files that launch kernels.
#pragma once

#include "parallel/backend.hpp"

namespace solenoid {

#ifdef SOLENOID_CUDA

/// The threads of the block, with memory for a T each.
template <class T>
class OneBlock {
 public:
  static constexpr int threads = most_shares * pack_width;
  __device__ explicit OneBlock(T* shared) : shared_(shared) {}

  /// As forall_shared(), which gives the same bits; later loops see its results. Every thread calls this.
  template <class F>
  __device__ void forall_shared(int n, int shares, const F& f) const {
    const int lane = threadIdx.x % pack_width, share = threadIdx.x / pack_width % shares,
              at_once = threads / shares,  // items
        of_thread = static_cast<int>(threadIdx.x) / (pack_width * shares) * pack_width + lane;
    for (int begin = 0; begin < n; begin += at_once) {
      const int i = begin + of_thread;
      T value = i < n ? f.share(i, share, shares) : T{};
      if (shares > 1) {
        shared_[threadIdx.x] = value;
        __syncthreads();
        for (int width = shares / 2; width > 0; width /= 2) {
          if (share < width) shared_[threadIdx.x] += shared_[threadIdx.x + width * pack_width];
          __syncthreads();
        }
        value = shared_[threadIdx.x];
      }
      if (share == 0 && i < n) f.finish(i, value);
    }
    __syncthreads();
  }

 private:
  T* shared_;
};

namespace cuda {

template <class T, class F>
__global__ void __launch_bounds__(OneBlock<T>::threads) one_block_kernel(F f) {
  __shared__ T shared[OneBlock<T>::threads];
  f(OneBlock<T>(shared));
}

}  // namespace cuda

/// Calls f(block) by each thread of a block.
template <class T, class F>
void run_in_one_block(F f) {
  cuda::launch_blocks(1, OneBlock<T>::threads, &cuda::one_block_kernel<T, F>, f);
}

#else

/// One thread.
template <class T>
class OneBlock {
 public:
  template <class F>
  void forall_shared(int n, int shares, const F& f) const {
    for (int i = 0; i < n; ++i) f.finish(i, f.share(i, 0, shares));
  }
};

template <class T, class F>
void run_in_one_block(F f) {
  count_launch();
  f(OneBlock<T>());
}

#endif

}  // namespace solenoid
