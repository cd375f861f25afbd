/// A divided cell within a part of a mesh: the entities that its nodes, edges and faces descend from.
#pragma once

#include <array>

#include "mesh/cell_division.hpp"
#include "mesh/mesh_part.hpp"

namespace solenoid {

enum class Parent { node, edge, face, cell };

/// A node, edge or face of the refined mesh as a part of the entity in whose interior it lies.
struct Descent {
  Parent kind;
  int entity;  ///< local number of the parent
  int place;   ///< among the parent's children of its kind
};

/// Children of one kind that an entity has at most, by the kind of the parent: node, edge, face, cell. In 2D an edge
/// of a triangle is a face.
using ChildCounts = std::array<int, 4>;
constexpr ChildCounts node_children(int dimension) {
  return dimension == 2 ? ChildCounts{1, 0, 1, 0} : ChildCounts{1, 1, 0, 0};
}
constexpr ChildCounts edge_children(int dimension) {  ///< 3D; 2D: none, as edges are nodes
  return dimension == 2 ? ChildCounts{} : ChildCounts{0, 2, 3, 1};
}
constexpr ChildCounts face_children(int dimension) {
  return dimension == 2 ? ChildCounts{0, 0, 2, 3} : ChildCounts{0, 0, 4, 10};
}

class DividedCell {
 public:
  DividedCell(const MeshPart& part, int cell);

  const CellDivision& division() const { return division_; }

  Descent node(CornerSet at) const;
  /// Of the edge between two points, in 3D.
  Descent edge(CornerSet from, CornerSet to) const;
  /// Of the face of a child opposite its corner `opposite`.
  Descent face(const ChildCell& child, int opposite) const;

  /// The entity whose middle is a new node: an edge, in 2D a face.
  int edge_between(int corner, int other) const;
  /// The end of that entity that comes first in it.
  int first_of(int corner, int other) const;
  int place_in_face(int face, int corner) const { return place_in_face_[face][corner]; }
  /// The corner opposite the cell's face with this local number.
  int opposite(int face) const;

 private:
  const MeshPart& part_;
  const int cell_, dimension_;
  std::array<std::array<int, 4>, 4> place_in_face_{};  // of a corner in the face opposite another
  CellDivision division_;
};

}  // namespace solenoid
