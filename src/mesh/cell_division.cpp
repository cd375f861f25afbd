#include "mesh/cell_division.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace solenoid {

namespace {

/// A child of Bey's division, by the two corners that each point is the mean of.
struct BeyChild {
  int point[4][2];
  bool is_negative;  ///< orientation against that of its parent
};

/// The octahedron is cut along the diagonal from the middle of 0-2 to that of 1-3.
constexpr BeyChild bey_children[8] = {
    {{{0, 0}, {0, 1}, {0, 2}, {0, 3}}, false}, {{{0, 1}, {0, 2}, {0, 3}, {1, 3}}, false},
    {{{0, 1}, {1, 1}, {1, 2}, {1, 3}}, false}, {{{0, 1}, {0, 2}, {1, 2}, {1, 3}}, true},
    {{{0, 2}, {1, 2}, {2, 2}, {2, 3}}, false}, {{{0, 2}, {1, 2}, {1, 3}, {2, 3}}, true},
    {{{0, 2}, {0, 3}, {1, 3}, {2, 3}}, false}, {{{0, 3}, {1, 3}, {2, 3}, {3, 3}}, false}};

/// Square of twice the distance between the middles of two opposite edges.
real diagonal(const std::array<Vec3, 4>& x, const std::array<int, 4>& order) {
  const Vec3 across = x[order[0]] + x[order[2]] - x[order[1]] - x[order[3]];
  return dot(across, across);
}

}  // namespace

CellDivision divide_triangle() {
  constexpr CornerSet a = 1, b = 2, c = 4;
  CellDivision division;
  division.count = 4;
  division.children[0].corners = {a, a | b, a | c};
  division.children[1].corners = {a | b, b, b | c};
  division.children[2].corners = {b | c, a | c, a | b};
  division.children[3].corners = {a | c, b | c, c};
  return division;
}

CellDivision divide_tetrahedron(const std::array<Vec3, 4>& corners, bool is_swapped) {
  const real round_off = std::sqrt(std::numeric_limits<real>::epsilon());
  std::array<int, 4> first{0, 1, 2, 3};  // the order before the exchange
  if (is_swapped) std::swap(first[2], first[3]);
  std::array<int, 4> order = first;
  bool is_negative = is_swapped;
  for (const int k : {1, 2}) {  // the other diagonals become that of Bey by an exchange of corners k and k + 1
    std::array<int, 4> other = first;
    std::swap(other[k], other[k + 1]);
    if (diagonal(corners, other) >= (1 - round_off) * diagonal(corners, order)) continue;
    order = other;
    is_negative = !is_swapped;
  }
  CellDivision division;
  division.count = 8;
  for (int child = 0; child < 8; ++child) {
    const BeyChild& of = bey_children[child];
    ChildCell& cell = division.children[child];
    for (int k = 0; k < 4; ++k) cell.corners[k] = 1u << order[of.point[k][0]] | 1u << order[of.point[k][1]];
    cell.is_swapped = is_negative != of.is_negative;
    if (cell.is_swapped) std::swap(cell.corners[2], cell.corners[3]);
  }
  return division;
}

}  // namespace solenoid
