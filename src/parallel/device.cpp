#include "parallel/device.hpp"

#ifdef SOLENOID_CUDA
#include <cstring>

#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include "parallel/cuda_stream.hpp"
#endif
#include "parallel/host_threads.hpp"
#include "parallel/threads.hpp"

namespace solenoid {

#ifdef SOLENOID_CUDA

const char* backend_name() { return "cuda"; }

#ifdef SOLENOID_CUDA_ON_HOST
int values_beyond_caches() { return 1 << 20; }  // a loop stands in for the GPU: the measurement has no meaning
#else
int values_beyond_caches() { return 1 << 27; }
#endif

Device select_device(const Comm& comm) {
  Device device;
  comm.guard([&] {
    const cudaError_t status = cudaGetDeviceCount(&device.count);
    require(status == cudaSuccess && device.count > 0, [&] {
      return message(
          "this build computes on NVIDIA GPUs and finds none here ({}): run on a machine with one, or build the preset "
          "cpu",
          cudaGetErrorString(status));
    });
  });
  const Comm::NodeShare share = comm.node_share();
  comm.guard([&] {
    share_processors(share.size);
    device.index = share.rank % device.count;
    check_cuda(cudaSetDevice(device.index), "choosing a device");
    cudaDeviceProp properties{};
    check_cuda(cudaGetDeviceProperties(&properties, device.index), "asking the device its name");
    device.name = properties.name;
    std::memcpy(&device.id, properties.uuid.bytes, sizeof device.id);
  });
  return device;
}

bool mpi_is_gpu_aware() {
#if defined(MPIX_CUDA_AWARE_SUPPORT) && !defined(SOLENOID_CUDA_ON_HOST)
  return MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

#else

const char* backend_name() { return "cpu"; }

int values_beyond_caches() { return 1 << 24; }

Device select_device(const Comm& comm) {
  comm.guard([] { thread_count(); });
  const int threads = thread_count();
  return {message("CPU, {} thread{} a rank", threads, threads == 1 ? "" : "s"), 0, 0, 0, threads};
}

bool mpi_is_gpu_aware() { return false; }

#endif

}  // namespace solenoid
