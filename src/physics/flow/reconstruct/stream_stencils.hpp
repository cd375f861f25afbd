/// Cubic stream functions fitted around each node, as stencils: the weights of fluxes and prescribed velocities in the
/// velocity at the node and its gradient (2D).
#pragma once

#include "model/plane_velocity.hpp"
#include "operators/matrix_rows.hpp"
#include "physics/flow/boundary/flow_boundary.hpp"
#include "physics/flow/reconstruct/wide_halo_mesh.hpp"

namespace solenoid {

/// A place on the boundary where the velocity that the fluid sticks to counts.
struct GivenPlace {
  int patch;
  Vec3 at;
};

/// What a velocity at a place adds to a node's.
struct GivenShare {
  int place;
  PlaneShares of_u, of_v;
};

/// Of the fluxes through `wide.faces` by owned node, five entries to a face, for one number of a PlaneVelocity after
/// the other; and of the velocities at `places` by owned node.
struct StreamStencils {
  MatrixRows of_fluxes;
  std::vector<GivenPlace> places;
  Csr<GivenShare> of_places;
};

/// Fits at each owned node of `mesh` a stream function with the nine terms x, y, ..., y^3 to its differences to the
/// nodes of the two rings of cells around (three where these are few), which are sums of fluxes along the edges between
/// them, and to the velocity along walls and inlets. For use inside a guard.
StreamStencils stream_stencils(const LocalMesh& mesh, const WideHaloMesh& wide, const FlowBoundaries& boundaries);

}  // namespace solenoid
