/// How many rows of a table lie side by side: what a CPU core takes at once, or a warp of a GPU.
#pragma once

namespace solenoid {

#ifdef SOLENOID_CUDA
inline constexpr int pack_width = 32;
#else
inline constexpr int pack_width = 8;
#endif

/// A value of each of pack_width consecutive items.
template <class T>
struct Pack {
  T value[pack_width];
};

}  // namespace solenoid
