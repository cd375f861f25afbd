/// Cubic stream functions fitted around each node, as stencils: the weights of fluxes and prescribed velocities in the
/// velocity at the node and its gradient (2D).
#pragma once

#include "model/node_velocity.hpp"
#include "operators/matrix_rows.hpp"
#include "physics/flow/boundary/boundary_velocity.hpp"
#include "physics/flow/reconstruct/wide_halo_mesh.hpp"

namespace solenoid {

/// Weights of the velocity at a place in a node's velocity.
struct GivenShare {
  int place;
  PlaneShares of_u, of_v;
};

/// Rows of owned nodes: weights of the fluxes through `wide.faces`, five entries to a face, one for each number of a
/// PlaneVelocity; and of the velocities at `places` on walls and inlets.
struct StreamStencils {
  MatrixRows of_fluxes;
  std::vector<BoundaryPlace> places;
  Csr<GivenShare> of_places;
};

/// Fits at each owned node of `mesh` a stream function with the nine terms x, y, ..., y^3 to its differences to the
/// nodes of the two rings of cells around (three if these are few) and to the velocity along walls and inlets. The
/// differences are sums of fluxes along the edges between the nodes. For use inside a guard.
StreamStencils stream_stencils(const LocalMesh& mesh, const WideHaloMesh& wide, const FlowBoundaries& boundaries);

}  // namespace solenoid
