/// Nedelec's lowest-order edge elements, one value per edge: matrices assembled on the host, and the operators between
/// nodes and edges in 3D.
#pragma once

#include "base/tensor.hpp"
#include "field/field.hpp"
#include "mesh/local_mesh.hpp"
#include "operators/matrix_rows.hpp"

namespace solenoid {

/// Corners at the ends of a tetrahedron's edges.
inline constexpr int edge_ends[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

/// The local edges of each local cell, in the order of edge_ends (3D).
std::vector<int> edges_of_cells(const MeshPart& part);

/// R M C [1/m], the curl-curl matrix: sum over cells of V_c curl(phi_i).curl(phi_j), where phi_ab = lambda_a
/// grad(lambda_b) - lambda_b grad(lambda_a) has the line integral 1 along its own edge a -> b and 0 along the others.
/// Nedelec 1980, lowest degree. It maps gradients, p_b - p_a on each edge, to zero. In 2D edges are nodes seen end-on,
/// and it is p1_stiffness.
MatrixRows curl_curl(const LocalMesh& mesh);

/// The same with a weight per local cell, symmetric and positive definite, R I^T V w I C: sum over cells of
/// V_c curl(phi_i).w_c curl(phi_j). In 2D the curl of a node's function is its gradient turned by a right angle.
MatrixRows curl_curl(const LocalMesh& mesh, const std::vector<Tensor>& weight);

/// M_e [m], the mass matrix: sum over cells of the integral of phi_i.phi_j. It maps the line integrals of a constant
/// vector a along the edges to the integrals of a.phi_e. Symmetric, positive definite. In 2D it is p1_mass [m^2].
MatrixRows edge_mass(const LocalMesh& mesh);

/// A diagonal lower bound D of M_e, per owned edge [m] (3D): sum_K l_K diag(M_K), l_K the least eigenvalue of
/// diag(M_K)^-1 M_K in cell K, so that x.Dx <= x.M_e x for every x (Wathen 1987).
std::vector<real> lower_edge_mass(const LocalMesh& mesh);

/// Nodal values are linear along an edge, which points from its first node a to its second b. Rows ascend in global
/// ids: sums do not depend on the partition.
class EdgeEnds {
 public:
  /// Throws in 2D, where edges are the nodes seen end-on.
  explicit EdgeEnds(const LocalMesh& mesh);

  /// p_b - p_a, the line integral of grad p along the edge [unit of p]; C gradient = 0 in integers.
  const Incidence<Edge, Node>& gradient() const { return gradient_; }
  const Incidence<Node, Edge>& transposed_gradient() const { return transposed_; }

  /// Pi v = (x_b - x_a).(v_a + v_b)/2, the line integral of vectors v along each edge [m * unit of v], as a formula.
  /// Nedelec's interpolation (1980) of v; Hiptmair & Xu's transfer from nodes (2007).
  auto line_integrals(Exchanged<Node, Vec3> vectors) const {
    return expression::make<Edge>(LineIntegral{gradient_.view(), along_.data(), vectors.view()});
  }
  /// Pi^T s = sum over a node's edges of (x_b - x_a) s/2 [m * unit of s], as a formula.
  auto transposed_integrals(Exchanged<Edge> values) const {
    return expression::make<Node>(TransposedIntegral{transposed_.view(), along_.data(), values.view()});
  }

  std::size_t bytes() const;              ///< stored by this rank
  std::size_t bytes_of_formulas() const;  ///< of the tables and metrics read by both formulas of line integrals

  // Parts of the formulas; public because nvcc accepts no private types as kernel arguments.
  struct LineIntegral {
    IncidenceView<Edge, Node> ends;
    const Vec3* along;
    View<Node, const Vec3> vectors;
    SOLENOID_HD real operator()(Index<Edge> e) const {
      Vec3 sum{};
      for (const auto [n, sign, slot] : ends[e]) sum += vectors[n];
      return dot(along[e.value], sum) / 2;
    }
  };
  struct TransposedIntegral {
    IncidenceView<Node, Edge> edges;
    const Vec3* along;
    View<Edge, const real> values;
    SOLENOID_HD Vec3 operator()(Index<Node> n) const {
      Vec3 sum{};
      for (const auto [e, sign, slot] : edges[n]) sum += (values[e] / 2) * along[e.value];
      return sum;
    }
  };

 private:
  Incidence<Edge, Node> gradient_;
  Incidence<Node, Edge> transposed_;
  DeviceArray<Vec3> along_;  // x_b - x_a of every local edge [m]
};

}  // namespace solenoid
