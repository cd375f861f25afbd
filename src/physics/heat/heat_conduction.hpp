/// Heat conduction with P1 temperatures: steady, and transient by BDF2 or implicit Euler.
#pragma once

#include <optional>

#include "model/state_visitor.hpp"
#include "model/time_scheme.hpp"
#include "operators/p1_gradient.hpp"
#include "physics/nodal/diffusion_data.hpp"
#include "physics/nodal/patch_heat.hpp"
#include "solve/linear_system.hpp"
#include "solve/sparse_matrix.hpp"

namespace solenoid {

/// Heat balance at one time [W]; in 2D per metre of depth.
struct HeatBalance {
  std::vector<real> through;  ///< into the body through each patch
  real source = 0;            ///< of the volume sources
  real stored = 0;            ///< by the heat capacity; 0 in a steady state

  real supplied() const;   ///< all positive contributions: through patches, by sources, and from storage
  real imbalance() const;  ///< supply minus storage: the residual of the linear solver
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
class HeatConduction {
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

  Field<Node>& temperature() { return temperature_; }  ///< [K]
  /// -k grad T [W/m^2] on each owned cell. Collective.
  Field<Cell, Vec3>& heat_flux();

  HeatBalance balance();                       ///< of the last step or steady state. Collective.
  MaximumPrinciple maximum_principle() const;  ///< of the present temperature. Collective.
  /// ||T' - T||_2 / (dt sqrt(W)) of the last step over the range of all temperatures and data so far [1/s], each node
  /// weighted by its heat capacity. Collective.
  real rate_of_change();

  void visit_state(StateVisitor& visitor);  ///< see Model
  void state_restored();

  struct Range {
    real low, high;
  };
  Range range() const;  ///< of the temperature [K]. Collective.

  bool depends_on_time() const { return data_.depends_on_time(); }  ///< whether a coefficient of the problem does
  real time() const { return time_; }                               ///< [s]
  real last_dt() const { return dt_; }                              ///< [s], 0 before the first step
  const LocalMesh& mesh() const { return mesh_; }
  const SolveLog& solves() const { return solves_; }

 private:
  void update_data();
  void resample(bool all = false);
  void take_step(real dt);
  MatrixRows system_rows(real capacity_factor, std::vector<real>& row_sums) const;
  void update_system(real capacity_factor, real dt);
  void solve();

  const LocalMesh& mesh_;
  HeatSolverSettings settings_;
  real time_, dt_ = 0;
  TimeCoefficients scheme_;
  DiffusionData data_;
  TemperatureBounds met_;  // temperatures of the steps so far

  Space<Node> unknowns_;
  DeviceArray<int> prescribed_;  // owned nodes
  PatchHeat patch_heat_;
  P1Gradient gradient_;

  Field<Cell> conductivity_;
  Field<Node> capacity_, load_;                      // W; F + H T_ambient
  Field<Node> given_, is_given_, given_difference_;  // 0 at unknowns: the temperature, 1, and the difference of solve()
  bool system_is_stale_ = true;
  real capacity_factor_ = 0;         // the system is K + H + this times W
  real preconditioned_factor_ = -1;  // that factor at the set-up of the preconditioner; -1: none yet
  std::optional<LinearSystem<Node>> system_;
  SolutionHistory<Node> past_{unknowns_};
  std::optional<SparseMatrix<Node>> around_prescribed_;  // its rows and columns of prescribed nodes
  Field<Node> row_sums_;                                 // of the system

  bool has_temperature_ = false;
  Field<Node> temperature_, temperature_old_, temperature_older_, right_side_, work_;
  Field<Cell, Vec3> heat_flux_;
  bool heat_flux_is_of_now_ = false;
  SolveLog solves_;
};

}  // namespace solenoid
