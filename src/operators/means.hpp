/// Means of vectors over neighbours: of cells around nodes, edges and openings, of edges around cells and boundary
/// faces.
#pragma once

#include <vector>

#include "field/field.hpp"

namespace solenoid {

/// Volume-weighted means over the surrounding cells, at some entities of L (Node or Edge).
template <class L>
class MeansAround {
 public:
  MeansAround() = default;  ///< no entities
  /// At owned entities, in any order, duplicates allowed.
  MeansAround(const LocalMesh& mesh, std::vector<int> entities);

  /// Sets `means` [unit of vectors] at these entities. Sums ascend in the cells' global ids.
  void compute(Exchanged<Cell, Vec3> vectors, Field<L, Vec3>& means) const;

 private:
  DeviceArray<int> entity_, offset_, cell_;  // entities; start of the cells of each; cells
};

extern template class MeansAround<Node>;
extern template class MeansAround<Edge>;
using NodeMeans = MeansAround<Node>;

/// Velocity behind each open face, at the opposite node: the volume-weighted mean over the surrounding cells. The
/// velocity of the adjacent cell alone, of first order, has a one-sided error: 0.14 h du/dy on equilateral triangles,
/// an error in the vorticity at the opening that mesh refinement would not remove. Around an inner node the errors of
/// the cells have all directions.
class OpenVelocity {
 public:
  /// `is_open`: per face of mesh.boundary().
  OpenVelocity(const LocalMesh& mesh, const std::vector<char>& is_open);

  /// Sets `behind` [m/s] at the owned nodes opposite to open faces.
  void compute(Exchanged<Cell, Vec3> velocity, Field<Node, Vec3>& behind) const { means_.compute(velocity, behind); }

 private:
  NodeMeans means_;
};

/// The node of a boundary face's cell that is not on the face.
int opposite_node(const MeshPart& part, const BoundaryFace& face);

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
