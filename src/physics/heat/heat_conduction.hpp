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

/// Where the heat goes at one time [W]; in 2D per metre of depth.
struct HeatBalance {
  std::vector<real> through;  ///< each patch, into the body
  real source = 0;            ///< of the volume sources
  real stored = 0;            ///< taken up by the heat capacity; 0 in a steady state

  real supplied() const;   ///< all that comes from somewhere: through patches, by sources, and out of store
  real imbalance() const;  ///< what enters and is not stored: what the linear solver left over
};

/// Where the temperature goes beyond what the maximum principle allows. An exact solution stays within its boundary
/// and initial values wherever no heat is supplied or taken otherwise. The discrete steady state and a step of implicit
/// Euler do where no two nodes of the mesh have a positive coupling, as in Delaunay triangulations (Ciarlet & Raviart
/// 1973); BDF2 does not where steps are long.
struct MaximumPrinciple {
  std::optional<real> low, high;        ///< what is allowed [K]; absent where heat is taken or supplied inside
  real lowest = 0, highest = 0;         ///< what is there [K]
  std::int64_t nodes_beyond = 0;        ///< by more than what the solver's tolerance explains
  Vec3 place;                           ///< of the node farthest beyond [m]
  std::int64_t couplings = 0;           ///< pairs of nodes with a coefficient
  std::int64_t positive_couplings = 0;  ///< those of them that pull apart
};

/// The P1 scheme, of second order in space; equal to balancing the fluxes through the median duals of the nodes (Bank &
/// Rose 1987; thesis ch. 6):
///   a/dt W T' + (K + H) T' = F + H T_ambient - W (b T + c T_old)/dt
/// K: stiffness with the cells' mean conductivity. W: lumped heat capacity. H: exchange with the surroundings, lumped.
/// F: sources and fluxes by quadrature. Nodes of patches with a given temperature are no unknowns; one that several
/// such patches share takes the mean of their values.
class HeatConduction {
 public:
  /// Without a temperature at first, at `time` [s]. Refers to `mesh`, which must outlive it. Collective; throws a
  /// collective Error where a quantity of the problem does.
  HeatConduction(const LocalMesh& mesh, HeatProblem problem, const HeatSolverSettings& settings, real time);

  /// Starts from this temperature [K], but for nodes whose temperature is given. Collective.
  void set_temperature(const Coefficient<real>& initial);

  /// The matrix of a first step of dt [s], or of the steady state where it is 0. Collective.
  void build_system(real dt);

  /// Finds the steady state with the data at `time()`. The first guess is the temperature so far, or the middle of the
  /// data. Collective. Throws a collective Error, of exit code 1 when the solver fails, 2 where nothing determines the
  /// temperature.
  void solve_steady();

  /// Advances by dt [s] from a temperature that was set. Collective. Throws a collective Error (exit code 1) when the
  /// solver fails; the temperature and time() are those of the last step then.
  void advance(real dt);

  Field<Node>& temperature() { return temperature_; }  ///< [K]
  /// -k grad T [W/m^2] on each owned cell. Collective.
  Field<Cell, Vec3>& heat_flux();

  HeatBalance balance();                       ///< of the last step or steady state. Collective.
  MaximumPrinciple maximum_principle() const;  ///< of the temperature as it is. Collective.
  /// ||T' - T||_2 / (dt sqrt(W)) of the last step over the range of all temperatures and data so far [1/s], each node
  /// weighted with its heat capacity. Collective.
  real rate_of_change();

  void visit_state(StateVisitor& visitor);  ///< see Model
  void state_restored();

  struct Range {
    real low, high;
  };
  Range range() const;  ///< of the temperature [K]. Collective.

  bool depends_on_time() const { return data_.depends_on_time(); }  ///< a quantity of the problem does
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
  Field<Node> given_, is_given_, given_difference_;  // 0 at unknowns: the temperature, 1, and what solve() makes of it
  bool system_is_stale_ = true;
  real capacity_factor_ = 0;         // the system is K + H + this times W
  real preconditioned_factor_ = -1;  // the same when its preconditioner was made; -1: none was
  std::optional<LinearSystem<Node>> system_;
  SolutionHistory<Node> past_{unknowns_};
  std::optional<SparseMatrix<Node>> around_prescribed_;  // its rows and columns of nodes with a given temperature
  Field<Node> row_sums_;                                 // of the system

  bool has_temperature_ = false;
  Field<Node> temperature_, temperature_old_, temperature_older_, right_side_, work_;
  Field<Cell, Vec3> heat_flux_;
  bool heat_flux_is_of_now_ = false;
  SolveLog solves_;
};

}  // namespace solenoid
