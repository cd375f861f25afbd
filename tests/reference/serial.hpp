/// The operators again as plain serial loops over the whole mesh, in the scatter form of the textbooks: what the gather
/// kernels on ranks and devices are held against.
#pragma once

#include <map>
#include <vector>

#include "mesh/topology.hpp"

namespace solenoid::test {

/// The whole mesh with everything a loop needs.
class SerialMesh {
 public:
  explicit SerialMesh(const MeshSource& source);

  std::vector<real> divergence(const std::vector<real>& flux) const;          ///< D U
  std::vector<real> gradient(const std::vector<real>& pressure) const;        ///< G p
  std::vector<real> curl(const std::vector<real>& potential) const;           ///< C s
  std::vector<real> rotation(const std::vector<real>& on_faces) const;        ///< R a
  std::vector<Vec3> interpolation(const std::vector<real>& flux) const;       ///< I U
  std::vector<real> integration(const std::vector<Vec3>& vector) const;       ///< I^T V a
  std::vector<real> edge_gradient(const std::vector<real>& on_nodes) const;   ///< 3D: p_b - p_a
  std::vector<real> line_integrals(const std::vector<Vec3>& on_nodes) const;  ///< 3D: (x_b - x_a).(v_a + v_b)/2
  std::vector<real> stiffness(const std::vector<real>& on_nodes) const;       ///< P1 stiffness times a vector
  std::vector<real> mass(const std::vector<real>& on_nodes) const;            ///< P1 mass times a vector

  std::vector<real> inner_conductance() const;  ///< A/L of each face, 0 on the boundary
  /// -D w G p, w a conductance per face
  std::vector<real> two_point_laplacian(const std::vector<real>& conductance, const std::vector<real>& on_cells) const;
  std::vector<real> curl_curl(const std::vector<real>& on_edges) const;  ///< Nedelec curl-curl matrix times a vector
  std::vector<real> edge_mass(const std::vector<real>& on_edges) const;  ///< Nedelec mass times a vector, by quadrature
  std::vector<real> rt0_mass(const std::vector<real>& flux) const;       ///< RT0 mass times a vector, by quadrature
  /// Two-point friction of the interpolated velocity, K0 U
  std::vector<real> face_diffusion(const std::vector<real>& conductance, const std::vector<real>& flux) const;

  const GlobalMesh mesh;

 private:
  /// Gradients of the functions that are linear on a cell, 1 at one corner and 0 at the others.
  std::vector<Vec3> shape_gradients(int cell) const;

  /// The number of the edge between each two nodes in ascending order (3D).
  std::map<std::pair<int, int>, int> edges_between_nodes() const;
  /// Barycentric coordinates at point `point` of the dimension + 1 of a quadrature that is exact for quadratics.
  std::vector<real> barycentric(int point) const;

  struct Side {
    int cell, face, sign;
  };
  std::vector<Side> sides_;  // every face of every cell
  std::vector<real> volume_;
  std::vector<Vec3> cell_centre_, face_centre_;
};

/// Solves A x = b by Gaussian elimination with pivoting; A is n x n by rows.
std::vector<real> solve_dense(std::vector<real> a, std::vector<real> b);

}  // namespace solenoid::test
