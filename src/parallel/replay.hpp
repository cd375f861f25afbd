/// A sequence of kernels that repeats: on the GPU recorded once as a CUDA graph, which launches faster than its kernels
/// one by one. For files that launch kernels.
#pragma once

#include <utility>

#include "base/traffic.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

/// Kept for as long as its kernels may run. A graph is that of a list of kernels and their parameters: of other ones,
/// as of a matrix that was replaced, another is recorded.
class Replay {
 public:
  Replay() = default;
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

#ifdef SOLENOID_CUDA
  ~Replay() { drop(); }

  /// Runs `work`, which only launches kernels: a graph of them once they have been the same for some runs.
  template <class Work>
  void run(const Work& work) {
    constexpr int unrecorded = 16;                       // a graph takes as long to make as some runs of its kernels
    if (std::exchange(is_first_, false)) return work();  // which may allocate
    list(work);
    if (now_ != last_) {
      std::swap(now_, last_);
      alike_ = 0;
      drop();
    }
    if (alike_ < unrecorded) return ++alike_, work();
    if (!graph_) capture(work);
    check_cuda(cudaGraphLaunch(graph_, cuda::kernel_stream()), "starting a graph of kernels");
    count_launch(kernels_);
    count_traffic(bytes_);
  }

 private:
  void drop() {
    if (graph_) cudaGraphExecDestroy(graph_);
    graph_ = nullptr;
  }

  /// Sets now_.
  template <class Work>
  void list(const Work& work) {
    const std::int64_t bytes_before = traffic();
    now_.clear();
    const cuda::Listing listing(now_);
    work();
    count_traffic(bytes_before - traffic());
  }

  template <class Work>
  void capture(const Work& work) {
    const cudaStream_t stream = cuda::kernel_stream();
    const long before = kernel_launches();
    const std::int64_t bytes_before = traffic();
    cudaGraph_t recorded{};
    check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "recording kernels");
    work();
    check_cuda(cudaStreamEndCapture(stream, &recorded), "recording kernels");
    check_cuda(cudaGraphInstantiate(&graph_, recorded, 0), "making a graph of kernels");
    check_cuda(cudaGraphDestroy(recorded), "making a graph of kernels");
    kernels_ = kernel_launches() - before;
    bytes_ = traffic() - bytes_before;
    count_launch(-kernels_);  // recorded, not launched
    count_traffic(-bytes_);
  }

  bool is_first_ = true;
  cuda::KernelList now_, last_;
  int alike_ = 0;  // runs of last_
  cudaGraphExec_t graph_ = nullptr;
  long kernels_ = 0;
  std::int64_t bytes_ = 0;
#else
  template <class Work>
  void run(const Work& work) {
    work();
  }
#endif
};

}  // namespace solenoid
