/// Vectors from the values of surrounding edges: the vorticity in cells and on the boundary.
#pragma once

#include "field/field.hpp"

namespace solenoid {

/// sum_e omega_e phi_e over rows of edges: in 3D omega_e are line integrals and phi_e Nedelec's functions (1980); in 2D
/// omega is normal to the plane and phi_e is P1's. Means over each cell, or over each face of the boundary.
class EdgeMeans {
 public:
  static EdgeMeans in_cells(const LocalMesh& mesh);     ///< for owned cells; in 3D exact for a constant vorticity
  static EdgeMeans on_boundary(const LocalMesh& mesh);  ///< for mesh.boundary().owned(); in 3D the tangential part

  /// The rows for kernels.
  struct Rows {
    int per_row;
    const int* edge;
    const Vec3* weight;
    SOLENOID_HD Vec3 operator()(View<Edge, const real> values, int row) const {
      Vec3 sum{};
      for (int k = per_row * row; k < per_row * (row + 1); ++k) sum += values[Index<Edge>{edge[k]}] * weight[k];
      return sum;
    }
  };
  Rows rows() const { return {per_row_, edge_.data(), weight_.data()}; }

 private:
  EdgeMeans(int per_row, const std::vector<int>& edges, const std::vector<Vec3>& weights)
      : per_row_(per_row), edge_(edges), weight_(weights) {}

  int per_row_;
  DeviceArray<int> edge_;
  DeviceArray<Vec3> weight_;
};

}  // namespace solenoid
