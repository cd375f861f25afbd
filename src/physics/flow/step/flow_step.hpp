/// The common part of the fractional steps: boundary, convection, forces, velocity and vorticity of fluxes, and the
/// pressure for output.
#pragma once

#include <optional>

#include "model/force_test_function.hpp"
#include "model/state_visitor.hpp"
#include "model/step_history.hpp"
#include "model/tractions.hpp"
#include "operators/boundary_circulation.hpp"
#include "operators/edge_means.hpp"
#include "operators/open_velocity.hpp"
#include "physics/flow/balance/energy_budget.hpp"
#include "physics/flow/balance/open_boundaries.hpp"
#include "physics/flow/balance/pair_pressure.hpp"
#include "physics/flow/balance/surface_gradient.hpp"
#include "physics/flow/balance/wall_pressure.hpp"
#include "physics/flow/boundary/boundary_faces.hpp"
#include "physics/flow/momentum/buoyancy.hpp"
#include "physics/flow/momentum/edge_vorticity.hpp"
#include "physics/flow/momentum/face_average_friction.hpp"
#include "physics/flow/momentum/flow_state.hpp"
#include "physics/flow/momentum/rebuilt_forces.hpp"
#include "physics/flow/momentum/third_order_momentum.hpp"
#include "physics/flow/reconstruct/velocity_reconstruction.hpp"
#include "physics/flow/solenoidal/prescribed_potential.hpp"
#include "solve/linear_system.hpp"

namespace solenoid {

/// A flow that advances by steps of BDF2 with extrapolated convection. Derived classes find the fluxes at the end of a
/// step, without divergence in bits.
class FlowStep {
 public:
  virtual ~FlowStep();
  FlowStep(const FlowStep&) = delete;
  FlowStep& operator=(const FlowStep&) = delete;

  /// Starts from a divergence-free field near these face fluxes that enters and leaves as it is told. Collective.
  virtual void project(Field<Face>& flux) = 0;
  /// Starts from the one near to none. Collective.
  void start_from_rest();

  /// A force on the fluid [m/s^2], evaluated at cell centres, added to the momentum equation from here on. Collective;
  /// throws a collective Error where it leaves the plane or has no value.
  void set_body_force(Coefficient<Vec3> force);

  /// Another one that follows from something that is carried along, as it is at the end of a step when advance() is
  /// called. Outlives the flow.
  void set_buoyancy(const Buoyancy& buoyancy) { buoyancy_ = &buoyancy; }

  /// Takes all the memory that steps and pressure() do. Collective.
  virtual void build_systems();

  /// Advances by dt [s]. Collective. Throws a collective Error (exit code 1) when a solver fails; state() and time()
  /// are those of the last step then.
  void advance(real dt);

  /// Goes back to before the last step, to look at it: nothing can advance from there. Collective.
  void revert_step();

  /// p / rho [m^2/s^2] at cells now; in parts of the domain without outlets volume mean zero. The rotational form's own
  /// pressure is the total one; the |u|^2/2 to take off it comes from the exchanged node velocities of the quadratic
  /// fit, for with the cells' own first-order velocity the pressure would be of first order too. Before the first step
  /// du/dt is the momentum equation's own, which takes more solves; walls that start with a jerk then leave a pressure
  /// that grows with a finer mesh, as their vorticity does. Collective; throws as cg does.
  Field<Cell>& pressure(Exchanged<Node, NodeVelocity> nodes);

  /// p / rho [m^2/s^2] on the walls at the time of the last pressure(): what the momentum equation makes of the cell's
  /// pressure on the way to the wall.
  BoundaryField<real>& wall_pressure() { return wall_pressure_; }
  Field<Cell>& last_pressure() { return pressure_; }  ///< of the last pressure()

  /// The force of the fluid on its boundary, with what the momentum equation leaves over on faces whose flux is given
  /// as the pressure there, the lumped vorticity, or what RebuiltMomentum does to the boundary, and the gradient along
  /// it: summed over the whole boundary it is what the fluid's momentum lacks, to the solvers' tolerance, unless the
  /// given velocity jumps there. Takes the solves that pressure() does, once a step for both. Collective; throws as cg
  /// does.
  Tractions& tractions();

  /// The same force on the part of the boundary where `weight` is 1, from what momentum does in the fluid (Babuska &
  /// Miller 1984): integral of -phi (du/dt + convection - force) + p grad phi - nu omega curl(phi e), phi the weight,
  /// and over the boundary of -2 nu phi (n x grad) x u; with friction of face averages that on the cells and on the
  /// boundary in place of the vorticity's term, and with RebuiltMomentum what that takes of phi e [m^3/s^2]. Takes the
  /// same solves. Collective; throws as cg does.
  Vec3 force_in_fluid(const ForceTestFunction& weight);

  /// What friction takes of the kinetic energy now [m^4/s^3]: nu/2 times the integral of |grad u + grad u^T|^2, as nu
  /// omega^2 inside and 2 nu u . (n x grad) x u on the boundary; with DiffusionForm::stress as nu a(w, w) of
  /// RebuiltMomentum and nu u . (n x grad) x u there. Collective.
  real dissipation();
  /// The root of the kinetic energy that the body force and buoyancy would give a fluid at rest in a second, were there
  /// no pressure to withstand [sqrt(m^5/s^2), in 2D sqrt(m^4/s^2)]. Collective.
  real root_energy_of_forces() const;
  /// Of the last step. Takes the solves that tractions() does. Collective; throws as cg does.
  EnergyBudget energy_budget();

  virtual void visit_state(StateVisitor& visitor);  ///< see Model
  virtual void state_restored() = 0;

  /// Throws a collective Error (exit code 1) where the boundary is crossed by other fluxes than it gives.
  void require_given_fluxes();

  FlowState& state() { return state_; }
  /// s, U = C s [m^3/s], in 2D. Collective; throws as cg does.
  virtual Field<Edge>& stream_function() = 0;
  /// Of the flows that go round what the boundary fixes, see HarmonicFluxes, each one's patch; none where the method
  /// need not know.
  virtual std::optional<std::vector<std::string>> loops() const { return std::nullopt; }
  /// See RebuiltForces; none with other friction.
  std::optional<real> implicit_factor() const {
    if (settings_.diffusion != DiffusionForm::stress) return std::nullopt;
    return rebuilt_->implicit_factor();
  }
  /// Whether the last step took all of its friction implicitly, with DiffusionForm::stress.
  bool is_friction_implicit() const { return rebuilt_ && rebuilt_->is_friction_implicit(); }
  real time() const { return time_; }                            ///< [s]
  real last_dt() const { return dt_; }                           ///< [s], 0 before the first step
  real history_span() const { return history_.span; }            ///< see StepHistory
  real boundary_speed() const { return boundary_speed_; }        ///< the largest that is given [m/s]
  real boundary_pressure() const { return boundary_pressure_; }  ///< the largest that outlets are given [m^2/s^2]
  real rate_of_change() const;                                   ///< of the last step, see diagnostics.hpp. Collective.
  const LocalMesh& mesh() const { return mesh_; }
  const FlowBoundaries& boundaries() const { return boundaries_; }

  /// What flows through each periodic pair from its first patch to its second now [m^2/s]. Collective.
  std::vector<real> through_pairs() const { return pair_faces_.sum(state_.flux); }
  /// By how much the pressure drops over each pair in that direction [m^2/s^2]: as given, or what the given flux took
  /// in the last step. Collective.
  std::vector<real> pressure_drops();

  /// Inlets, outlets and far fields. Takes solves for the first time; collective, throws as cg does.
  const std::vector<Opening>& openings();
  /// The mean pressure on each of openings() now [m^2/s^2]. Takes no solve once there was a step. Collective.
  std::vector<real> pressures_at_openings();

  const FlowStepSettings& settings() const { return settings_; }  ///< nothing automatic but preconditioners
  const SolveLog& solves() const { return solves_; }

 protected:
  /// The fluid is at rest at `time` [s]. Derived classes call begin() when they are made. Collective; throws a
  /// collective Error where a wall moves fluid through itself, or the form of convection is not for this boundary.
  /// `wide`: for convection of third order in 2D, and for rebuilt velocities. Refers to both meshes, which must outlive
  /// it.
  FlowStep(const LocalMesh& mesh, const FlowStepSettings& settings, FlowBoundaries boundaries, real time,
           const WideHaloMesh* wide);
  void begin();

  /// Finds the fluxes at time() + dt from scheme_, boundary and momentum, and keeps them. on_faces_: what momentum
  /// takes along the duals without friction and pressure, I^T V (N - f) + S p, explicit, and what RebuiltForces
  /// expects.
  virtual void solve_step(real dt) = 0;
  /// The fluxes before the last step once more.
  virtual void revert_flux() = 0;
  /// Takes the fluxes that boundary_faces_ has now; prescribed_potential_ has taken them already. Collective.
  virtual void set_prescribed_fluxes() = 0;
  /// The fluxes that set_prescribed_fluxes() took, where they are given; elsewhere anything.
  virtual void copy_prescribed_fluxes(Field<Face>& flux) = 0;
  /// Whether a step gives pairs their flux whatever it was before, up to what the solvers leave.
  virtual bool drives_pairs_anew() const { return true; }
  /// R M U at the edges, of the fluid inside.
  virtual void compute_circulation(Field<Edge>& circulation) = 0;
  /// dU/dt of the fluxes as they are, of fluxes that are given 0, for on_faces_.
  virtual void compute_rate(Field<Face>& rate) = 0;
  /// That of the pressure.
  virtual PressureSystem& pressure_system() = 0;
  /// Sets solved_pressure_ from on_faces_, what momentum takes along the duals without pressure. Of rotational
  /// convection the total one.
  virtual void compute_pressure() = 0;

  /// What was laid over of a state: nothing of the flow, its fluxes alone, or what this method takes from steps before.
  enum class Restored { nothing, fluxes, all };
  /// Goes on from state_, whose fluxes are there. Where the boundary gives others, or this lacks something, it begins
  /// anew with the flow nearest to them; throws a collective Error (exit code 2) where there are none.
  void go_on(Restored restored);

  enum class Vorticity { anew, after_step, kept };
  /// Everything that follows from the fluxes.
  void update_flow(Vorticity vorticity);
  /// Before the first solve: a system that is never solved is not in the log.
  template <class L>
  void record_setup(const SolveControl& control, const LinearSystem<L>& system) {
    if (!solves_.entries().contains(control.name)) {
      solves_.record_setup(control, system.setup_seconds(), system.shape());
    }
  }

  /// Where it is not that of EdgeVorticity.
  const ImplicitFriction* implicit_friction() const {
    return of_face_averages_ ? &*of_face_averages_ : rebuilt_ ? rebuilt_->implicit_friction() : nullptr;
  }
  /// What implicit_friction() is of has changed. Collective.
  virtual void implicit_friction_changed() {}
  /// Of these fluxes, by viscosity, beyond what is explicit. Collective.
  void compute_implicit_friction(Field<Face>& flux, Field<Face>& along_faces);
  bool has_vorticity() const { return settings_.diffusion != DiffusionForm::stress; }
  /// Forgets the flow before the last step, in the friction.
  void expect_steady_friction() {
    edge_vorticity_.extrapolate(0);
    older_of_friction_ = 0;
  }

  const LocalMesh& mesh_;
  const FlowStepSettings settings_;
  const FlowBoundaries boundaries_;
  int form_of_convection_;  // that convection_ has
  real time_, dt_ = 0;
  bool has_given_flow_ = false;  // fluid crosses the boundary as it is told
  TimeCoefficients scheme_;
  StepHistory history_;
  bool is_left_out_ = false;  // of it the last step, or the one under way

  BoundaryFaces boundary_faces_;
  PairFaces pair_faces_;
  std::optional<PrescribedPotential> prescribed_potential_;  // in 2D
  EdgeVorticity edge_vorticity_;
  BoundaryCirculation circulation_;
  std::optional<FaceAverageFriction> face_average_;
  std::optional<ImplicitFriction> of_face_averages_;
  std::optional<RebuiltForces> rebuilt_;

  FlowState state_;
  std::vector<real> prescribed_fluxes_;  // through pairs; it counts where one is given
  /// Of pairs whose flux is given; made when it is first asked for. Collective.
  PairPressure& pair_pressure();
  bool has_driven_pairs() const { return !driven_pairs_.empty(); }
  const std::vector<std::size_t>& driven_pairs() const { return driven_pairs_; }  // those whose flux is given
  Field<Face> on_faces_;
  Field<Cell, Vec3> on_cells_;
  Field<Cell> solved_pressure_;  // of the momentum equation
  SolveLog solves_;

 private:
  void set_boundary(real time);
  struct StrangeFluxes;
  StrangeFluxes find_strange_fluxes();
  void sample_drives(real time);
  void add_pressures(Field<Face>& along_faces) const;
  void compute_acceleration();
  /// Convection is an acceleration of cells.
  bool has_convection_in_cells() const {
    return settings_.convection != ConvectionForm::none && settings_.convection != ConvectionForm::skew;
  }
  void renew_convection();
  void set_boundary_anew(real time);
  void compute_residual();
  real virtual_power(const PressureProbeFlux& flow, const std::vector<real>& drops);
  void compute_friction(Field<Face>& along_faces);
  void update_openings(Field<Cell, Vec3>& velocity);
  enum class Kept { no, yes };  // among the past solutions that first guesses are made of
  void update_convection(Kept kept);
  const EdgeMeans& cell_means();
  void sample_body_force(real time);
  void add_body_force(real time);
  void initial_momentum();
  void solve_pressure();
  BoundaryField<real> reaction();
  SurfaceGradient& gradient_now();

  std::vector<std::size_t> driven_pairs_;  // those whose flux is given
  std::vector<real> given_drops_;          // of the pressure over pairs, 0 where none is given
  std::optional<PairPressure> pair_pressure_;
  std::optional<std::vector<Opening>> openings_;
  std::optional<Coefficient<Vec3>> body_force_;
  const Buoyancy* buoyancy_ = nullptr;
  std::optional<Field<Cell, Vec3>> force_;  // that of the time force_time_
  real force_time_ = 0;
  real boundary_speed_ = 0, boundary_pressure_ = 0;
  real grew_ = 0;               // 1: the last step was longer than the one before
  real older_of_friction_ = 0;  // in what is expected of it, the share of the flow before the last step
  Space<Edge> all_edges_;
  std::optional<LinearSystem<Edge>> vorticity_system_;    // the consistent mass M_n, in 2D
  std::optional<EdgeMeans> cell_means_, boundary_means_;  // once they are asked for
  SolutionHistory<Edge> past_vorticities_;
  OpenVelocity open_velocity_;

  Field<Edge> rotation_, consistent_vorticity_;  // R M U + b; M_n^-1 of it
  Field<Cell, Vec3> velocity_old_, velocity_older_, forcing_;
  struct OfCells {
    Field<Cell, Vec3> now, old;
  };
  std::optional<OfCells> convection_;
  std::optional<Field<Face, Vec3>> momentum_;  // that faces carry
  std::optional<ThirdOrderMomentum> third_order_;
  std::optional<Field<Node, Vec3>> behind_outlets_;  // velocity there, see OpenVelocity
  bool lacks_vorticity_ = false;                     // a state laid over this one, of a flow that had none
  bool is_acceleration_found_ = false, is_residual_found_ = false, is_pressure_solved_ = false;  // of the flow as it is
  Field<Cell, Vec3> acceleration_;  // du/dt + convection of cells - force
  Field<Face> residual_;            // along the duals, momentum without pressure
  Field<Cell> pressure_;
  WallPressure to_walls_;
  BoundaryField<real> wall_pressure_;
  BoundaryField<real> given_pressure_;  // of outlets
  Tractions tractions_;
  SurfaceGradient surface_gradient_;
};

}  // namespace solenoid
