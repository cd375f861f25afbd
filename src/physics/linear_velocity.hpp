/// The velocity at nodes, linear in between, and what it knows of the mean over a cell that fluxes do not tell.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "operators/flux_moments.hpp"
#include "operators/node_means.hpp"
#include "physics/flow_boundary.hpp"
#include "physics/symmetry_planes.hpp"

namespace solenoid {

/// In space: of a node on walls, inlets and far fields the velocity that these have, of others the mean over the cells
/// around, without what crosses a plane of symmetry.
class LinearVelocity {
 public:
  /// The boundary is at rest. Refers to the mesh, which must outlive it.
  LinearVelocity(const LocalMesh& mesh, const FlowBoundaries& boundaries);

  /// Takes the velocity of the boundary, see sample_boundary.
  void set(std::span<const Vec3> velocity);

  /// Sets `of_means` [m^2/s] to this circulation with what FluxMoments has of the velocity, R I^T V m. Collective.
  void add_circulation(Exchanged<Cell, Vec3> velocity, const Field<Edge>& circulation, Field<Edge>& of_means);

 private:
  /// A corner of a boundary face, whose velocity goes into that of a node.
  struct Corner {
    std::size_t face;            // place in mesh.boundary()
    real area;                   // by which it counts
    std::array<real, 3> weight;  // of the middles of its edges, see boundary_places
  };

  std::vector<std::vector<Corner>> corners_;  // of each given node
  DeviceArray<int> given_nodes_;
  DeviceArray<Vec3> given_;
  FluxMoments moments_;
  NodeMeans means_;
  SymmetryPlanes<Node> planes_;
  Field<Node, Vec3> at_nodes_;
  Field<Cell, Vec3> in_cells_;
  Field<Face> along_duals_;
};

}  // namespace solenoid
