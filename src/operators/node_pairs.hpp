/// Pairs of neighbouring nodes: P1 matrices by pair, and the flux through the piece of the median dual between the two
/// nodes.
#pragma once

#include <vector>

#include "mesh/local_mesh.hpp"

namespace solenoid {

/// Location of values on pairs of nodes: the faces in 2D, the edges in 3D.
struct NodePair {
  static constexpr const char* name = "pair of nodes";
};

/// A pair points from the node of lower global id, its first, to the other.
class NodePairs {
 public:
  explicit NodePairs(const LocalMesh& mesh);

  const LocalMesh& mesh() const { return mesh_; }
  const Layout& layout() const { return mesh_.dimension() == 2 ? mesh_.layout<Face>() : mesh_.layout<Edge>(); }

  /// The pairs around each owned node: +1 if the node is the first.
  const Incidence<Node, NodePair>& around() const { return around_; }
  /// By slot of around(): the other node, in local numbers.
  const int* other() const { return other_.data(); }
  /// The two nodes of each owned pair, the first one first, in local numbers.
  const int* ends() const { return ends_.data(); }

  /// Flow from the first node's median dual to the other's within the cells around a pair, times d (d + 1): a cell adds
  /// (F_a - F_b) / (d (d + 1)), F_i its outward flux through the face opposite corner i. Exact for the divergence-free
  /// field of Raviart & Thomas (1977) with these fluxes; the sum uses signs only, so fluxes that sum bitwise to zero
  /// around cells do so around nodes.
  const Incidence<NodePair, Face>& crossing() const { return crossing_; }
  int crossing_factor() const { return mesh_.dimension() * (mesh_.dimension() + 1); }  ///< d (d + 1)

  // Entries of matrices between nodes with zero row sums, per owned pair; `weight` per local cell.

  /// -K_ab of p1_stiffness: - sum_c w_c V_c grad(phi_a).grad(phi_b) [m^(d - 2) * unit of w].
  std::vector<real> conductance(const std::vector<real>& weight) const;
  /// M_ab of p1_mass: sum_c w_c V_c / ((d + 1)(d + 2)) [m^d * unit of w].
  std::vector<real> mass(const std::vector<real>& weight) const;

  std::int64_t bytes_around() const {  ///< read by a kernel over all nodes from around() and other()
    return around_.bytes() + static_cast<std::int64_t>(other_.size() * sizeof(int));
  }

 private:
  const LocalMesh& mesh_;
  std::vector<int> of_cells_;  // pairs of each local cell, in the order of corners_of()
  Incidence<Node, NodePair> around_;
  Incidence<NodePair, Face> crossing_;
  DeviceArray<int> other_, ends_;
};

}  // namespace solenoid
