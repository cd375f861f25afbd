/// Momentum fluxes through faces, of third order, from a fitted stream function (2D).
#pragma once

#include "physics/flow/boundary/entering_share.hpp"
#include "physics/flow/reconstruct/stream_fit.hpp"

namespace solenoid {

/// U_f times the mean along the face of the cubic through the fitted velocities of its ends and their gradients, less
/// half of the difference of the cells' velocities from the fitted one across the face, as in upwinding: nothing else
/// would damp that difference. Exact for linear flows. Where fluid enters through an outlet, the fits at nodes within a
/// cell of it lie downstream, and the energy that they add has no bound: faces there carry the velocity of the upstream
/// cell, which removes some.
class ThirdOrderMomentum {
 public:
  /// Refers to all three, which must outlive it. Collective.
  ThirdOrderMomentum(const LocalMesh& mesh, const WideHaloMesh& wide, const FlowBoundaries& boundaries,
                     const MemoryOf& = MemoryOf("third order"));

  /// Samples the velocities of walls and inlets at `time` [s]. For use inside a guard.
  void sample(real time) { fit_.sample(time); }

  /// Sets [m^4/s^2] on owned inner faces; boundary faces are left to the caller. `velocity`: of cells. Collective.
  void carry(Exchanged<Face> flux, Exchanged<Cell, Vec3> velocity, Field<Face, Vec3>& momentum);

 private:
  StreamFit fit_;
  DeviceArray<Vec3> along_;   // from the first node of owned faces to the second [m]
  DeviceArray<int> given_;    // owned faces with prescribed flux
  Field<Face> missed_;        // U_f less the flux of the fitted velocity
  Field<Cell, Vec3> excess_;  // of the cell's velocity over the fitted one
  EnteringShare entering_;
};

}  // namespace solenoid
