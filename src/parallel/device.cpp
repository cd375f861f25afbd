#include "parallel/device.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#ifdef SOLENOID_CUDA
#include <cuda_runtime.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include "parallel/cuda_check.hpp"
#elif defined(_OPENMP)
#include <omp.h>
#endif

namespace solenoid {

namespace {
/// Bytes held now and at most, per process.
struct Account {
  std::size_t held = 0, peak = 0;
  void add(std::size_t bytes) { peak = std::max(peak, held += bytes); }
} account;
}  // namespace

std::size_t device_bytes_peak() { return account.peak; }

std::size_t host_bytes_peak() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

ReductionScratch reduction_scratch(std::size_t device_bytes, std::size_t pinned_bytes) {
  static ReductionScratch scratch{nullptr, nullptr};
  static std::size_t device_size = 0, pinned_size = 0;
  if (device_size < device_bytes) {
    device_free(scratch.device, device_size);
    scratch.device = nullptr;
    device_size = 0;
    scratch.device = device_allocate(2 * device_bytes);
    device_size = 2 * device_bytes;
  }
  if (pinned_size < pinned_bytes) {
    pinned_free(scratch.pinned);
    scratch.pinned = pinned_allocate(pinned_bytes);
    pinned_size = pinned_bytes;
  }
  return scratch;
}

#ifdef SOLENOID_CUDA

const char* backend_name() { return "cuda"; }

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
#ifdef MPIX_CUDA_AWARE_SUPPORT
  return MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

void* device_allocate(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  void* memory = nullptr;
  const cudaError_t status = cudaMalloc(&memory, bytes);
  require(status != cudaErrorMemoryAllocation, [&] {
    return message("out of device memory: {} bytes more than the {} already held; use more ranks or a coarser mesh",
                   bytes, account.held);
  });
  check_cuda(status, "allocating device memory");
  account.add(bytes);
  return memory;
}

void device_free(void* memory, std::size_t bytes) noexcept {
  if (!memory) return;
  account.held -= bytes;
  cudaFree(memory);
}

void copy_to_device(void* device, const void* host, std::size_t bytes) {
  if (bytes) check_cuda(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice), "copying to the device");
}
void copy_to_host(void* host, const void* device, std::size_t bytes) {
  if (bytes) check_cuda(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost), "copying from the device");
}
void copy_on_device(void* to, const void* from, std::size_t bytes) {
  if (bytes) check_cuda(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice), "copying on the device");
}
void device_synchronize() { check_cuda(cudaDeviceSynchronize(), "waiting for the device"); }

void* pinned_allocate(std::size_t bytes) {
  void* memory = nullptr;
  if (bytes) check_cuda(cudaMallocHost(&memory, bytes), "allocating page-locked memory");
  return memory;
}
void pinned_free(void* memory) noexcept {
  if (memory) cudaFreeHost(memory);
}

#else

const char* backend_name() { return "cpu"; }

Device select_device(const Comm&) {
#ifdef _OPENMP
  const int threads = omp_get_max_threads();
#else
  const int threads = 1;
#endif
  return {message("CPU, {} thread{} a rank", threads, threads == 1 ? "" : "s"), 0, 0, 0};
}

bool mpi_is_gpu_aware() { return false; }

void* device_allocate(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  constexpr std::size_t alignment = 64;
  void* memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (!memory) throw std::bad_alloc();
  account.add(bytes);
  return memory;
}

void device_free(void* memory, std::size_t bytes) noexcept {
  if (!memory) return;
  account.held -= bytes;
  std::free(memory);
}

void copy_to_device(void* device, const void* host, std::size_t bytes) {
  if (bytes) std::memcpy(device, host, bytes);
}
void copy_to_host(void* host, const void* device, std::size_t bytes) {
  if (bytes) std::memcpy(host, device, bytes);
}
void copy_on_device(void* to, const void* from, std::size_t bytes) {
  if (bytes) std::memcpy(to, from, bytes);
}
void device_synchronize() {}

void* pinned_allocate(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  void* memory = std::malloc(bytes);
  if (!memory) throw std::bad_alloc();
  return memory;
}
void pinned_free(void* memory) noexcept { std::free(memory); }

#endif

}  // namespace solenoid
