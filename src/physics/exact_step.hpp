/// The exact fractional step in 2D: the velocity is the curl of a rounded potential: free of divergence in bits.
#pragma once

#include <optional>

#include "operators/boundary_circulation.hpp"
#include "physics/boundary_field.hpp"
#include "physics/boundary_velocity.hpp"
#include "physics/flow_state.hpp"
#include "physics/implicit_momentum.hpp"
#include "physics/pressure.hpp"
#include "physics/state_visitor.hpp"
#include "physics/velocity_fit.hpp"
#include "physics/wall_pressure.hpp"
#include "solve/linear_system.hpp"

namespace solenoid {

/// Exact fractional step (Chang, Giraldo & Perot 2002; thesis eq. 7.14-7.17) between walls, with BDF2 in time,
/// extrapolated rotational convection and the rotational viscous force nu M C omega, omega = W^-1 (R M U + b). With U =
/// C s, L = R M C:
///   (a/dt) L s' + nu L W^-1 (L s' + b) = -L (a1 s + a2 s_old)/dt - R I^T V (omega x u).
/// s = 0 on each outer wall; the wall of each hole is one shared unknown.
class ExactStep {
 public:
  /// The fluid is at rest at `time` [s]. Collective. Throws a collective Error where the mesh is not 2D or a wall moves
  /// fluid through itself. Refers to `mesh`, which must outlive it.
  ExactStep(const LocalMesh& mesh, const ExactStepSettings& settings, WallMotion walls, real time);

  /// Starts instead from the divergence-free field nearest to these face fluxes: L s = R M U. Collective.
  void project(Field<Face>& flux);

  /// A force on the fluid [m/s^2], evaluated at cell centres, added to the momentum equation from here on.
  void set_body_force(Given<Vec3> force) { body_force_ = std::move(force); }

  /// Takes all the memory that steps and pressure() do. Collective.
  void build_systems();

  /// Advances by dt [s]. Collective. Throws a collective Error (exit code 1) when a solver fails; state() and time()
  /// are those of the last step then.
  void advance(real dt);

  /// Goes back to before the last step, to look at it: nothing can advance from there. Collective.
  void take_back_step();

  /// p / rho [m^2/s^2] at cells now, volume mean zero. The rotational form's own pressure is the total one; the |u|^2/2
  /// to take off it comes from the exchanged node velocities of the quadratic fit, for with the cells' own first-order
  /// velocity the pressure would be of first order too. Before the first step du/dt is the momentum equation's own,
  /// which takes one more solve; walls that start with a jerk then leave a pressure that grows with a finer mesh, as
  /// their vorticity does. Collective; throws as cg does.
  Field<Cell>& pressure(Exchanged<Node, NodeVelocity> nodes);

  /// p / rho [m^2/s^2] on the walls at the time of the last pressure(): what the momentum equation makes of the cell's
  /// pressure on the way to the wall.
  BoundaryField<real>& wall_pressure() { return wall_pressure_; }
  Field<Cell>& last_pressure() { return pressure_; }  ///< of the last pressure()

  void visit_state(StateVisitor& visitor);  ///< see Model
  void state_restored();

  FlowState& state() { return state_; }
  real time() const { return time_; }              ///< [s]
  real last_dt() const { return dt_; }             ///< [s], 0 before the first step
  real wall_speed() const { return wall_speed_; }  ///< the walls' largest [m/s]
  real rate_of_change() const;                     ///< of the last step, see diagnostics.hpp. Collective.
  const LocalMesh& mesh() const { return mesh_; }
  const WallMotion& walls() const { return walls_; }

  const SolveLog& solves() const { return solves_; }  ///< by solver: potential, vorticity, pressure

 private:
  ExactStep(const LocalMesh& mesh, const ExactStepSettings& settings, WallMotion walls, real time,
            const MatrixRows& laplacian);
  void move_walls(real time);
  void update_flow();
  enum class Kept { no, yes };  // among the past solutions that first guesses are made of
  void update_convection(Kept kept);
  void add_body_force(real time);
  void solve_for_potential(Field<Edge>& potential);
  void initial_momentum();

  const LocalMesh& mesh_;
  ExactStepSettings settings_;
  WallMotion walls_;
  std::optional<Given<Vec3>> body_force_;
  real time_, dt_ = 0, wall_speed_ = 0;
  TimeCoefficients scheme_;

  SparseMatrix<Edge> laplacian_;  // L = R M C (cotangent weights)
  Space<Edge> unknowns_, all_nodes_;
  Field<Edge> lumped_mass_;
  LinearSystem<Edge> potential_system_, vorticity_system_;  // L, the consistent mass M_n
  ImplicitMomentum implicit_;
  PastSolutions<Edge> past_vorticities_;
  BoundaryCirculation circulation_;
  PressureRecovery recovery_;

  FlowState state_;
  Field<Edge> potential_old_, consistent_vorticity_, right_side_, work_;
  Field<Cell, Vec3> velocity_old_, velocity_older_, convection_, convection_old_, forcing_;
  Field<Face> on_faces_;
  Field<Cell, Vec3> on_cells_;
  Field<Cell> pressure_;
  WallPressure to_walls_;
  BoundaryField<real> wall_pressure_;
  SolveLog solves_;
};

}  // namespace solenoid
