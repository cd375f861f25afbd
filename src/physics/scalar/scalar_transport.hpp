/// Transport of a scalar by a flow, with P1 values.
#pragma once

#include <optional>

#include "model/solver_advice.hpp"
#include "model/time_scheme.hpp"
#include "operators/dual_fluxes.hpp"
#include "physics/flow/boundary/boundary_faces.hpp"
#include "physics/nodal/nodal_diffusion.hpp"
#include "physics/scalar/flux_limiter.hpp"
#include "physics/scalar/scalar_matrices.hpp"
#include "physics/scalar/scalar_system.hpp"

namespace solenoid {

/// Value that a flux between two nodes carries: their mean, second order; the upstream value, first order; or as much
/// of the mean as stays within the range of the neighbouring values (FluxLimiter).
enum class ScalarConvection { central, upwind, limited };

/// dT/dt + div(u T) = div(a grad T) + s, with the terms of heat conduction: `diffusion` has the diffusivity a [m^2/s]
/// as conductivity, a heat capacity of 1, and fluxes a dT/dn [unit of T m/s] at patches.
struct ScalarProblem {
  HeatProblem diffusion;
  std::vector<std::optional<Coefficient<real>>>
      inflow;  ///< by patch: value of entering fluid; nullopt: the value inside
  /// At its inlets the value of `diffusion` is prescribed where fluid enters; where fluid leaves, it has the value
  /// inside.
  std::optional<FlowBoundaries> flow{};
  std::vector<char> is_solid{};  ///< by volume group; empty: none
};

struct ScalarSettings {
  ScalarConvection convection = ScalarConvection::central;
  TimeScheme scheme = TimeScheme::second_order;
  SolveControl solver{"heat", 1e-8, 10000, PreconditionerKind::automatic, 0, heat_advice()};
};

/// P1 values, carried by fluxes between the nodes' median duals: central convection is that of linear elements
/// (Galerkin), with T.N T = 0; the consistent mass keeps its order on any mesh. The unknown of a step is the change D =
/// T' - T, with convection extrapolated in velocity and value, N* = N(U*)(T + e (T - T_old)):
///   (a/dt M + theta (K + H)) D = F - (K + H) T - N* + c/dt M (T - T_old)
/// BDF2: a, c of TimeCoefficients, theta = 1, e = r, the ratio of the steps. A limited scalar has a one-step scheme
/// (Crank-Nicolson and Adams-Bashforth): a = 1, c = 0, theta = 1/2, e = r/2, before its fluxes are limited; sources,
/// surroundings and outlets are then of first order in time. All terms act on differences of values: constants stay
/// constant bitwise.
class ScalarTransport : public NodalDiffusion {
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

  HeatBalance balance();  ///< of the last step. Collective.
  /// Residual of the last step with other matrices and loads: M dT/dt + (K + H) T - F, in the step's discretisation, at
  /// all owned nodes [unit of T m^3/s]. Collective.
  void compute_reaction(const ScalarMatrices& matrices, const Field<Node>& load, Field<Node>& reaction);
  real content() const;  ///< integral of T [unit of T m^3]. Collective.
  real rate_of_change() { return NodalDiffusion::rate_of_change(matrices_.lumped()); }
  /// For a limited or upwind scalar the shortest time [s] in which this flow refills a dual: shorter steps stay within
  /// the range of the neighbouring values. For a central one the step up to which its oscillations cannot grow.
  /// Infinite without flow. Collective.
  real longest_step(const DualFluxes& carrier) const;

  void visit_state(StateVisitor& visitor);  ///< see Model
  void state_restored();

  bool depends_on_time() const;

 private:
  bool inlets_turn() const;
  bool update_directions();
  void renew_unknowns();
  void resample();
  void sample_inflow();
  void take_step(real dt, const DualFluxes& carrier);
  InflowValues inflow() const { return {inflow_value_.data(), inflow_is_given_.data()}; }

  const NodePairs& pairs_;
  ScalarSettings settings_;
  real mass_factor_ = 0, implicit_ = 1, past_ = 0;  // a/dt, theta, c/dt of the last step
  bool given_may_jump_ = false;                     // prescribed values may differ from the restored state
  std::vector<std::optional<Coefficient<real>>> inflow_of_patch_;
  std::optional<FlowBoundaries> flow_;
  std::optional<BoundaryFaces> through_;  // if there is a flow

  ScalarMatrices matrices_;
  ScalarSystem system_;
  std::optional<FluxLimiter> limiter_;
  DeviceArray<real> inflow_value_, inflow_is_given_;

  Field<Node> spread_;      // the diagonal of K + H
  Field<Node> difference_;  // T - T_old before the last step
  Field<Node> carried_;     // the values that convection transports
  Field<Node> change_, forcing_;
  std::vector<real> carried_out_;  // through each patch in the last step
};

}  // namespace solenoid
