#include "parallel/stream.hpp"

#ifdef SOLENOID_CUDA
#include "parallel/cuda_stream.hpp"
#endif

namespace solenoid {

#ifdef SOLENOID_CUDA

namespace {

/// Two streams and the event that orders them. Neither waits for the other otherwise.
struct Streams {
  cudaStream_t main{}, aside{};
  cudaEvent_t reached{};
  bool is_aside = false;
  Streams() {
    for (cudaStream_t* stream : {&main, &aside}) {
      check_cuda(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking), "making a stream");
    }
    check_cuda(cudaEventCreateWithFlags(&reached, cudaEventDisableTiming), "making an event");
  }
};
Streams& streams() {
  static Streams all;
  return all;
}

/// Orders later work in `later` after all work so far in `earlier`.
void order(cudaStream_t earlier, cudaStream_t later) {
  check_cuda(cudaEventRecord(streams().reached, earlier), "ordering two streams");
  check_cuda(cudaStreamWaitEvent(later, streams().reached, 0), "ordering two streams");
}

}  // namespace

cudaStream_t cuda::kernel_stream() { return streams().is_aside ? streams().aside : streams().main; }

Aside::Aside(bool after_all) {
  if (after_all) order(streams().main, streams().aside);
  streams().is_aside = true;
}
Aside::~Aside() { streams().is_aside = false; }
bool aside_is_done() { return cudaStreamQuery(streams().aside) == cudaSuccess; }
void wait_for_aside() { wait_for(streams().aside); }
void join_aside() { order(streams().aside, streams().main); }

#else

Aside::Aside(bool) {}
Aside::~Aside() {}
bool aside_is_done() { return true; }
void wait_for_aside() {}
void join_aside() {}

#endif

namespace {
long launches = 0;
}  // namespace

void count_launch(long count) { launches += count; }
long kernel_launches() { return launches; }

}  // namespace solenoid
