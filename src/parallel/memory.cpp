#include "parallel/memory.hpp"

#include <malloc.h>

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "base/host_memory.hpp"

#ifdef SOLENOID_CUDA
#include "parallel/cuda_stream.hpp"
#else
#include <sys/mman.h>

#include <cstdlib>
#endif

namespace solenoid {

namespace {
/// An owner within an outer one, -1: none.
struct Owner {
  const char* name;
  int outer;
  ArraysOf arrays;
};

/// Current and peak bytes, per process, and whose they are.
class Account {
 public:
  void add(const void* memory, std::size_t bytes) {
    held_ += bytes;
    peak_ = std::max(peak_, held_);
    owner_of_[memory] = current_;
    count(current_, 1, bytes);
  }
  void remove(const void* memory, std::size_t bytes) noexcept {
    held_ -= bytes;
    const auto found = owner_of_.find(memory);
    if (found == owner_of_.end()) return;
    count(found->second, -1, -bytes);
    owner_of_.erase(found);
  }
  std::size_t held() const { return held_; }
  std::size_t peak() const { return peak_; }

  /// Returns the owner until then.
  int enter(const char* name) {
    const auto is_it = [&](const Owner& owner) {
      return owner.outer == current_ && std::strcmp(owner.name, name) == 0;
    };
    const auto known = std::find_if(owners_.begin(), owners_.end(), is_it);
    const auto place = static_cast<int>(known - owners_.begin());
    if (known == owners_.end()) {
      const std::string outer = current_ > 0 ? owners_[static_cast<std::size_t>(current_)].arrays.owner + " / " : "";
      owners_.push_back({name, current_, {outer + name, 0, 0}});
    }
    return std::exchange(current_, place);
  }
  void leave(int outer) { current_ = outer; }
  const std::vector<Owner>& owners() const { return owners_; }

 private:
  void count(int owner, int arrays, std::size_t bytes) {
    ArraysOf& of = owners_[static_cast<std::size_t>(owner)].arrays;
    of.arrays += arrays;
    of.bytes += bytes;
  }

  std::size_t held_ = 0, peak_ = 0;
  std::vector<Owner> owners_{{"other", -1, {"other", 0, 0}}};
  std::unordered_map<const void*, int> owner_of_;
  int current_ = 0;
};

/// Never destroyed: some arrays live until the process ends.
Account& account() {
  static Account& all = *new Account;  // NOLINT(cppcoreguidelines-owning-memory)
  return all;
}

std::int64_t copied_to_host = 0;

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
  return {heap.uordblks + heap.hblkhd, account().held()};
}

std::size_t device_bytes_peak() { return account().peak(); }

MemoryOf::MemoryOf(const char* name) : outer_(account().enter(name)) {}
MemoryOf::~MemoryOf() { account().leave(outer_); }

std::vector<ArraysOf> device_arrays() {
  std::vector<ArraysOf> result;
  for (const Owner& owner : account().owners()) {
    if (owner.arrays.arrays > 0) result.push_back(owner.arrays);
  }
  std::stable_sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
  return result;
}

std::int64_t bytes_copied_to_host() { return copied_to_host; }

#ifdef SOLENOID_CUDA

void* device_allocate(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  void* memory = nullptr;
  const cudaError_t status = cudaMalloc(&memory, bytes);
  if (status == cudaErrorMemoryAllocation) throw OutOfMemory(bytes, account().held());
  check_cuda(status, "allocating device memory");
  account().add(memory, bytes);
  return memory;
}

void device_free(void* memory, std::size_t bytes) noexcept {
  if (!memory) return;
  account().remove(memory, bytes);
  cudaFree(memory);
}

double device_bytes_left() {
  std::size_t left = 0, all = 0;
  check_cuda(cudaMemGetInfo(&left, &all), "asking for the device's free memory");
  return static_cast<double>(left);
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
  account().add(memory, bytes);
  return memory;
}

void device_free(void* memory, std::size_t bytes) noexcept {
  if (!memory) return;
  account().remove(memory, bytes);
  std::free(memory);
}

double device_bytes_left() { return host_bytes_left(); }

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
  cuda::require_launches();
  check_cuda(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, cuda::kernel_stream()),
             "copying to the device");
}
void copy_to_host_later(void* host, const void* device, std::size_t bytes) {
  if (bytes == 0) return;
  cuda::require_launches();
  copied_to_host += static_cast<std::int64_t>(bytes);
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
  cuda::require_launches();
  check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, cuda::kernel_stream()),
             "copying on the device");
}
void device_synchronize() {
  cuda::require_launches();
  check_cuda(cudaDeviceSynchronize(), "waiting for the device");
}

#else

void copy_to_device(void* device, const void* host, std::size_t bytes) {
  if (bytes) std::memcpy(device, host, bytes);
}
void copy_to_host(void* host, const void* device, std::size_t bytes) {
  copied_to_host += static_cast<std::int64_t>(bytes);
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
