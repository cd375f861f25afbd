/// The force of porous zones on a flow.
#pragma once

#include <optional>
#include <vector>

#include "base/tensor.hpp"
#include "field/field.hpp"
#include "model/state_visitor.hpp"
#include "parallel/scalar.hpp"
#include "physics/flow/momentum/flow_state.hpp"

namespace solenoid {

/// nu D u + |u| F u / 2 per cell of the zones' PorousBody [m/s^2], which slows the flow; D and F add up in cells of
/// several zones. In a step it is R u - |v| F v / 2 with the velocity v before the step:
///   R = nu D + |v| F / 2 + |v| (F v)(F v)^T / (2 v.F v),
/// the force itself at u = v, with its derivative along v, and with all of its derivative where F is the same in all
/// directions: Newton's linearisation, of second order in time. R is symmetric and positive semidefinite and is
/// implicit in the momentum of a step. On bodies that move with w it is the same of u - w and v - w; the |v| F v / 2 of
/// members then has R w besides.
class PorousDrag {
 public:
  /// Refers to both, which must outlive it.
  PorousDrag(const LocalMesh& mesh, const FlowStepSettings& settings, const MemoryOf& = MemoryOf("zones"));

  /// From now on the bodies move with this velocity in cells [m/s]. Collective.
  void turn_with(const Field<Cell, Vec3>& velocity);
  real largest_speed() const { return largest_speed_; }  ///< of the bodies [m/s]

  /// Sets v, and the cells' viscosity over that of the settings, null for 1. `implicit`: the viscosity in units of
  /// which a step has R [m^2/s]. Returns whether R / implicit is another one than before.
  bool expect(const Field<Cell, Vec3>& velocity, const Field<Cell>* relative_viscosity, real implicit);
  /// Restores v before the last expect(), of a step that failed.
  void revert(const Field<Cell>* relative_viscosity);

  const Field<Cell, Tensor>& per_viscosity() const { return per_viscosity_; }  ///< R / implicit [1/m^2]
  const std::vector<Tensor>& shape() const { return shape_; }  ///< D, or F where that is 0, per local cell
  /// Per local cell a bound from below of the least eigenvalue of R over its trace, whatever v; 0 where R is.
  const std::vector<real>& least_share() const { return least_share_; }
  /// Sets `velocity` to factor R / implicit times it.
  void multiply(const Scalar<>& factor, Field<Cell, Vec3>& velocity) const;
  /// Adds the force on these fluxes along the duals, I^T V (R I U - |v| F v / 2) [m^2/s^2]. Collective.
  void add_along_duals(Field<Face>& flux, Field<Face>& along_duals);
  /// Adds the force on a flow of this velocity to `acceleration` [m/s^2].
  void add_to(Field<Cell, Vec3>& acceleration, const Field<Cell, Vec3>& velocity) const;
  /// The power that it takes of a flow of this velocity [m^5/s^3, in 2D m^4/s^3]. Collective.
  real power(const Field<Cell, Vec3>& velocity) const;

  void visit_state(StateVisitor& visitor);
  void state_restored(const Field<Cell>* relative_viscosity);

 private:
  void linearise(const Field<Cell>* relative_viscosity);

  const LocalMesh& mesh_;
  const FlowStepSettings& settings_;
  bool is_linear_ = true;  // F is 0
  real implicit_ = 0;
  Field<Cell, Tensor> darcy_, forchheimer_, per_viscosity_;  // D, F, R / implicit
  Field<Cell, Vec3> velocity_, velocity_before_, rest_;      // v; |v| F v / 2
  std::optional<Field<Cell, Vec3>> of_bodies_;               // w; none at rest
  real largest_speed_ = 0;
  std::vector<Tensor> shape_;
  std::vector<real> least_share_;
  Field<Cell, Vec3> cells_;  // scratch, as the next
  Field<Face> along_duals_;
};

}  // namespace solenoid
