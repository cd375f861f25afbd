/// The four locations of mesh values as types: an index, a view or a field of one does not mix with another.
#pragma once

#include "base/real.hpp"

namespace solenoid {

struct Node {
  static constexpr const char* name = "node";
};
struct Edge {  ///< in 2D: a node seen end-on
  static constexpr const char* name = "edge";
};
struct Face {  ///< in 2D: a side of a triangle, with unit depth
  static constexpr const char* name = "face";
};
struct Cell {
  static constexpr const char* name = "cell";
};

/// Local number of an entity at location L.
template <class L>
struct Index {
  int value;
};

/// Values at location L, indexed by Index<L>. Kernels capture it by copy.
template <class L, class T = real>
struct View {
  T* data = nullptr;
  SOLENOID_HD T& operator[](Index<L> i) const { return data[i.value]; }
};

}  // namespace solenoid
