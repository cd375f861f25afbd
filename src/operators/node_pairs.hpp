/// Pairs of neighbouring nodes: P1 matrices pair by pair, and the flux through the piece of the median dual between the
/// two.
#pragma once

#include <vector>

#include "mesh/local_mesh.hpp"

namespace solenoid {

/// Where values of pairs of nodes live: the faces in 2D, the edges in 3D.
struct NodePair {
  static constexpr const char* name = "pair of nodes";
};

/// A pair leads from the node of lower global id, its first, to the other.
class NodePairs {
 public:
  explicit NodePairs(const LocalMesh& mesh);

  const LocalMesh& mesh() const { return mesh_; }
  const Layout& layout() const { return mesh_.dimension() == 2 ? mesh_.layout<Face>() : mesh_.layout<Edge>(); }

  /// The pairs around each owned node: +1 where the node is the first.
  const Incidence<Node, NodePair>& around() const { return around_; }
  /// By slot of around(): the other node, in local numbers.
  const int* other() const { return other_.data(); }
  /// Of each owned pair the two nodes, the first one first, in local numbers.
  const int* ends() const { return ends_.data(); }

  /// What flows from the first node's median dual to the other's within the cells around a pair, times d (d + 1): with
  /// F_i out of a cell through the face opposite its corner i, (F_a - F_b) / (d (d + 1)) of each. That is exact for the
  /// field of Raviart & Thomas (1977) without divergence that has these fluxes; as signs alone are summed, fluxes that
  /// sum to zero around cells in bits do so around nodes.
  const Incidence<NodePair, Face>& crossing() const { return crossing_; }
  int crossing_factor() const { return mesh_.dimension() * (mesh_.dimension() + 1); }  ///< d (d + 1)

  // Of matrices between nodes whose rows sum to zero, the entry of each owned pair; `weight` per local cell.

  /// -K_ab of p1_stiffness: - sum_c w_c V_c grad(phi_a).grad(phi_b) [m^(d - 2) * unit of w].
  std::vector<real> conductance(const std::vector<real>& weight) const;
  /// M_ab of p1_mass: sum_c w_c V_c / ((d + 1)(d + 2)) [m^d * unit of w].
  std::vector<real> mass(const std::vector<real>& weight) const;

  std::int64_t bytes_around() const {  ///< that a kernel over all nodes reads of around() and other()
    return around_.bytes() + static_cast<std::int64_t>(other_.size() * sizeof(int));
  }

 private:
  const LocalMesh& mesh_;
  std::vector<int> of_cells_;  // per local cell its pairs, in the order of corners_of()
  Incidence<Node, NodePair> around_;
  Incidence<NodePair, Face> crossing_;
  DeviceArray<int> other_, ends_;
};

}  // namespace solenoid
