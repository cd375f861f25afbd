/// Heat conduction with temperatures on nodes: steady, and transient with BDF2 or implicit Euler.
#pragma once

#include <optional>

#include "operators/p1_gradient.hpp"
#include "physics/heat_loads.hpp"
#include "physics/time_scheme.hpp"
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
/// and initial values wherever no heat is supplied or taken otherwise; the discrete one does where no two nodes of the
/// mesh have a positive coupling, as in Delaunay triangulations (Ciarlet & Raviart 1973).
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
  /// The body is at 0 K everywhere at `time` [s], which is no first guess for a steady state. Refers to `mesh`, which
  /// must outlive it. Collective; throws a collective Error where a quantity of the problem does.
  HeatConduction(const LocalMesh& mesh, HeatProblem problem, const HeatSolverSettings& settings, real time);

  /// Starts from this temperature [K] of place [m], but for nodes whose temperature is given. Collective.
  void set_temperature(const std::function<real(const Vec3& x)>& initial);

  /// Finds the steady state with the data at `time()`. The temperature so far is the first guess. Collective. Throws a
  /// collective Error (exit code 1) when the solver fails.
  void solve_steady();

  /// Advances by dt [s]. Collective; throws as solve_steady does.
  void advance(real dt);

  Field<Node>& temperature() { return temperature_; }  ///< [K]
  /// -k grad T [W/m^2] on each owned cell. Collective.
  Field<Cell, Vec3>& heat_flux();

  HeatBalance balance();                       ///< of the last step or steady state. Collective.
  MaximumPrinciple maximum_principle() const;  ///< of the temperature as it is. Collective.
  /// ||T' - T||_2 / (dt (T_max - T_min) sqrt(V)) [1/s] of the last step, V-weighted; 0 where the temperature is even.
  /// Collective.
  real rate_of_change() const;

  struct Range {
    real low, high;
  };
  Range range() const;  ///< of the temperature [K]. Collective.

  /// True where a quantity of the problem changes with time.
  bool depends_on_time() const;
  real time() const { return time_; }   ///< [s]
  real last_dt() const { return dt_; }  ///< [s], 0 before the first step
  const LocalMesh& mesh() const { return mesh_; }
  const SolveLog& solves() const { return solves_; }

 private:
  struct PatchHeat {  // of each owned node of a patch: what enters there is constant - coefficient T + share * reaction
    DeviceArray<int> node;
    DeviceArray<real> constant, coefficient, share;
    DeviceArray<int> cell;  // see ReactionShare
    DeviceArray<Vec3> weight;
  };

  void sample(bool first);
  void sample_materials(bool first);
  void sample_boundary(bool first);
  void update_system(real capacity_factor);
  void solve();

  const LocalMesh& mesh_;
  HeatProblem problem_;
  HeatSolverSettings settings_;
  real time_, dt_ = 0;
  TimeCoefficients scheme_;
  TemperatureBounds bounds_;

  std::vector<PatchNodes> patch_nodes_;
  Space<Node> unknowns_;
  P1Gradient gradient_;
  DeviceArray<int> prescribed_;  // owned nodes
  std::vector<PatchHeat> patch_heat_;
  bool shares_nodes_ = false;  // between patches of given temperature, on any rank

  MatrixRows stiffness_;                       // K
  std::vector<real> exchange_, source_loads_;  // of owned nodes: H, and the sources' part of F
  real source_ = 0;                            // of the owned nodes
  Field<Cell> conductivity_;
  Field<Node> capacity_, load_;                      // W; F + H T_ambient
  Field<Node> given_, is_given_, given_difference_;  // 0 at unknowns: the temperature, 1, and what solve() makes of it
  Field<Node> row_sums_;                             // of the system
  bool system_is_stale_ = true;
  real capacity_factor_ = 0;  // the system is K + H + this times W
  std::optional<LinearSystem<Node>> system_;
  std::optional<SparseMatrix<Node>> around_prescribed_;  // its rows and columns of nodes with a given temperature
  std::int64_t couplings_ = 0, positive_couplings_ = 0;

  bool has_temperature_ = false;  // or is at 0 K for want of another
  Field<Node> temperature_, temperature_old_, temperature_older_, right_side_, work_;
  Field<Cell, Vec3> heat_flux_;
  SolveLog solves_;
};

}  // namespace solenoid
