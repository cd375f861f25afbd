/// Transport of a scalar by a flow, with P1 values.
#pragma once

#include <optional>

#include "model/state_visitor.hpp"
#include "operators/dual_fluxes.hpp"
#include "operators/p1_gradient.hpp"
#include "physics/flow/boundary/boundary_faces.hpp"
#include "physics/nodal/patch_heat.hpp"
#include "physics/scalar/flux_limiter.hpp"
#include "physics/scalar/scalar_matrices.hpp"
#include "physics/scalar/scalar_problem.hpp"
#include "physics/scalar/scalar_system.hpp"

namespace solenoid {

/// Balance of a scalar in a step [unit of T m^3/s]; in 2D per metre of depth.
struct ScalarBalance {
  std::vector<real> through;  ///< into the fluid through each patch: by diffusion, plus inflow minus outflow
  real source = 0;            ///< of the volume sources
  real stored = 0;            ///< increase of the content per second

  real imbalance() const;  ///< supply minus storage: the residual of the linear solver
  real supplied() const;   ///< sum of all positive contributions
};

/// P1 values, carried by fluxes between the nodes' median duals: central convection is that of linear elements
/// (Galerkin), with T.N T = 0; the consistent mass keeps its order on any mesh. The unknown of a step is the change D =
/// T' - T, with convection extrapolated in velocity and value, N* = N(U*)(T + e (T - T_old)):
///   (a/dt M + theta (K + H)) D = F - (K + H) T - N* + c/dt M (T - T_old)
/// BDF2: a, c of TimeCoefficients, theta = 1, e = r, the ratio of the steps. A limited scalar has a one-step scheme
/// (Crank-Nicolson and Adams-Bashforth): a = 1, c = 0, theta = 1/2, e = r/2, before its fluxes are limited; sources,
/// surroundings and outlets are then of first order in time. All terms act on differences of values: constants stay
/// constant bitwise.
class ScalarTransport {
 public:
  /// At `time` [s], without initial values. Refers to `pairs`. Collective; throws a collective Error if a coefficient
  /// of the problem does.
  ScalarTransport(const NodePairs& pairs, ScalarProblem problem, const ScalarSettings& settings, real time);

  /// Sets the initial values, except at nodes with a prescribed value. Collective.
  void set_values(const Coefficient<real>& initial);

  /// The same at `time` [s]: for a scalar that a restored state lacks. Collective.
  void begin_at(real time, const Coefficient<real>& initial);

  /// The factor e of a flow's extrapolation for a step of dt [s]: to its end, or to its middle; 0: none.
  real extrapolation(real dt) const;
  /// Advances by dt [s] with the flow's fluxes, extrapolated by extrapolation(). Collective. Throws a collective Error
  /// (exit code 1) if the solver fails, and then keeps the values and time() of the last step.
  void advance(real dt, const DualFluxes& carrier);
  /// Restores the state before the last step, for output only: no step can follow. Collective.
  void revert_step();
  /// Allocates all memory of the steps. Collective.
  void build_system(real dt);

  Field<Node>& values() { return values_; }
  Field<Cell, Vec3>& flux();  ///< -a grad T [unit of T m/s] on each owned cell. Collective.

  ScalarBalance balance();  ///< of the last step. Collective.
  /// Residual of the last step with other matrices and loads: M dT/dt + (K + H) T - F, in the step's discretisation, at
  /// all owned nodes [unit of T m^3/s]. Collective.
  void compute_reaction(const ScalarMatrices& matrices, const Field<Node>& load, Field<Node>& reaction);
  real content() const;  ///< integral of T [unit of T m^3]. Collective.
  struct Range {
    real low, high;
  };
  Range range() const;  ///< Collective.
  /// ||T' - T||_2 / (dt sqrt(V)) of the last step over the range of all values and data so far [1/s]. Collective.
  real rate_of_change();
  /// For a limited or upwind scalar the shortest time [s] in which this flow refills a dual: shorter steps stay within
  /// the range of the neighbouring values. For a central one the step up to which its oscillations cannot grow.
  /// Infinite without flow. Collective.
  real longest_step(const DualFluxes& carrier) const;

  void visit_state(StateVisitor& visitor);  ///< see Model
  void state_restored();

  bool depends_on_time() const;
  real time() const { return time_; }   ///< [s]
  real last_dt() const { return dt_; }  ///< [s], 0 before the first step
  const SolveLog& solves() const { return solves_; }

 private:
  void update_data();
  bool inlets_turn() const;
  bool update_directions();
  std::vector<int> roles();
  void set_unknowns();
  void resample();
  void sample_inflow();
  void take_step(real dt, const DualFluxes& carrier);
  InflowValues inflow() const { return {inflow_value_.data(), inflow_is_given_.data()}; }

  const NodePairs& pairs_;
  const LocalMesh& mesh_;
  const ScalarSettings settings_;
  real time_, dt_ = 0;
  real mass_factor_ = 0, implicit_ = 1, past_ = 0;  // a/dt, theta, c/dt of the last step
  bool given_may_jump_ = false;                     // prescribed values may differ from the restored state
  DiffusionData data_;
  TemperatureBounds met_;  // values of the steps so far
  std::vector<std::optional<Coefficient<real>>> inflow_of_patch_;
  std::optional<FlowBoundaries> flow_;
  std::optional<BoundaryFaces> through_;  // if there is a flow

  Space<Node> unknowns_;
  DeviceArray<int> prescribed_;  // owned nodes
  PatchHeat patch_flux_;
  P1Gradient gradient_;
  ScalarMatrices matrices_;
  ScalarSystem system_;
  std::optional<FluxLimiter> limiter_;
  DeviceArray<real> inflow_value_, inflow_is_given_;

  Field<Cell> diffusivity_;
  Field<Node> load_, given_, spread_;  // F; the prescribed values; the diagonal of K + H
  Field<Node> values_, values_old_;
  Field<Node> difference_;  // T - T_old before the last step
  Field<Node> carried_;     // the values that convection transports
  Field<Node> change_, forcing_, work_;
  std::vector<real> carried_out_;  // through each patch in the last step
  Field<Cell, Vec3> flux_;
  SolveLog solves_;
};

}  // namespace solenoid
