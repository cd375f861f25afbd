/// A sequence of kernels that repeats: on the GPU recorded once as a CUDA graph, which launches faster than its kernels
/// one by one. For files that launch kernels.
#pragma once

#include "base/traffic.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

/// Runs `work` on each call of run(). `work` only launches kernels, the same each time, and never waits.
class Replay {
 public:
  /// With `record` false kernels are always launched one by one, which pays if each takes longer than its launch; else
  /// in the first `unrecorded` runs, at least one, which may grow scratch memory: graphs cannot record that.
  explicit Replay(bool record, int unrecorded = 1) : record_(record), unrecorded_(unrecorded) {}
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

#ifdef SOLENOID_CUDA
  ~Replay() {
    if (graph_) cudaGraphExecDestroy(graph_);
  }

  template <class Work>
  void run(const Work& work) {
    if (!record_ || ++runs_ <= unrecorded_) return work();
    if (!graph_) capture(work);
    check_cuda(cudaGraphLaunch(graph_, cuda::kernel_stream()), "starting a graph of kernels");
    count_launch(kernels_);
    count_traffic(bytes_);
  }

 private:
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

  cudaGraphExec_t graph_ = nullptr;
  long kernels_ = 0;
  std::int64_t bytes_ = 0;
  int runs_ = 0;
#else
  template <class Work>
  void run(const Work& work) {
    work();
  }

 private:
#endif
  [[maybe_unused]] bool record_;  // both used on a GPU only
  [[maybe_unused]] int unrecorded_;
};

}  // namespace solenoid
