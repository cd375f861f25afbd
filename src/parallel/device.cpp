#include "parallel/device.hpp"

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

#ifdef SOLENOID_CUDA
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include "parallel/cuda_stream.hpp"
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

long launches = 0;
}  // namespace

std::string ranks_and_devices(const Comm& comm, const Device& device) {
  std::string text = message("{} rank{}, {}", comm.size(), comm.size() == 1 ? "" : "s", device.name);
  if (device.count == 0) return text;
  std::vector<std::int64_t> ids = comm.gather(device.id);
  std::sort(ids.begin(), ids.end());
  const auto devices = std::unique(ids.begin(), ids.end()) - ids.begin();
  text += message(", {} device{}", devices, devices == 1 ? "" : "s");
  if (devices < comm.size()) text += ": ranks share devices, which is right for tests and slow for work";
  return text;
}

void count_launch(long count) { launches += count; }
long kernel_launches() { return launches; }

std::size_t device_bytes_peak() { return account.peak; }

std::size_t host_bytes_peak() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

ReductionScratch reduction_scratch(std::size_t device_bytes, std::size_t pinned_bytes) {
  static ReductionScratch scratch{nullptr, nullptr, nullptr};
  static std::size_t device_size = 0, pinned_size = 0;
  if (device_size < device_bytes) {
    device_free(scratch.device, device_size);
    scratch.device = nullptr;
    device_size = 0;
    scratch.device = device_allocate(2 * device_bytes);
    device_size = 2 * device_bytes;
  }
  if (!scratch.arrived) {
    const unsigned none = 0;
    scratch.arrived = static_cast<unsigned*>(device_allocate(sizeof none));
    copy_to_device(scratch.arrived, &none, sizeof none);
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
#if defined(MPIX_CUDA_AWARE_SUPPORT) && !defined(SOLENOID_CUDA_ON_HOST)
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

namespace {

/// Two streams and what orders them. No stream waits for another unasked.
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

/// What `later` does from here on comes after all that `earlier` has been given.
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

void copy_to_device_later(void* device, const void* host, std::size_t bytes) {
  if (bytes == 0) return;
  check_cuda(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, cuda::kernel_stream()),
             "copying to the device");
}
void copy_to_host_later(void* host, const void* device, std::size_t bytes) {
  if (bytes == 0) return;
  check_cuda(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, cuda::kernel_stream()),
             "copying from the device");
}
void copy_to_device(void* device, const void* host, std::size_t bytes) {
  copy_to_device_later(device, host, bytes);
  if (bytes) wait_for(cuda::kernel_stream());
}
void copy_to_host(void* host, const void* device, std::size_t bytes) {
  copy_to_host_later(host, device, bytes);
  if (bytes) wait_for(cuda::kernel_stream());
}
void copy_on_device(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, cuda::kernel_stream()),
             "copying on the device");
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
  constexpr std::size_t cache_line = 64, huge_page = std::size_t{2} << 20;
  const bool large = bytes >= 2 * huge_page;
  void* memory = nullptr;
  if (posix_memalign(&memory, large ? huge_page : cache_line, bytes) != 0) throw std::bad_alloc();
  // Gathering from everywhere misses the table of small pages at every other step; a kernel without huge pages refuses.
  if (large) madvise(memory, bytes, MADV_HUGEPAGE);
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

void copy_to_device_later(void* device, const void* host, std::size_t bytes) { copy_to_device(device, host, bytes); }
void copy_to_host_later(void* host, const void* device, std::size_t bytes) { copy_to_host(host, device, bytes); }

Aside::Aside(bool) {}
Aside::~Aside() {}
bool aside_is_done() { return true; }
void wait_for_aside() {}
void join_aside() {}

void* pinned_allocate(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  void* memory = std::malloc(bytes);
  if (!memory) throw std::bad_alloc();
  return memory;
}
void pinned_free(void* memory) noexcept { std::free(memory); }

#endif

}  // namespace solenoid
