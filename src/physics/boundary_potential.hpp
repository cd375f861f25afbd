/// The potential on the boundary of a flow in 2D: what the given fluxes make of it, and which of its values are
/// unknown.
#pragma once

#include "mesh/csr.hpp"
#include "mesh/host_exchange.hpp"
#include "mesh/local_mesh.hpp"
#include "physics/flow_boundary.hpp"

namespace solenoid {

/// With U = s_b - s_a on a face from node a to b, s is known up to a constant along each component: faces of given flux
/// that hang together by their nodes, on whatever ranks. One component of each part of the domain is the reference, on
/// the piece of the boundary that surrounds it; the constants of others are unknowns, each one for all its nodes: what
/// flows between the two. Nodes on outlets alone are free.
class BoundaryPotential {
 public:
  /// Refers to `mesh`, which must outlive it. Collective.
  BoundaryPotential(const LocalMesh& mesh, const FlowBoundaries& boundaries);

  /// Per local node, as Space<Edge> takes it.
  const std::vector<int>& roles() const { return roles_; }

  /// s on components, each 0 at its node of the lowest global id, and 0 elsewhere; per local node. `flux` [m^2/s]:
  /// through each of mesh.boundary() along its own normal; it counts where it is given, and is rounded so that the
  /// result does not depend on the partition. Collective; throws a collective Error (exit code 2) where the fluxes
  /// around a closed component, the outermost or a hole's, do not balance.
  std::vector<real> offsets(std::vector<real> flux) const;

 private:
  struct Side {
    int boundary_face, from, to;  // place in mesh.boundary(), local nodes
    bool may_pass;                // its flux may be other than 0
  };
  void find_components();
  void choose_roles();
  void balance(std::vector<real>& flux) const;

  const LocalMesh& mesh_;
  HostExchange exchange_;
  std::vector<Side> sides_;              // faces of given flux, halo included
  std::vector<std::int64_t> component_;  // per local node: the lowest global id of its component, `none` elsewhere
  std::vector<std::int64_t> closed_;     // components that are a closed line, and that fluid may cross
  std::vector<int> roles_;
  Csr<int> sides_of_;  // those that end in each local node
};

}  // namespace solenoid
