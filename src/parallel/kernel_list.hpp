/// Kernels listed in the place of being launched, with their parameters: by them a recorded graph is known again.
#pragma once

#include <cstring>
#include <type_traits>
#include <vector>

#include "base/error.hpp"

namespace solenoid::cuda {

/// Equal lists are of the same kernels with the same parameters, byte by byte, in the same order.
class KernelList {
 public:
  template <class... Parameters>
  void add(int blocks, int width, void (*kernel)(Parameters...), std::type_identity_t<Parameters>... parameters) {
    append(blocks), append(width), append(kernel);
    (append(parameters), ...);
  }
  void clear() { bytes_.clear(); }
  bool operator==(const KernelList&) const = default;

 private:
  template <class T>
  void append(T value) {
    static_assert(std::is_trivially_copyable_v<T>);
    __builtin_clear_padding(&value);
    const std::size_t end = bytes_.size();
    bytes_.resize(end + sizeof(T));
    std::memcpy(bytes_.data() + end, &value, sizeof(T));
  }

  std::vector<unsigned char> bytes_;
};

/// That of the Listing, if there is one.
inline KernelList* listed_kernels = nullptr;

/// While it exists, this rank's kernels are listed. Nothing runs: the host neither copies nor waits meanwhile.
class Listing {
 public:
  explicit Listing(KernelList& list) { listed_kernels = &list; }
  ~Listing() { listed_kernels = nullptr; }
  Listing(const Listing&) = delete;
  Listing& operator=(const Listing&) = delete;
};

/// Throws while kernels are listed.
inline void require_launches() {
  require(!listed_kernels, [] { return "a sequence of kernels to be replayed copied or waited in between"; });
}

}  // namespace solenoid::cuda
