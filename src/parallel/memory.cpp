#include "parallel/memory.hpp"

#include <malloc.h>

#include <algorithm>
#include <utility>

#include "base/host_memory.hpp"

#ifdef SOLENOID_CUDA
#include "parallel/cuda_stream.hpp"
#else
#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#endif

namespace solenoid {

namespace {
/// Current and peak bytes, per process.
struct Account {
  std::size_t held = 0, peak = 0;
  void add(std::size_t bytes) { peak = std::max(peak, held += bytes); }
} account;

#ifdef SOLENOID_CHECKED
bool poisoned = true;
#else
bool poisoned = false;
#endif
}  // namespace

bool arrays_are_poisoned() { return poisoned; }
PoisonedArrays::PoisonedArrays() : before_(std::exchange(poisoned, true)) {}
PoisonedArrays::~PoisonedArrays() { poisoned = before_; }

MemoryHeld memory_held() {
  const auto heap = mallinfo2();
  return {heap.uordblks + heap.hblkhd, account.held};
}

std::size_t device_bytes_peak() { return account.peak; }

#ifdef SOLENOID_CUDA

void* device_allocate(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  void* memory = nullptr;
  const cudaError_t status = cudaMalloc(&memory, bytes);
  if (status == cudaErrorMemoryAllocation) throw OutOfMemory(bytes, account.held);
  check_cuda(status, "allocating device memory");
  account.add(bytes);
  return memory;
}

void device_free(void* memory, std::size_t bytes) noexcept {
  if (!memory) return;
  account.held -= bytes;
  cudaFree(memory);
}

void* pinned_allocate(std::size_t bytes) {
  void* memory = nullptr;
  if (bytes) check_cuda(cudaMallocHost(&memory, bytes), "allocating page-locked memory");
  return memory;
}
void pinned_free(void* memory) noexcept {
  if (memory) cudaFreeHost(memory);
}

#else

void* device_allocate(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  constexpr std::size_t cache_line = 64, huge_page = std::size_t{2} << 20;
  const bool large = bytes >= 2 * huge_page;
  void* memory = nullptr;
  if (posix_memalign(&memory, large ? huge_page : cache_line, bytes) != 0) throw OutOfMemory(bytes);
  // Random gathers miss the page table cache at every other step with small pages. A kernel without huge pages refuses.
  if (large) madvise(memory, bytes, MADV_HUGEPAGE);
  account.add(bytes);
  return memory;
}

void device_free(void* memory, std::size_t bytes) noexcept {
  if (!memory) return;
  account.held -= bytes;
  std::free(memory);
}

void* pinned_allocate(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  void* memory = std::malloc(bytes);
  if (!memory) throw OutOfMemory(bytes);
  return memory;
}
void pinned_free(void* memory) noexcept { std::free(memory); }

#endif

#ifdef SOLENOID_CUDA

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

#else

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

#endif

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

}  // namespace solenoid
