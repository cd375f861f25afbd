/// Device memory that only kernels and copies can reach, and page-locked memory: which addresses are whose.
#pragma once

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

namespace cuda_on_host {

inline constexpr unsigned char poison = 0xFF;  // NaN as a real, -1 as an index

inline std::uintptr_t address(const void* place) { return reinterpret_cast<std::uintptr_t>(place); }

/// Blocks of memory by address.
class Register {
 public:
  void add(void* block, std::size_t bytes) { bytes_[address(block)] = bytes; }
  /// The bytes of the block that begins there, which is forgotten; 0 where none begins.
  std::size_t remove(void* block) {
    const auto found = bytes_.find(address(block));
    if (found == bytes_.end()) return 0;
    const std::size_t bytes = found->second;
    bytes_.erase(found);
    return bytes;
  }
  /// True where one block contains all these bytes.
  bool contains(const void* begin, std::size_t bytes) const {
    auto block = bytes_.upper_bound(address(begin));
    if (block == bytes_.begin()) return false;
    --block;
    return address(begin) + bytes <= block->first + block->second;
  }

 private:
  std::map<std::uintptr_t, std::size_t> bytes_;
};

/// The memory of the device: one range of addresses, out of reach for the host unless an Access lives. New blocks and
/// freed ones are poisoned, and so is some room behind each, where a write out of bounds is noticed.
class DeviceMemory {
 public:
  static DeviceMemory& all() {
    static DeviceMemory& memory = *new DeviceMemory;  // never destroyed: arrays may still be freed then
    return memory;
  }

  /// While it lives, device memory is like any other.
  class Access {
   public:
    Access() {
      if (all().accesses_++ == 0) all().open(true);
    }
    ~Access() {
      if (--all().accesses_ == 0) all().open(false);
    }
    Access(const Access&) = delete;
    Access& operator=(const Access&) = delete;
  };

  /// Null where there is no room.
  void* allocate(std::size_t bytes) {
    const std::size_t room = room_for(bytes);
    unsigned char* block = top_;
    if (const auto freed = freed_.find(room); freed != freed_.end()) {  // the one that was freed first
      block = freed->second;
      freed_.erase(freed);
    } else if (room > static_cast<std::size_t>(begin_ + reserved - top_)) {
      return nullptr;
    } else {
      top_ += room;
      if (has_key() && pkey_mprotect(block, room, PROT_READ | PROT_WRITE, key_) != 0) return nullptr;
    }
    const Access access;
    std::memset(block, poison, room);
    blocks_.add(block, bytes);
    return block;
  }

  /// False where no block begins at `memory`.
  bool free(void* memory) {
    const std::size_t bytes = blocks_.remove(memory);
    if (bytes == 0) return false;
    unsigned char* const block = static_cast<unsigned char*>(memory);
    const std::size_t room = room_for(bytes);
    const Access access;
    if (std::any_of(block + bytes, block + room, [](unsigned char byte) { return byte != poison; })) {
      std::fprintf(stderr, "CUDA on the host: a kernel wrote behind the end of a block of %zu bytes\n", bytes);
      std::abort();
    }
    if (room < large) {
      std::memset(block, poison, bytes);
    } else {  // costs too much to keep: reads as 0 from here on
      madvise(block, room, MADV_DONTNEED);
    }
    freed_.emplace(room, block);
    return true;
  }

  bool contains(const void* begin, std::size_t bytes) const { return blocks_.contains(begin, bytes); }
  bool has_address(const void* place) const { return place >= begin_ && place < begin_ + reserved; }

 private:
  static constexpr std::size_t reserved = std::size_t{1} << 38, behind = 256, large = std::size_t{1} << 22,
                               huge_page = std::size_t{1} << 21;

  DeviceMemory() {
    void* const range =
        mmap(nullptr, reserved + huge_page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) {
      std::perror("CUDA on the host: reserving addresses for device memory");
      std::abort();
    }
    begin_ = top_ = static_cast<unsigned char*>(range) + huge_page - address(range) % huge_page;
    key_ = pkey_alloc(0, PKEY_DISABLE_ACCESS);
    if (!has_key()) madvise(begin_, reserved, MADV_HUGEPAGE);  // fewer pages to change; a kernel without them refuses
    struct sigaction action {};
    action.sa_sigaction = &explain;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, &before_);
  }

  /// Says whose fault a fault is, and leaves it to who was here before.
  static void explain(int, siginfo_t* info, void*) {
    if (all().has_address(info->si_addr)) {
      constexpr char text[] = "CUDA on the host: the host used an address of device memory\n";
      [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    }
    sigaction(SIGSEGV, &all().before_, nullptr);
  }

  static std::size_t room_for(std::size_t bytes) {
    static const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return (bytes + behind + page - 1) / page * page;
  }
  /// A protection key of the processor (pkeys(7)), where it has some, opens and shuts in no time; else all pages
  /// change.
  bool has_key() const { return key_ >= 0; }
  void open(bool is_open) const {
    int failed = 0;
    if (has_key()) {
      failed = pkey_set(key_, is_open ? 0 : PKEY_DISABLE_ACCESS);
    } else if (top_ != begin_) {
      const std::size_t pages = (static_cast<std::size_t>(top_ - begin_) + huge_page - 1) / huge_page;
      failed = mprotect(begin_, pages * huge_page, is_open ? PROT_READ | PROT_WRITE : PROT_NONE);
    }
    if (failed != 0) std::abort();
  }

  unsigned char *begin_, *top_;
  Register blocks_;
  std::multimap<std::size_t, unsigned char*> freed_;
  int key_ = -1, accesses_ = 0;
  struct sigaction before_;
};

/// Page-locked memory of the host.
inline Register& pinned_memory() {
  static Register& blocks = *new Register;
  return blocks;
}

}  // namespace cuda_on_host
