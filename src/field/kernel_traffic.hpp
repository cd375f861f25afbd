/// Memory traffic of a kernel, from its arguments.
#pragma once

#include <cstdint>

#include "base/traffic.hpp"

namespace solenoid {

/// The arrays read by a formula, each counted once.
class ArraysRead {
 public:
  void add(const void* array, std::int64_t bytes) {
    for (int k = 0; k < count_; ++k) {
      if (arrays_[k] == array) return;
    }
    if (count_ == most) return;  // not counted: the total is a lower bound
    arrays_[count_++] = array;
    bytes_ += bytes;
  }
  std::int64_t bytes() const { return bytes_; }

 private:
  static constexpr int most = 16;
  const void* arrays_[most];
  int count_ = 0;
  std::int64_t bytes_ = 0;
};

/// Counts the traffic of a kernel over the owned entities of these fields: list a field once for reading and once for
/// writing.
template <class... Fields>
void count_owned(const Fields&... fields) {
  count_traffic((... + (static_cast<std::int64_t>(sizeof(typename Fields::value_type)) * fields.owned())));
}

/// Counts the traffic of a kernel that gathers these fields, halo included, each once.
template <class... Fields>
void count_gathered(const Fields&... fields) {
  count_traffic((... + (static_cast<std::int64_t>(sizeof(typename Fields::value_type)) * fields.total())));
}

}  // namespace solenoid
