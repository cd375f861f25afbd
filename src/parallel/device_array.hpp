/// An array that owns device memory; copies to and from the host are explicit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "parallel/memory.hpp"

namespace solenoid {

/// `size` values of T on the device. Move-only. Not initialised; if arrays_are_poisoned(), filled with NaN (reals) or
/// -1 (integers).
template <class T>
class DeviceArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  DeviceArray() = default;
  explicit DeviceArray(std::size_t size) : data_(static_cast<T*>(device_allocate(size * sizeof(T)))), size_(size) {
    if (!arrays_are_poisoned()) return;
    const std::vector<unsigned char> poison(size * sizeof(T), 0xFF);
    copy_to_device(data_, poison.data(), poison.size());
  }
  explicit DeviceArray(const std::vector<T>& host) : DeviceArray(host.size()) { from_host(host); }
  ~DeviceArray() { device_free(data_, size_ * sizeof(T)); }
  DeviceArray(DeviceArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }

  /// Overwrites the first `host.size()` values.
  void from_host(std::span<const T> host) { copy_to_device(data_, host.data(), host.size_bytes()); }
  std::vector<T> to_host() const {
    std::vector<T> host(size_);
    copy_to_host(host.data(), data_, size_ * sizeof(T));
    return host;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Page-locked host memory for `size` values of T, within fast reach of MPI and the device. Move-only.
template <class T>
class PinnedArray {
 public:
  PinnedArray() = default;
  explicit PinnedArray(std::size_t size) : data_(static_cast<T*>(pinned_allocate(size * sizeof(T)))), size_(size) {
    if (arrays_are_poisoned() && size > 0) std::memset(static_cast<void*>(data_), 0xFF, size * sizeof(T));
  }
  ~PinnedArray() { pinned_free(data_); }
  PinnedArray(PinnedArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  PinnedArray& operator=(PinnedArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Receives `size` values one by one; take() returns the complete array.
template <class T>
class DeviceWriter {
 public:
  explicit DeviceWriter(std::size_t size) : array_(size), block_(std::min(size, most)) {}

  void push_back(const T& value) {
    if (filled_ == block_.size()) write();
    block_[filled_++] = value;
  }
  /// Throws if fewer or more than `size` values were written.
  DeviceArray<T> take() {
    if (filled_ > 0) write();
    require(written_ == array_.size(), [] { return "an array on the device got fewer values than it has"; });
    return std::move(array_);
  }

 private:
  static constexpr std::size_t most = (std::size_t{1} << 18) / sizeof(T);  // fits a core's cache

  void write() {
    require(filled_ > 0 && written_ + filled_ <= array_.size(),
            [] { return "an array on the device got more values than it has"; });
    copy_to_device(array_.data() + written_, block_.data(), filled_ * sizeof(T));
    written_ += std::exchange(filled_, 0);
  }

  DeviceArray<T> array_;
  std::vector<T> block_;
  std::size_t written_ = 0, filled_ = 0;
};

}  // namespace solenoid
