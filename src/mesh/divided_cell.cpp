#include "mesh/divided_cell.hpp"

#include <algorithm>
#include <bit>

namespace solenoid {

namespace {

int corner_of(CornerSet one) { return std::countr_zero(one); }
int last_corner_of(CornerSet set) { return std::bit_width(set) - 1; }

/// Numbers the edges 0-1, 0-2, 0-3, 1-2, 1-3, 2-3 of a tetrahedron.
int number_of_edge(CornerSet middle) {
  const int a = corner_of(middle), b = last_corner_of(middle);
  return a * (7 - a) / 2 + b - a - 1;
}

}  // namespace

DividedCell::DividedCell(const MeshPart& part, int cell) : part_(part), cell_(cell), dimension_(part.dimension) {
  const std::span<const int> nodes = part.cell_nodes_of(cell), points = part.cell_points_of(cell);
  for (int opposite = 0; opposite <= dimension_; ++opposite) {
    const std::span<const int> of_face = part.face_nodes_of(part.cell_faces_of(cell)[opposite]);
    for (int corner = 0; corner <= dimension_; ++corner) {
      const auto found = std::find(of_face.begin(), of_face.end(), nodes[corner]);
      place_in_face_[opposite][corner] = static_cast<int>(found - of_face.begin());
    }
  }
  if (dimension_ == 2) {
    division_ = divide_triangle();
  } else {
    std::array<Vec3, 4> corners;
    for (int k = 0; k < 4; ++k) corners[k] = part.points[points[k]];
    division_ = divide_tetrahedron(corners, part.cell_swapped[cell] != 0);
  }
}

int DividedCell::edge_between(int corner, int other) const {
  const int without = corner_of(~(1u << corner | 1u << other));  // a face with both
  const int face = part_.cell_faces_of(cell_)[without];
  if (dimension_ == 2) return face;
  const int places = place_in_face_[without][corner] + place_in_face_[without][other];  // 0 + 1, 1 + 2 or 0 + 2
  return part_.face_edges_of(face)[places == 1 ? 0 : places == 3 ? 1 : 2];
}

int DividedCell::first_of(int corner, int other) const {
  const int without = corner_of(~(1u << corner | 1u << other));
  return place_in_face_[without][corner] < place_in_face_[without][other] ? corner : other;
}

int DividedCell::opposite(int face) const {
  const std::span<const int> faces = part_.cell_faces_of(cell_);
  return static_cast<int>(std::find(faces.begin(), faces.end(), face) - faces.begin());
}

Descent DividedCell::node(CornerSet at) const {
  if (std::has_single_bit(at)) return {Parent::node, part_.cell_nodes_of(cell_)[corner_of(at)], 0};
  return {dimension_ == 2 ? Parent::face : Parent::edge, edge_between(corner_of(at), last_corner_of(at)), 0};
}

Descent DividedCell::edge(CornerSet from, CornerSet to) const {
  const CornerSet all = from | to, shared = from & to;
  if (std::popcount(all) == 2) {  // half of an edge
    const int corner = corner_of(shared), other = corner_of(all & ~shared);
    return {Parent::edge, edge_between(corner, other), first_of(corner, other) == corner ? 0 : 1};
  }
  if (std::popcount(all) == 4) return {Parent::cell, cell_, 0};
  const int without = corner_of(~all);
  return {Parent::face, part_.cell_faces_of(cell_)[without], place_in_face_[without][corner_of(shared)]};
}

Descent DividedCell::face(const ChildCell& child, int opposite) const {
  std::array<CornerSet, 3> at{};
  CornerSet all = 0, shared = ~0u, corner = 0;
  for (int k = 0, count = 0; k <= dimension_; ++k) {
    if (k == opposite) continue;
    at[count] = child.corners[k];
    all |= at[count], shared &= at[count];
    if (std::has_single_bit(at[count])) corner = at[count];
    ++count;
  }
  if (std::popcount(all) == dimension_) {  // on a face of the cell, at one of its corners or in its middle
    const int without = corner_of(~all);
    const int place = corner == 0 ? dimension_ : place_in_face_[without][corner_of(corner)];
    return {Parent::face, part_.cell_faces_of(cell_)[without], place};
  }
  if (shared != 0) return {Parent::cell, cell_, corner_of(shared)};  // cuts off a corner
  // At the diagonal, whose ends have no corner in common, and at the middle of another edge.
  const int beside = (at[1] & at[2]) == 0 ? 0 : (at[0] & at[2]) == 0 ? 1 : 2;
  return {Parent::cell, cell_, 4 + number_of_edge(at[beside])};
}

}  // namespace solenoid
