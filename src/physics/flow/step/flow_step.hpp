/// The common part of the fractional steps: state, time, boundary, and the explicit part of momentum.
#pragma once

#include <optional>

#include "model/time_scheme.hpp"
#include "physics/flow/balance/momentum_balance.hpp"
#include "physics/flow/solenoidal/prescribed_fluxes.hpp"
#include "physics/flow/solenoidal/stream_function.hpp"
#include "physics/flow/step/recycled_planes.hpp"

namespace solenoid {

/// A flow that advances by steps of BDF2 with extrapolated convection. Derived classes compute the fluxes at the end of
/// a step, divergence-free in bits.
class FlowStep : private BalancedStep {
 public:
  virtual ~FlowStep();
  FlowStep(const FlowStep&) = delete;
  FlowStep& operator=(const FlowStep&) = delete;

  /// Starts from the nearest divergence-free field that satisfies the boundary fluxes. Collective.
  virtual void project(Field<Face>& flux) = 0;
  /// Starts from the one nearest to rest. Collective.
  void start_from_rest();

  /// Sets the body force [m/s^2], see BodyForces. Collective; throws as that does.
  void set_body_force(Coefficient<Vec3> force) { forces_.set(std::move(force), time_); }
  /// Sets a force that follows from a transported temperature, as it is at the end of a step when advance() is called.
  /// Outlives the flow.
  void set_buoyancy(const Buoyancy& buoyancy) { forces_.set(buoyancy); }

  /// The temperature [K] at nodes, halo included, as it is at the end of a step when advance() is called: of a
  /// viscosity that follows it. Outlives the flow. Collective; throws as VariableViscosity.
  void set_temperature(const Field<Node>& temperature) { friction_.set_temperature(temperature); }
  /// nu [m^2/s] of the last step, at its beginning that of the flow: null where it is that of the settings.
  VariableViscosity* viscosity() { return friction_.viscosity(); }
  /// See Friction.
  NodeViscosity viscosity_at_nodes(Exchanged<Node, NodeVelocity> velocities) {
    return friction_.viscosity_at_nodes(velocities);
  }

  /// Allocates all the memory of steps and of the balance. Collective.
  virtual void build_systems();

  /// Advances by dt [s]. Collective. Throws a collective Error (exit code 1) when a solver fails; state() and time()
  /// are those of the last step then.
  void advance(real dt);

  /// Restores the flow before the last step, for output: it cannot advance from there. Collective.
  void revert_step();

  virtual void visit_state(StateVisitor& visitor);  ///< see Model
  virtual void state_restored() = 0;

  /// Throws a collective Error (exit code 1) where other fluxes than the prescribed ones cross the boundary.
  void require_given_fluxes();

  FlowState& state() { return state_; }
  /// s, U = C s [m^3/s], in 2D. Collective; throws as cg does.
  Field<Edge>& stream_function();
  /// Patches of the harmonic fluxes, see HarmonicFluxes; none where the method has no need of them.
  const std::optional<std::vector<std::string>>& loops() const { return loops_; }
  const Friction& friction() const { return friction_; }
  /// Power that friction takes of the kinetic energy now [m^5/s^3, in 2D m^4/s^3]. Collective.
  real dissipation() { return friction_.dissipation(); }
  /// The same of the stress of modelled eddies, and their viscosity [m^2/s], null without. Collective.
  real dissipation_by_eddies() { return friction_.dissipation_by_eddies(); }
  Field<Cell>* eddy_viscosity() { return friction_.eddy_viscosity(); }
  const BodyForces& forces() const { return forces_; }
  const WallStress& wall_stress() const { return wall_stress_; }
  /// Power that walls which are not resolved take of the cells next to them [m^5/s^3, in 2D m^4/s^3]. Collective.
  real power_of_walls();
  /// Power that porous zones take of the kinetic energy [m^5/s^3, in 2D m^4/s^3]. Collective.
  real dissipation_by_zones() const { return drag_ ? drag_->power(state_.velocity) : 0; }
  /// Those of a frame that turns, null without.
  FrameForces* frame() { return frame_ ? &*frame_ : nullptr; }
  /// Zones that turn, null without.
  RotatingZones* rotating_zones() { return rotating_ ? &*rotating_ : nullptr; }
  /// Pressure, tractions, openings and budgets of the last step.
  MomentumBalance& balance() { return balance_; }

  real time() const { return time_; }                  ///< [s]
  real last_dt() const { return dt_; }                 ///< [s], 0 before the first step
  real history_span() const { return history_.span; }  ///< see StepHistory
  /// The largest prescribed one, or that of porous bodies that turn [m/s].
  real boundary_speed() const { return boundary_speed_; }
  real boundary_pressure() const { return boundary_pressure_; }  ///< the largest prescribed one of outlets [m^2/s^2]
  real rate_of_change() const;                                   ///< of the last step, see diagnostics.hpp. Collective.
  const LocalMesh& mesh() const { return mesh_; }
  const FlowBoundaries& boundaries() const { return boundaries_; }

  /// Flux through each periodic pair from its first patch to its second now [m^3/s, in 2D m^2/s]. Collective.
  std::vector<real> through_pairs() const { return pairs_.faces().sum(state_.flux); }
  /// Outlets whose pressure follows from the flux through them.
  const OutletPressures& outlets() const { return outlets_; }

  const FlowStepSettings& settings() const { return settings_; }  ///< nothing automatic but preconditioners
  const SolveLog& solves() const { return solves_; }

 protected:
  /// The fluid is at rest at `time` [s]. Derived classes call begin() when they are made. Collective; throws a
  /// collective Error where a wall moves fluid through itself, or the form of convection is not for this boundary.
  /// `wide`: for convection of third order in 2D, for rebuilt velocities, and for inlets that recycle. Refers to both
  /// meshes, which must outlive it.
  FlowStep(const LocalMesh& mesh, const FlowStepSettings& settings, FlowBoundaries boundaries, real time,
           const WideHaloMesh* wide);
  /// `tolerance_of_pairs`: relative deviation of a flux through a pair from its prescribed one that a step leaves.
  void begin(real tolerance_of_pairs);

  /// Computes flux_, the fluxes at time() + dt, from scheme_, boundary and momentum. `explicit_part`: momentum along
  /// the duals without friction inside and pressure, I^T V (N - f) + S p, and the expected forces of RebuiltForces; p
  /// on outlets is the prescribed one and that of OutletPressures now. Returns their pressures at the end.
  virtual std::vector<real> solve_step(real dt, Field<Face>& explicit_part) = 0;
  /// Sets R M U at the edges, of the fluid inside.
  virtual void compute_circulation(Field<Edge>& circulation) = 0;
  /// Sets dU/dt of the fluxes as they are, of prescribed fluxes 0, from the explicit part and friction, and the
  /// pressure where the method has it. Collective; throws as cg does.
  virtual void compute_rate(Field<Face>& explicit_part, Field<Face>& rate, Field<Cell>& pressure) = 0;
  /// The implicit part of friction is another one now. Collective.
  virtual void implicit_friction_changed() {}  // that of porous zones, too
  /// So it is by the viscosity of the step that begins. Collective.
  virtual void viscosity_changed() { implicit_friction_changed(); }

  /// Restarts from a state that was laid over this one. `is_complete`: it has all that this method reads of the steps
  /// before, beyond the fluxes. Otherwise, or where the boundary prescribes other fluxes, it begins anew with the
  /// nearest flow; throws a collective Error (exit code 2) without fluxes.
  void go_on(bool is_complete);
  /// Updates everything that follows from the fluxes.
  void update_flow(Friction::Vorticity vorticity);

  const LocalMesh& mesh_;
  const FlowStepSettings settings_;
  const FlowBoundaries given_boundaries_;
  FlowBoundaries boundaries_;  // with the inlets as scaled at the time of set_boundary()
  real time_, dt_ = 0;
  TimeCoefficients scheme_;
  StepHistory history_;
  bool is_left_out_ = false;     // of history_ the last step, or the one under way
  bool has_given_flow_ = false;  // fluid crosses the boundary by prescribed fluxes
  std::optional<std::vector<std::string>> loops_;

  BoundaryFaces faces_;
  PairDrives pairs_;
  OutletPressures outlets_;
  PressureSystem pressure_system_;
  SpanningTreeProjection tree_;
  PrescribedFluxes given_;                         // at the end of the current step
  std::optional<StreamFunction> stream_function_;  // in 2D
  FlowState state_;
  Field<Face> flux_old_;                             // where the history begins
  Field<Face> flux_;                                 // of a step under way; after one that is left out those before it
  Field<Cell, Vec3> velocity_old_, velocity_older_;  // where the history begins, and a step before
  SolveLog solves_;
  Friction friction_;
  std::optional<PorousDrag> drag_;

 private:
  void set_boundary(real time);
  std::vector<Vec3> boundary_velocity(real time) const;
  LastSteps last_steps(real dt) const;
  void set_unexpected_boundary();
  bool expect_drag();
  struct StrangeFluxes;
  StrangeFluxes find_strange_fluxes();
  void compute_explicit_part(real dt);
  void add_forces_along_duals(Field<Face>& along_duals) const;
  void compute_acceleration(Field<Cell, Vec3>& acceleration, Field<Cell>& pressure) final;

  real tolerance_of_pairs_ = 0;
  const std::vector<BoundaryPlace> boundary_places_;
  std::vector<Vec3> boundary_velocity_;  // there
  real boundary_speed_ = 0, boundary_pressure_ = 0;
  bool has_flux_ = false, has_flux_old_ = false;  // in a restored state
  CellConvection convection_;
  RecycledPlanes recycled_;
  BodyForces forces_;
  WallStress wall_stress_;
  std::optional<FrameForces> frame_;
  std::optional<RotatingZones> rotating_;
  Field<Cell, Vec3> forcing_;  // convection - body force + stress of walls + 2 Omega x u, extrapolated
  Field<Face> explicit_part_;

 protected:
  MomentumBalance balance_;
};

}  // namespace solenoid
