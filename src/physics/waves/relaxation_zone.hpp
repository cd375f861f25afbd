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
  real width = 0;                   ///< [m], not less than the faces are long
  std::vector<IncomingWave> waves;  ///< that come in; none: all waves are damped
};

/// The means along sides with the same incoming waves.
struct WaterAtSides {
  real depth = 0;  ///< [m]
  Vec3 current;    ///< [m/s]
};

/// The strips of a case: zeta_t = ... - s (zeta - zeta_in), phi_t = ... - s (phi - phi_in), with s = 0.7 w_0 ((width -
/// d) / width)^2 at the distance d from the patches. Where strips overlap, s is their sum, 0.7 w_0 at most, and zeta_in
/// and phi_in are the means of theirs, weighted by s.
class RelaxationZones {
 public:
  /// The waves of strip i have the number in the water at[i] in the sea's model, which has to exist. Collective.
  RelaxationZones(const LocalMesh& mesh, const std::vector<ZoneSettings>& settings, const Sea& sea,
                  const std::vector<WaterAtSides>& at);

  bool empty() const { return strips_.empty(); }
  /// Sets zeta_in [m] and phi_in [m^2/s] at `time` [s] at the owned nodes, 0 beyond the strips.
  void sample(real time, Field<Node>& elevation, Field<Node>& potential) const;
  /// values -> target + exp(-s dt) (values - target) at the strips' own nodes.
  void relax(real dt, const Field<Node>& target, Field<Node>& values) const;
  const Field<Node>& strength() const { return strength_; }  ///< s [1/s], of the owned nodes

 private:
  struct Strip {
    std::vector<IncomingWave> waves;
    std::vector<real> intrinsic;  // frequencies for those who move with the water, by wave [1/s]
    DeviceArray<int> node;
    DeviceArray<real> cosine, sine;  // of the phase at t = 0 times the weight, by wave and node
    mutable DeviceArray<real> now;   // by wave: amplitude times cosine and sine of w t, the same of the potential
  };
  std::vector<Strip> strips_;
  Field<Node> strength_;  // s [1/s]
  real gravity_;
};

}  // namespace solenoid
