/// Heat conduction with P1 temperatures: steady, and transient by BDF2 or implicit Euler.
#pragma once

#include <optional>

#include "model/solver_advice.hpp"
#include "model/time_scheme.hpp"
#include "physics/nodal/nodal_diffusion.hpp"
#include "solve/linear_system.hpp"
#include "solve/sparse_matrix.hpp"

namespace solenoid {

struct HeatSolverSettings {
  TimeScheme scheme = TimeScheme::second_order;
  SolveControl heat{"heat", 1e-8, 10000, PreconditionerKind::automatic, 0, heat_advice()};
};

/// Violations of the maximum principle by the temperature. Without heat supplied or withdrawn elsewhere, an exact
/// solution stays within its boundary and initial values. The discrete steady state and a step of implicit Euler do so
/// if no two nodes of the mesh have a positive coupling, as in Delaunay triangulations (Ciarlet & Raviart 1973); BDF2
/// does not with long steps.
struct MaximumPrinciple {
  std::optional<real> low, high;        ///< bounds [K]; nullopt if heat is withdrawn or supplied inside
  real lowest = 0, highest = 0;         ///< of the solution [K]
  std::int64_t nodes_beyond = 0;        ///< outside the bounds by more than the solver's tolerance explains
  Vec3 place;                           ///< of the node farthest outside [m]
  std::int64_t couplings = 0;           ///< pairs of nodes with a matrix coefficient
  std::int64_t positive_couplings = 0;  ///< those with a positive one
};

/// P1 scheme, second order in space; equivalent to flux balances on the median duals of the nodes (Bank & Rose 1987;
/// thesis ch. 6):
///   a/dt W T' + (K + H) T' = F + H T_ambient - W (b T + c T_old)/dt
/// K: stiffness with the cells' mean conductivity. W: lumped heat capacity. H: exchange with the surroundings, lumped.
/// F: sources and fluxes by quadrature. Nodes of patches with a prescribed temperature are no unknowns; a node of
/// several such patches has the mean of their values.
class HeatConduction : public NodalDiffusion {
 public:
  /// At `time` [s], without an initial temperature. Refers to `mesh`, which must outlive it. Collective; throws a
  /// collective Error if a coefficient of the problem does.
  HeatConduction(const LocalMesh& mesh, HeatProblem problem, const HeatSolverSettings& settings, real time);

  /// Sets the initial temperature [K], except at nodes with a prescribed temperature. Collective.
  void set_temperature(const Coefficient<real>& initial);

  /// The matrix of a first step of dt [s]; 0: of the steady state. Collective.
  void build_system(real dt);

  /// Solves for the steady state with the data at `time()`. The first guess is the present temperature, or else the
  /// middle of the data's range. Collective. Throws a collective Error: exit code 1 if the solver fails, 2 if nothing
  /// determines the temperature.
  void solve_steady();

  /// Advances by dt [s]; a temperature must have been set. Collective. Throws a collective Error (exit code 1) if the
  /// solver fails, and then keeps the temperature and time() of the last step.
  void advance(real dt);

  Field<Node>& temperature() { return values_; }  ///< [K]
  HeatBalance balance();                          ///< of the last step or steady state. Collective.
  MaximumPrinciple maximum_principle() const;     ///< of the present temperature. Collective.
  real rate_of_change() { return NodalDiffusion::rate_of_change(capacity_); }

  void visit_state(StateVisitor& visitor);  ///< see Model
  void state_restored();

  bool depends_on_time() const { return data_.depends_on_time(); }  ///< whether a coefficient of the problem does
  const LocalMesh& mesh() const { return mesh_; }

 private:
  void resample(bool all = false);
  void take_step(real dt);
  MatrixRows system_rows(real capacity_factor, std::vector<real>& row_sums) const;
  void update_system(real capacity_factor, real dt);
  void solve();

  HeatSolverSettings settings_;
  TimeCoefficients scheme_;
  Field<Node> capacity_;                     // W
  Field<Node> is_given_, given_difference_;  // 0 at unknowns: 1, and the difference of solve()
  bool system_is_stale_ = true;
  real capacity_factor_ = 0;         // the system is K + H + this times W
  real preconditioned_factor_ = -1;  // that factor at the set-up of the preconditioner; -1: none yet
  std::optional<LinearSystem<Node>> system_;
  SolutionHistory<Node> past_{unknowns_};
  std::optional<SparseMatrix<Node>> around_prescribed_;  // its rows and columns of prescribed nodes
  Field<Node> row_sums_;                                 // of the system
  bool has_temperature_ = false;
  Field<Node> values_older_, right_side_;
};

}  // namespace solenoid
