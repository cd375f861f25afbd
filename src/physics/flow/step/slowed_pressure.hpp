/// The pressure of the classical step's corrections where porous zones slow the flow.
#pragma once

#include <optional>

#include "physics/flow/balance/driving_pressures.hpp"
#include "physics/flow/momentum/flux_drag.hpp"

namespace solenoid {

/// A/L times alpha / (alpha + R) per face: the metric that belongs to the mass (alpha + R) of a step, with the harmonic
/// mean of both cells along the dual. R is taken as a bound from below of its eigenvalues, for a metric that is too
/// small is not stable. It stays that of an earlier step while alpha + R in each cell is .91 to 2 times what it was.
class SlowedPressure {
 public:
  /// `is_open`: see PressureSystem. Refers to pairs, outlets and drag, which must outlive it. Collective.
  SlowedPressure(const LocalMesh& mesh, const std::vector<char>& is_open, const PairDrives& pairs,
                 const OutletPressures& outlets, const SolveControl& control, const FluxDrag& drag);

  /// Prepares corrections of a step; `implicit`: the viscosity in units of which it has R [m^2/s]. Collective; throws
  /// as cg does.
  void renew(real alpha, real implicit);

  PressureSystem& system() { return system_; }
  const DrivingPressures& driving();  ///< Collective; throws as cg does.

  void visit_state(StateVisitor& visitor);
  void state_restored();

 private:
  void build();

  const PairDrives& pairs_;
  const OutletPressures& outlets_;
  const SolveControl& control_;
  const FluxDrag& drag_;
  PressureSystem system_;
  std::optional<DrivingPressures> driving_;
  Field<Cell> weight_, built_;  // (alpha + R) / alpha, now and in the system; 0 before there is one
  Field<Face> of_faces_;
};

}  // namespace solenoid
