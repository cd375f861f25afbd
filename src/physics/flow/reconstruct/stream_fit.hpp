/// Velocity and its gradient at nodes in every step, from the cubic stream functions of stream_stencils, on the device
/// (2D).
#pragma once

#include "physics/flow/reconstruct/stream_stencils.hpp"
#include "solve/sparse_matrix.hpp"

namespace solenoid {

class StreamFit {
 public:
  /// Refers to all three, which must outlive it. Collective.
  StreamFit(const LocalMesh& mesh, const WideHaloMesh& wide, const FlowBoundaries& boundaries);

  /// Samples the velocities of walls and inlets at `time` [s]. For use inside a guard.
  void sample(real time);

  /// Fit to these fluxes and the last sample. Collective.
  Exchanged<Node, PlaneVelocity> fit(const Field<Face>& flux);

 private:
  StreamFit(const LocalMesh& mesh, const WideHaloMesh& wide, const FlowBoundaries& boundaries, StreamStencils stencils);
  static StreamStencils stencils_of(const LocalMesh& mesh, const WideHaloMesh& wide, const FlowBoundaries& boundaries);

  const FlowBoundaries& boundaries_;
  SlicedRows<real> of_fluxes_;  // with one column for the five entries of a face
  std::vector<BoundaryPlace> places_;
  Csr<GivenShare> of_places_;
  Field<Face> wide_flux_;
  Field<Node, PlaneVelocity> given_, nodes_;  // contributions of places_; the sum of all
};

}  // namespace solenoid
