/// Strips along sides in which the flow is drawn towards that of the waves that come in there.
#pragma once

#include <vector>

#include "field/field.hpp"
#include "physics/waves/incoming_wave.hpp"
#include "physics/waves/vertical_profile.hpp"

namespace solenoid {

/// A strip along patches, by their indices.
struct ZoneSettings {
  std::vector<int> patches;
  real width = 0;                   ///< [m]
  std::vector<IncomingWave> waves;  ///< that come in; none: all waves are damped
};

/// zeta_t = ... - s (zeta - zeta_in), phi_t = ... - s (phi - phi_in), with s = 0.7 w_0 ((width - d) / width)^2 at the
/// distance d from the patches.
class RelaxationZone {
 public:
  /// Of the sea's model; the waves have the number over the mean `depth` [m], by local cell, of the strip. Collective.
  RelaxationZone(const LocalMesh& mesh, const ZoneSettings& settings, const Sea& sea, const std::vector<real>& depth);

  /// Sets zeta_in [m] and phi_in [m^2/s] at `time` [s] at the strip's own nodes.
  void sample(real time, Field<Node>& elevation, Field<Node>& potential) const;
  /// values -> target + exp(-s dt) (values - target) at the strip's own nodes.
  void relax(real dt, const Field<Node>& target, Field<Node>& values) const;

 private:
  DeviceArray<int> node_;
  DeviceArray<real> strength_;  // s [1/s]
  std::vector<IncomingWave> waves_;
  real gravity_;
  DeviceArray<real> cosine_, sine_;  // of the phase at t = 0, by wave and node
  mutable DeviceArray<real> now_;    // by wave: amplitude times cosine and sine of w t, the same of the potential
};

}  // namespace solenoid
