/// Neighbours of each cell across its faces, on the device, for walks through the mesh.
#pragma once

#include "mesh/local_mesh.hpp"
#include "parallel/device_array.hpp"

namespace solenoid {

/// The neighbour of each local cell across its side `corner`, opposite that corner, at cell * corners + corner.
class CellNeighbours {
 public:
  explicit CellNeighbours(const LocalMesh& mesh);

  struct View {
    static constexpr int unknown = -1;
    int corners;
    const int* points;  // of the corners
    const int* nodes;
    const Vec3* place;  // of points
    const int* beyond_;
    const signed char* turn_;  // null: no periodic pairs
    const Vec3* translation_;

    /// A local cell; unknown if only other ranks have it; -2 - patch on the boundary.
    SOLENOID_HD int beyond(int cell, int corner) const { return beyond_[cell * corners + corner]; }
    /// Translation of the side from its position in this cell to that in the neighbour [m].
    SOLENOID_HD Vec3 shift(int cell, int corner) const {
      const int turn = turn_ ? turn_[cell * corners + corner] : 0;
      return turn == 0 ? Vec3{} : turn > 0 ? translation_[turn - 1] : -translation_[-turn - 1];
    }
    SOLENOID_HD const Vec3& corner(int cell, int k) const { return place[points[cell * corners + k]]; }
    /// Barycentric coordinates of x, all at least 0 inside.
    SOLENOID_HD void weights(int cell, const Vec3& x, real* weight) const;
    /// The unit normal of a side, of unspecified orientation.
    SOLENOID_HD Vec3 normal(int cell, int side) const;
  };
  View view() const;

 private:
  const LocalMesh& mesh_;
  DeviceArray<Vec3> place_, translation_;
  DeviceArray<int> beyond_;
  DeviceArray<signed char> turn_;  // 1 + k: by the translation of pair k; negative: opposite
};

SOLENOID_HD inline void CellNeighbours::View::weights(int cell, const Vec3& x, real* weight) const {
  const Vec3 &a = corner(cell, 0), &b = corner(cell, 1), &c = corner(cell, 2);
  const Vec3 to_a = a - x, to_b = b - x, to_c = c - x;
  if (corners == 3) {
    const real whole = cross(b - a, c - a).z;
    weight[0] = cross(to_b, to_c).z / whole;
    weight[1] = cross(to_c, to_a).z / whole;
    weight[2] = cross(to_a, to_b).z / whole;
    return;
  }
  const Vec3& d = corner(cell, 3);
  const Vec3 to_d = d - x;
  const real whole = dot(cross(b - a, c - a), d - a);
  weight[0] = dot(cross(to_b, to_c), to_d) / whole;
  weight[1] = -dot(cross(to_a, to_c), to_d) / whole;
  weight[2] = dot(cross(to_a, to_b), to_d) / whole;
  weight[3] = -dot(cross(to_a, to_b), to_c) / whole;
}

SOLENOID_HD inline Vec3 CellNeighbours::View::normal(int cell, int side) const {
  const Vec3& a = corner(cell, (side + 1) % corners);
  const Vec3 along = corner(cell, (side + 2) % corners) - a;
  const Vec3 across = corners == 3 ? Vec3{along.y, -along.x, 0} : cross(along, corner(cell, (side + 3) % corners) - a);
  return across / norm(across);
}

}  // namespace solenoid
