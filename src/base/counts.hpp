/// Counts that are stored in 32 bits, refused before they wrap.
#pragma once

#include <cstdint>
#include <limits>

#include "base/error.hpp"

namespace solenoid {

/// `count` as an int. Throws an Error (exit code 1) if one rank has more than `most` of `what`, such as "entries of a
/// matrix".
inline int count_on_rank(std::int64_t count, const char* what, std::int64_t most = std::numeric_limits<int>::max()) {
  require(count <= most, [&] {
    return message("{} {} are too many for one rank, which takes {} at most: use more ranks", count, what, most);
  });
  return static_cast<int>(count);
}

}  // namespace solenoid
