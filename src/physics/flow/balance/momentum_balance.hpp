/// The balance of momentum of the last step: pressure, tractions, forces, openings, and the budget of energy.
#pragma once

#include <optional>
#include <vector>

#include "base/real.hpp"
#include "model/tractions.hpp"
#include "physics/flow/balance/driving_pressures.hpp"
#include "physics/flow/balance/open_boundaries.hpp"
#include "physics/flow/balance/wall_pressure.hpp"
#include "physics/flow/boundary/pair_drives.hpp"
#include "physics/flow/momentum/body_forces.hpp"
#include "physics/flow/momentum/cell_convection.hpp"
#include "physics/flow/momentum/frame_forces.hpp"
#include "physics/flow/momentum/friction.hpp"
#include "physics/flow/momentum/porous_drag.hpp"
#include "physics/flow/momentum/rotating_zones.hpp"
#include "physics/flow/momentum/wall_stress.hpp"

namespace solenoid {

/// Powers by density [m^5/s^3, in 2D m^4/s^3] at one time: change = pressure + inflow + force + frame +
/// boundary_friction - dissipation - walls - model - zones - numerical, to the solvers' tolerance once the flow is
/// steady.
struct EnergyBudget {
  real change = 0;             ///< of the kinetic energy
  real pressure = 0;           ///< work of the pressure on inflow, less that on outflow
  real inflow = 0;             ///< kinetic energy of inflow, less that of outflow
  real force = 0;              ///< of the body force
  real frame = 0;              ///< of a frame that turns: of its centrifugal force, and of errors in time of the other
  real boundary_friction = 0;  ///< by moving walls and openings
  real dissipation = 0;        ///< by friction inside
  real walls = 0;              ///< taken by walls that are not resolved, of the cells next to them
  real model = 0;              ///< by the stress of modelled eddies inside
  real zones = 0;              ///< by the drag of porous zones
  real numerical = 0;          ///< loss by discrete convection
};

/// The step whose momentum is balanced.
class BalancedStep {
 public:
  /// Sets du/dt + convection - body force + stress of walls + 2 Omega x u in cells [m/s^2]: of the last step, before
  /// the first one of the flow as it begins; then `pressure`, too, where the method has it [m^2/s^2]. Collective;
  /// throws as cg does.
  virtual void compute_acceleration(Field<Cell, Vec3>& acceleration, Field<Cell>& pressure) = 0;
  /// Sets p / rho, reduced in a frame that turns, of rotational convection the total one, from momentum without
  /// pressure along the duals. `pressure` on entry is the last one. Collective; throws as cg does.
  virtual void compute_pressure(Field<Face>& momentum, Field<Cell>& pressure) = 0;

 protected:
  ~BalancedStep() = default;
};

/// Evaluated on demand; its solves at most once a step.
class MomentumBalance {
 public:
  struct Terms {
    const FlowStepSettings& settings;
    const FlowBoundaries& boundaries;
    const BoundaryFaces& faces;
    const PairDrives& pairs;
    const OutletPressures& outlets;
    PressureSystem& pressure_system;
    FlowState& state;
    Friction& friction;
    const PorousDrag* drag;  ///< of zones; null without
    CellConvection& convection;
    BodyForces& forces;
    const WallStress& walls;
    FrameForces* frame;       ///< of a frame that turns; null without
    RotatingZones* rotating;  ///< zones that turn; null without
    const Field<Cell, Vec3>&
        forcing;       ///< explicit convection - body force + stress of walls + 2 Omega x u of the last step [m/s^2]
    const real& time;  ///< of the state [s]
  };
  /// Refers to all, which must outlive it.
  MomentumBalance(const LocalMesh& mesh, BalancedStep& step, Terms terms, const MemoryOf& = MemoryOf("balance"));

  /// The flow is another one now.
  void flow_changed();
  /// p / rho [m^2/s^2] at cells now; in parts of the domain without outlets its volume mean is zero. The pressure of
  /// the rotational form is the total one; its |u|^2/2 is subtracted with the exchanged node velocities of the
  /// quadratic reconstruction, for with the first-order velocity of the cells the pressure would be of first order.
  /// Before the first step du/dt is the momentum equation's own, which takes more solves; walls that start with a jerk
  /// then leave a pressure that grows on finer meshes, as their vorticity does. Collective; throws as cg does.
  Field<Cell>& pressure(Exchanged<Node, NodeVelocity> nodes);
  Field<Cell>& last_pressure() { return pressure_; }  ///< of the last pressure()
  /// p / rho [m^2/s^2] on walls at the time of the last pressure(): that of the cell and the momentum equation on the
  /// way to the wall.
  BoundaryField<real>& wall_pressure() { return wall_pressure_; }

  /// Tractions of the fluid on its boundary: the residual of momentum at faces of prescribed flux as the pressure
  /// there, the lumped vorticity or the boundary terms of RebuiltMomentum, and the gradient along the boundary. Their
  /// sum over the whole boundary is the defect of the fluid's momentum, to the solvers' tolerance, unless the
  /// prescribed velocity jumps there. Takes the solves of pressure(), once a step for both. Collective; throws as cg
  /// does.
  Tractions& tractions();

  /// The same force on the part of the boundary where `weight` is 1, from momentum in the fluid (Babuska & Miller
  /// 1984): integral of -phi (du/dt + convection - force) + p grad phi - nu omega curl(phi e), phi the weight, and over
  /// the boundary of -2 nu phi (n x grad) x u; with face-average friction that in the cells and on the boundary in
  /// place of the vorticity's term, with RebuiltMomentum its action on phi e [m^3/s^2]. The same solves. Collective;
  /// throws as cg does.
  Vec3 force_in_fluid(const ForceTestFunction& weight);

  /// Of the last step. The same solves as tractions(). Collective; throws as cg does.
  EnergyBudget energy_budget();

  /// Pressure drop over each periodic pair, from its first patch to its second [m^2/s^2]: prescribed, or that of the
  /// prescribed flux in the last step. Collective.
  std::vector<real> pressure_drops();
  /// Made by the first call. Collective.
  DrivingPressures& driving_pressures();

  /// Inlets, outlets and far fields. Takes solves in its first call. Collective; throws as cg does.
  const std::vector<Opening>& openings();
  /// Mean pressure on each of openings() now [m^2/s^2]. Takes no solve after the first step. Collective.
  std::vector<real> pressures_at_openings();

  void build_systems();
  void visit_state(StateVisitor& visitor) { visitor.field("pressure", solved_pressure_); }

 private:
  void compute_acceleration();
  void compute_residual();
  void solve_pressure();
  real probe(const PressureProbeFlux& flow, const std::vector<real>& drops);
  BoundaryField<real> reaction();
  void copy_outlet_pressure(BoundaryField<real>& pressure) const;
  std::vector<real> frame_potentials_at_openings();
  /// Of the centrifugal force of a frame or of zones; null without.
  FramePotential* potential() const {
    return terms_.frame ? &terms_.frame->potential() : terms_.rotating ? &terms_.rotating->potential() : nullptr;
  }
  bool is_total() const { return terms_.settings.convection == ConvectionForm::rotational; }

  const LocalMesh& mesh_;
  BalancedStep& step_;
  const Terms terms_;
  bool has_acceleration_ = false, has_residual_ = false, has_pressure_ = false;  // of the flow as it is
  Field<Cell, Vec3> acceleration_;                                               // du/dt + convection of cells - force
  Field<Face> residual_;         // along the duals, momentum without pressure
  Field<Cell> solved_pressure_;  // of the momentum equation
  Field<Cell> pressure_;
  WallPressure to_walls_;
  BoundaryField<real> wall_pressure_, of_outlets_;
  Tractions tractions_;
  Field<Face> along_duals_;  // scratch
  Field<Cell, Vec3> cells_;  // scratch
  std::optional<DrivingPressures> driving_pressures_;
  std::optional<std::vector<Opening>> openings_;
  std::optional<std::vector<real>> potentials_;  // centrifugal, mean over each of openings_
};

}  // namespace solenoid
