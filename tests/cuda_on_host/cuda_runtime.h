/// The part of the CUDA runtime that Solenoid uses, as plain C++ on the host: a launch is a loop. It finds mistakes in
/// what the host does with a device, and is stricter than a device:
///
/// - Work given to a stream is done when the host waits for it and no earlier (streams.hpp). Who forgets to wait, or to
///   order two streams, reads poison or old values.
/// - Device memory begins as poison, ends as poison, and is out of the host's reach (memory.hpp). Copies are checked
///   against the blocks that are allocated.
/// - Blocks and threads run in shuffled orders; threads of a block that part before a barrier stop the program
///   (blocks.hpp).
/// - What a graph cannot record is an error. So are the default stream, streams that wait for it, and grids of more
/// than
///   one dimension, since Solenoid uses none.
///
/// It does not find races between the threads of a kernel, nor what takes a device's memory model to go wrong.
#pragma once

#include <algorithm>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include "blocks.hpp"
#include "memory.hpp"
#include "streams.hpp"

#define __global__
#define __launch_bounds__(most)
#define __device__
#define __host__
#define __shared__ static

enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorInvalidDevice = 101,
  cudaErrorInvalidResourceHandle = 400,
  cudaErrorNotReady = 600,
  cudaErrorNotSupported = 801,
  cudaErrorStreamCaptureUnsupported = 900,
  cudaErrorStreamCaptureInvalidated = 901,
};

inline const char* cudaGetErrorString(cudaError_t status) {
  switch (status) {
    case cudaSuccess:
      return "no error";
    case cudaErrorInvalidValue:
      return "invalid argument";
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorInvalidConfiguration:
      return "invalid configuration argument";
    case cudaErrorInvalidDevice:
      return "invalid device ordinal";
    case cudaErrorInvalidResourceHandle:
      return "invalid resource handle";
    case cudaErrorNotReady:
      return "device not ready";
    case cudaErrorNotSupported:
      return "operation not supported";
    case cudaErrorStreamCaptureUnsupported:
      return "operation not permitted when stream is capturing";
    case cudaErrorStreamCaptureInvalidated:
      return "operation failed due to a previous error during capture";
  }
  return "unrecognized error code";
}

// The device.

struct cudaUUID_t {
  char bytes[16];
};
struct cudaDeviceProp {
  char name[256];
  cudaUUID_t uuid;
};

inline cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
inline cudaError_t cudaSetDevice(int device) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; }
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (device != 0) return cudaErrorInvalidDevice;
  *properties = {"CUDA on the host (a loop)", {"shared by all"}};
  return cudaSuccess;
}

// Memory.

inline cudaError_t cudaMemGetInfo(std::size_t* left, std::size_t* all) {
  *left = *all = std::size_t{64} << 30;
  return cudaSuccess;
}
inline cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  if (cuda_on_host::spoils_any()) return cudaErrorStreamCaptureUnsupported;
  ++cuda_on_host::calls().allocations;
  *memory = bytes ? cuda_on_host::DeviceMemory::all().allocate(bytes) : nullptr;
  return *memory || bytes == 0 ? cudaSuccess : cudaErrorMemoryAllocation;
}
inline cudaError_t cudaMallocHost(void** memory, std::size_t bytes) {
  if (cuda_on_host::spoils_any()) return cudaErrorStreamCaptureUnsupported;
  ++cuda_on_host::calls().allocations;
  *memory = std::malloc(std::max(bytes, std::size_t{1}));
  if (!*memory) return cudaErrorMemoryAllocation;
  std::memset(*memory, cuda_on_host::poison, bytes);
  cuda_on_host::pinned_memory().add(*memory, bytes);
  return cudaSuccess;
}

/// Waits for the device first, as a device does.
inline cudaError_t cudaFree(void* memory) {
  if (!memory) return cudaSuccess;
  if (cuda_on_host::spoils_any()) return cudaErrorStreamCaptureUnsupported;
  ++cuda_on_host::calls().waits;
  cuda_on_host::work_until_all_is_done();
  return cuda_on_host::DeviceMemory::all().free(memory) ? cudaSuccess : cudaErrorInvalidValue;
}
inline cudaError_t cudaFreeHost(void* memory) {
  if (!memory) return cudaSuccess;
  if (cuda_on_host::spoils_any()) return cudaErrorStreamCaptureUnsupported;
  ++cuda_on_host::calls().waits;
  cuda_on_host::work_until_all_is_done();
  const std::size_t bytes = cuda_on_host::pinned_memory().remove(memory);
  if (bytes == 0) return cudaErrorInvalidValue;
  std::memset(memory, cuda_on_host::poison, bytes);
  std::free(memory);
  return cudaSuccess;
}

// Streams and events.

using cudaStream_t = cuda_on_host::Stream*;
using cudaEvent_t = cuda_on_host::Event*;
inline constexpr unsigned cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2;

inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  if (flags != cudaStreamNonBlocking) return cudaErrorNotSupported;
  *stream = cuda_on_host::streams().emplace_back(new cuda_on_host::Stream).get();
  return cudaSuccess;
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  if (!stream) return cudaErrorInvalidResourceHandle;
  if (cuda_on_host::spoils(*stream)) return cudaErrorStreamCaptureUnsupported;
  ++cuda_on_host::calls().waits;
  cuda_on_host::work_until(*stream, stream->given);
  return cudaSuccess;
}
inline cudaError_t cudaDeviceSynchronize() {
  if (cuda_on_host::spoils_any()) return cudaErrorStreamCaptureUnsupported;
  ++cuda_on_host::calls().waits;
  cuda_on_host::work_until_all_is_done();
  return cudaSuccess;
}
/// Does nothing for the stream, unless it is asked and asked.
inline cudaError_t cudaStreamQuery(cudaStream_t stream) {
  constexpr int patience = 1000;
  if (!stream) return cudaErrorInvalidResourceHandle;
  if (cuda_on_host::spoils(*stream)) return cudaErrorStreamCaptureUnsupported;
  if (stream->done == stream->given) return cudaSuccess;
  if (++stream->asked % patience == 0) cuda_on_host::work_until(*stream, stream->done + 1);
  return cudaErrorNotReady;
}

inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  if (flags != cudaEventDisableTiming) return cudaErrorNotSupported;
  *event = new cuda_on_host::Event;
  return cudaSuccess;
}
inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (!event || !stream) return cudaErrorInvalidResourceHandle;
  if (cuda_on_host::spoils(*stream)) return cudaErrorStreamCaptureUnsupported;
  *event = {stream, stream->given};
  return cudaSuccess;
}
inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0) {
  if (!event || !stream) return cudaErrorInvalidResourceHandle;
  if (flags != 0) return cudaErrorInvalidValue;
  if (cuda_on_host::spoils(*stream)) return cudaErrorStreamCaptureUnsupported;
  if (!event->stream) return cudaSuccess;  // never recorded
  cuda_on_host::give(*stream, [recorded = *event] { cuda_on_host::work_until(*recorded.stream, recorded.place); });
  return cudaSuccess;
}
/// Waits if the work is not done.
inline cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (!event) return cudaErrorInvalidResourceHandle;
  if (!event->stream || event->stream->done >= event->place) return cudaSuccess;
  if (cuda_on_host::spoils(*event->stream)) return cudaErrorStreamCaptureUnsupported;
  ++cuda_on_host::calls().waits;
  cuda_on_host::work_until(*event->stream, event->place);
  return cudaSuccess;
}

// Copies.

enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2, cudaMemcpyDeviceToDevice = 3 };

namespace cuda_on_host {

/// Whether so many bytes from there on are where the direction of a copy says.
inline bool is_at(const void* begin, std::size_t bytes, bool on_device) {
  const DeviceMemory& device = DeviceMemory::all();
  return on_device ? device.contains(begin, bytes) : begin && !device.has_address(begin);
}

}  // namespace cuda_on_host

/// Ordinary memory is read and written as late as page-locked memory, where CUDA might copy it first.
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t stream) {
  if (!stream) return cudaErrorInvalidResourceHandle;
  const bool from_device = kind != cudaMemcpyHostToDevice, to_device = kind != cudaMemcpyDeviceToHost;
  if (!cuda_on_host::is_at(from, bytes, from_device) || !cuda_on_host::is_at(to, bytes, to_device)) {
    return cudaErrorInvalidValue;
  }
  const bool lasts = (from_device || cuda_on_host::pinned_memory().contains(from, bytes)) &&
                     (to_device || cuda_on_host::pinned_memory().contains(to, bytes));
  if (!lasts && cuda_on_host::spoils(*stream)) return cudaErrorStreamCaptureUnsupported;
  if (!to_device) {
    ++cuda_on_host::calls().copies_to_host;
    cuda_on_host::calls().bytes_to_host += static_cast<long>(bytes);
  } else if (!from_device) {
    ++cuda_on_host::calls().copies_to_device;
  }
  cuda_on_host::give(*stream, [=] { std::memcpy(to, from, bytes); });
  return cudaSuccess;
}
inline cudaError_t cudaMemsetAsync(void* to, int byte, std::size_t bytes, cudaStream_t stream) {
  if (!stream) return cudaErrorInvalidResourceHandle;
  if (!cuda_on_host::is_at(to, bytes, true)) return cudaErrorInvalidValue;
  cuda_on_host::give(*stream, [=] { std::memset(to, byte, bytes); });
  return cudaSuccess;
}

// Kernels.

struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  std::size_t dynamicSmemBytes;
  cudaStream_t stream;
};

/// Parameters reach a device byte by byte, and so may arguments of its kernels.
template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                               Arguments&&... arguments) {
  static_assert((std::is_trivially_copyable_v<Parameters> && ...), "a kernel's parameters are copied byte by byte");
  static_assert((sizeof(Parameters) + ... + 0) <= 4096, "a kernel takes at most 4096 bytes of parameters");
  constexpr unsigned most_threads = 1024, most_blocks = (1u << 31) - 1;
  const dim3 grid = config->gridDim, block = config->blockDim;
  if (!config->stream) return cudaErrorInvalidResourceHandle;
  if (config->dynamicSmemBytes || grid.y != 1 || grid.z != 1 || block.y != 1 || block.z != 1) {
    return cudaErrorNotSupported;
  }
  if (grid.x == 0 || grid.x > most_blocks || block.x == 0 || block.x > most_threads) {
    return cudaErrorInvalidConfiguration;
  }
  cuda_on_host::give_kernels(*config->stream, 1,
                             [grid, block, kernel, parameters = std::tuple<Parameters...>(arguments...)] {
                               cuda_on_host::run_grid(grid, block, [&] { std::apply(kernel, parameters); });
                             });
  return cudaSuccess;
}

/// Blocks run one after the other: what a thread has written is there for the next.
inline void __threadfence() {}
inline unsigned atomicInc(unsigned* counter, unsigned last) {
  const unsigned before = *counter;
  *counter = before >= last ? 0 : before + 1;
  return before;
}

// Graphs.

using cudaGraph_t = cuda_on_host::Graph*;
using cudaGraphExec_t = std::shared_ptr<const cuda_on_host::Graph>*;
enum cudaStreamCaptureMode { cudaStreamCaptureModeThreadLocal = 1 };

inline cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  if (!stream) return cudaErrorInvalidResourceHandle;
  if (cuda_on_host::spoils(*stream)) return cudaErrorStreamCaptureUnsupported;
  stream->recording = std::make_unique<cuda_on_host::Graph>();
  stream->spoiled = false;
  return cudaSuccess;
}
inline cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  if (!stream || !stream->recording) return cudaErrorInvalidResourceHandle;
  const auto recorded = std::exchange(stream->recording, nullptr).release();
  *graph = stream->spoiled ? nullptr : recorded;
  if (stream->spoiled) delete recorded;
  return stream->spoiled ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags = 0) {
  if (!graph || flags != 0) return cudaErrorInvalidValue;
  *executable = new std::shared_ptr<const cuda_on_host::Graph>(new cuda_on_host::Graph(*graph));
  return cudaSuccess;
}
inline cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return graph ? cudaSuccess : cudaErrorInvalidValue;
}
inline cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  if (!executable) return cudaErrorInvalidValue;
  if (!stream) return cudaErrorInvalidResourceHandle;
  if (cuda_on_host::spoils(*stream)) return cudaErrorStreamCaptureUnsupported;
  ++cuda_on_host::calls().launches;
  cuda_on_host::calls().kernels += (*executable)->kernels;
  cuda_on_host::give(*stream, [graph = *executable] {
    for (const cuda_on_host::Work& work : graph->work) work();
  });
  return cudaSuccess;
}
inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  delete executable;
  return executable ? cudaSuccess : cudaErrorInvalidValue;
}
