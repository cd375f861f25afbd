/// Momentum fluxes through faces, of third order, from a fitted stream function (2D).
#pragma once

#include "physics/flow/boundary/entering_share.hpp"
#include "physics/flow/reconstruct/stream_fit.hpp"

namespace solenoid {

/// U_f times the mean along the face of the cubic through the fitted velocities of its ends, with their gradients and
/// U_f itself for what passes, less half of what a cell's own velocity differs from the fitted one across the face, as
/// upwinding takes it: nothing else would damp that. Exact for linear flows. Where fluid enters through an outlet,
/// nodes within a cell of it have fits that lie downstream, and the energy that they bring in has no bound: faces there
/// carry the velocity of the cell upstream, which takes some.
class ThirdOrderMomentum {
 public:
  /// Refers to all three, which must outlive it. Collective.
  ThirdOrderMomentum(const LocalMesh& mesh, const WideHaloMesh& wide, const FlowBoundaries& boundaries);

  /// Takes the velocities of walls and inlets at `time` [s]. For use inside a guard.
  void sample(real time) { fit_.sample(time); }

  /// [m^4/s^2] of each owned face inside; what faces on the boundary carry is the caller's. `velocity`: that of cells.
  /// Collective.
  void carry(Exchanged<Face> flux, Exchanged<Cell, Vec3> velocity, Field<Face, Vec3>& momentum);

 private:
  StreamFit fit_;
  DeviceArray<Vec3> along_;   // from the first node of owned faces to the second [m]
  DeviceArray<int> given_;    // owned faces through which the boundary gives the flux
  Field<Face> missed_;        // of U_f by the fitted velocity
  Field<Cell, Vec3> excess_;  // of the cell's velocity over the fitted one
  EnteringShare entering_;
};

}  // namespace solenoid
