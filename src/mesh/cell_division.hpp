/// Division of a triangle into four triangles and of a tetrahedron into eight tetrahedra.
#pragma once

#include <array>

#include "base/vec3.hpp"

namespace solenoid {

/// A point of a divided cell, as the corners whose mean it is, bit k for corner k: a corner, or the middle of an edge.
using CornerSet = unsigned;

/// A cell of the division.
struct ChildCell {
  std::array<CornerSet, 4> corners{};  ///< dimension + 1, positively oriented
  int is_swapped = 0;                  ///< of Connectivity::cell_swapped
};

struct CellDivision {
  std::array<ChildCell, 8> children;
  int count = 0;
};

/// Three triangles at the corners, and one between them.
CellDivision divide_triangle();

/// Four tetrahedra at the corners, and four around the shortest diagonal of the octahedron between them (J. Bey,
/// Tetrahedral grid refinement, Computing 55, 1995, with his order of corners; S. Zhang, Successive subdivisions of
/// tetrahedra, Houston J. Math. 21, 1995, for the diagonal). `corners` [m] are positively oriented, the last two
/// exchanged if `is_swapped`. Of diagonals equal to within round-off the order before that exchange decides, so the
/// division is the same in other units and along other axes.
CellDivision divide_tetrahedron(const std::array<Vec3, 4>& corners, bool is_swapped);

}  // namespace solenoid
