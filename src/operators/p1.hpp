/// P1 elements (nodal values, linear on each cell): matrices assembled on the host, the gradient on cells, and
/// quadrature on simplices.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/vec3.hpp"
#include "field/field.hpp"
#include "mesh/local_mesh.hpp"
#include "operators/matrix_rows.hpp"

namespace solenoid {

/// A point in barycentric coordinates, and its weight as a share of the simplex.
struct QuadraturePoint {
  real weight;
  std::array<real, 4> barycentric;

  /// The point in the simplex with these corners: indices into `points`.
  Vec3 in(const std::vector<Vec3>& points, std::span<const int> corners) const {
    Vec3 x;
    for (std::size_t k = 0; k < corners.size(); ++k) x += barycentric[k] * points[corners[k]];
    return x;
  }
};

/// Points for a segment, triangle or tetrahedron with 2, 3 or 4 `corners`: Gauss's two points; Strang & Fix 1973, three
/// inner points; Hammer & Stroud 1956, four points.
std::span<const QuadraturePoint> quadrature(int corners);

/// Stiffness K_ij = sum_c V_c grad(phi_i).grad(phi_j) [1 in 2D, m in 3D], the cotangent Laplacian; in 2D equal to R M
/// C.
MatrixRows p1_stiffness(const LocalMesh& mesh);

/// The same with a `weight` per local cell, such as its conductivity [W/(m K)]: sum_c w_c V_c grad(phi_i).grad(phi_j)
/// [W/K]. The flux of w grad(phi_j) through the faces of node i's median dual.
MatrixRows p1_stiffness(const LocalMesh& mesh, const std::vector<real>& weight);

/// Consistent mass M_ij = integral of phi_i phi_j [m^2 of unit depth, m^3]: V_c / ((d+1)(d+2)) per cell, twice that on
/// the diagonal.
MatrixRows p1_mass(const LocalMesh& mesh);

/// The same with a `weight` per local cell.
MatrixRows p1_mass(const LocalMesh& mesh, const std::vector<real>& weight);

/// Row sums of p1_mass, W_i = sum_c V_c / (d+1): the areas or volumes of the median dual.
std::vector<real> p1_lumped_mass(const LocalMesh& mesh);

/// The same with a `weight` per local cell, such as its heat capacity [J/(m^3 K)]: sum_c w_c V_c / (d+1) [J/K].
std::vector<real> p1_lumped_mass(const LocalMesh& mesh, const std::vector<real>& weight);

/// Gradient on cells of P1 functions.
class P1Gradient {
 public:
  explicit P1Gradient(const LocalMesh& mesh) : points_(mesh.part().points) {}

  /// grad v on each owned cell [unit of v / m]; exact for linear v.
  void apply(Exchanged<Node> values, Field<Cell, Vec3>& gradient) const;

 private:
  DeviceArray<Vec3> points_;  // [m]
};

}  // namespace solenoid
