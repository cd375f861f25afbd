/// Numbers of items that processors take at once: table rows side by side, and threads that share one.
#pragma once

namespace solenoid {

/// cores_take_packs: kernels run on a CPU, whose cores process table rows side by side.
#ifdef SOLENOID_CUDA
inline constexpr int pack_width = 32;
inline constexpr bool cores_take_packs = false;
#ifdef SOLENOID_CUDA_ON_HOST
inline constexpr int most_shares = 2;  // threads of a block that share an item; here they are slow
#else
inline constexpr int most_shares = 32;
#endif
#else
inline constexpr int pack_width = 8;
inline constexpr bool cores_take_packs = true;
inline constexpr int most_shares = 1;
#endif

/// One value for each of pack_width consecutive items.
template <class T>
struct Pack {
  T value[pack_width];
};

}  // namespace solenoid
