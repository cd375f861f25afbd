/// The exact fractional step in 2D: the velocity is the curl of a rounded potential, without divergence in bits.
#pragma once

#include <optional>

#include "operators/boundary_circulation.hpp"
#include "operators/open_velocity.hpp"
#include "physics/boundary_faces.hpp"
#include "physics/boundary_potential.hpp"
#include "physics/boundary_velocity.hpp"
#include "physics/flow_state.hpp"
#include "physics/implicit_momentum.hpp"
#include "physics/pressure.hpp"
#include "physics/state_visitor.hpp"
#include "physics/velocity_fit.hpp"
#include "physics/wall_pressure.hpp"
#include "solve/linear_system.hpp"

namespace solenoid {

/// Exact fractional step (Chang, Giraldo & Perot 2002; thesis eq. 7.14-7.17) with BDF2 in time, extrapolated convection
/// and the rotational viscous force nu M C omega, omega = W^-1 (R M U + b). With U = C s, L = R M C, n the convection
/// by cells and S p what outlets press:
///   (a/dt) L s' + nu L W^-1 (L s' + b) = -L (a1 s + a2 s_old)/dt - R (I^T V n + S p).
/// Along walls and inlets s follows from the fluxes that are given, but for one unknown for each piece that hangs
/// together by them, see BoundaryPotential. W^-1 = 0 on planes of symmetry and far fields.
class ExactStep {
 public:
  /// The fluid is at rest at `time` [s]; where some is given to enter, start_from_rest() or project() comes first.
  /// Collective. Throws a collective Error where the mesh is not 2D, a wall moves
  /// fluid through itself, or what is given to enter does not leave. Refers to `mesh`, which must outlive it.
  ExactStep(const LocalMesh& mesh, const ExactStepSettings& settings, FlowBoundaries boundaries, real time);

  /// Starts from the divergence-free field nearest to these face fluxes that enters and leaves as it is told:
  /// L s = R M U. Collective.
  void project(Field<Face>& flux);
  /// Starts from the one nearest to none. Collective.
  void start_from_rest();

  /// A force on the fluid [m/s^2], evaluated at cell centres, added to the momentum equation from here on.
  void set_body_force(Given<Vec3> force) { body_force_ = std::move(force); }

  /// Takes all the memory that steps and pressure() do. Collective.
  void build_systems();

  /// Advances by dt [s]. Collective. Throws a collective Error (exit code 1) when a solver fails; state() and time()
  /// are those of the last step then.
  void advance(real dt);

  /// Goes back to before the last step, to look at it: nothing can advance from there. Collective.
  void take_back_step();

  /// p / rho [m^2/s^2] at cells now; without outlets volume mean zero. The rotational form's own pressure is the total
  /// one; the |u|^2/2 to take off it comes from the exchanged node velocities of the quadratic fit, for with the cells'
  /// own first-order velocity the pressure would be of first order too. Before the first step du/dt is the momentum
  /// equation's own, which takes one more solve; walls that start with a jerk then leave a pressure that grows with a
  /// finer mesh, as their vorticity does. Collective; throws as cg does.
  Field<Cell>& pressure(Exchanged<Node, NodeVelocity> nodes);

  /// p / rho [m^2/s^2] on the walls at the time of the last pressure(): what the momentum equation makes of the cell's
  /// pressure on the way to the wall.
  BoundaryField<real>& wall_pressure() { return wall_pressure_; }
  Field<Cell>& last_pressure() { return pressure_; }  ///< of the last pressure()

  void visit_state(StateVisitor& visitor);  ///< see Model
  void state_restored();

  FlowState& state() { return state_; }
  real time() const { return time_; }                      ///< [s]
  real last_dt() const { return dt_; }                     ///< [s], 0 before the first step
  real boundary_speed() const { return boundary_speed_; }  ///< the largest that is given [m/s]
  real rate_of_change() const;                             ///< of the last step, see diagnostics.hpp. Collective.
  const LocalMesh& mesh() const { return mesh_; }
  const FlowBoundaries& boundaries() const { return boundaries_; }

  const SolveLog& solves() const { return solves_; }  ///< by solver: potential, vorticity (rotational), pressure

 private:
  ExactStep(const LocalMesh& mesh, const ExactStepSettings& settings, FlowBoundaries boundaries, real time,
            const MatrixRows& laplacian);
  void set_boundary(real time);
  void update_flow();
  void update_openings(Field<Cell, Vec3>& velocity);
  enum class Kept { no, yes };  // among the past solutions that first guesses are made of
  void update_convection(Kept kept);
  void add_body_force(real time);
  void solve_for_potential(Field<Edge>& potential);
  void initial_momentum();

  const LocalMesh& mesh_;
  ExactStepSettings settings_;
  FlowBoundaries boundaries_;
  std::optional<Given<Vec3>> body_force_;
  real time_, dt_ = 0, boundary_speed_ = 0;
  bool has_given_flow_ = false;  // fluid crosses the boundary as it is told
  TimeCoefficients scheme_;

  SparseMatrix<Edge> laplacian_;  // L = R M C (cotangent weights)
  BoundaryFaces boundary_faces_;
  BoundaryPotential boundary_potential_;
  Space<Edge> unknowns_, all_nodes_;
  Field<Edge> inverse_mass_;                            // W^-1, 0 where there is no vorticity
  LinearSystem<Edge> potential_system_;                 // L
  std::optional<LinearSystem<Edge>> vorticity_system_;  // the consistent mass M_n
  ImplicitMomentum implicit_;
  PastSolutions<Edge> past_vorticities_;
  BoundaryCirculation circulation_;
  OpenVelocity open_velocity_;
  PressureRecovery recovery_;

  FlowState state_;
  Field<Edge> offset_, offset_change_;  // s on the boundary from the given fluxes; what the step adds to it
  Field<Edge> potential_old_, consistent_vorticity_, right_side_, work_;
  Field<Cell, Vec3> velocity_old_, velocity_older_, convection_, convection_old_, forcing_;
  Field<Face> on_faces_;
  std::optional<Field<Face, Vec3>> momentum_;        // that faces carry
  std::optional<Field<Node, Vec3>> behind_outlets_;  // velocity there, see OpenVelocity
  Field<Cell, Vec3> on_cells_;
  Field<Cell> pressure_;
  WallPressure to_walls_;
  BoundaryField<real> wall_pressure_;
  SolveLog solves_;
};

}  // namespace solenoid
