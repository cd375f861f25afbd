/// A device array written value by value from the host, without a second copy of the whole there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "parallel/device_array.hpp"

namespace solenoid {

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
