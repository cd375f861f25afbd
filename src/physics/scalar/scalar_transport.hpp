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

/// Where a scalar comes from and goes to in a step [unit of T m^3/s]; in 2D per metre of depth.
struct ScalarBalance {
  std::vector<real> through;  ///< each patch, into the fluid: by diffusion, and with what flows in less what flows out
  real source = 0;            ///< of the volume sources
  real stored = 0;            ///< taken up

  real imbalance() const;  ///< what enters and is not stored: what the linear solver left over
  real supplied() const;   ///< all that comes from somewhere
};

/// Linear on each cell, carried by fluxes between the nodes' median duals: central convection is that of linear
/// elements (Galerkin), with which T.N T = 0, and whose consistent mass keeps its order on any mesh. A step is for its
/// change D = T' - T, with what is carried extrapolated in velocity and value, N* = N(U*)(T + e (T - T_old)):
///   (a/dt M + theta (K + H)) D = F - (K + H) T - N* + c/dt M (T - T_old)
/// BDF2: a, c of TimeCoefficients, theta = 1, e = r, the ratio of the steps. A limited scalar takes one step at a time
/// (Crank-Nicolson and Adams-Bashforth): a = 1, c = 0, theta = 1/2, e = r/2, before its fluxes are limited; what
/// sources, surroundings and outlets do then is of first order in time. Everything stands in differences of values:
/// what is constant stays so in bits.
class ScalarTransport {
 public:
  /// Without values at first, at `time` [s]. Refers to `pairs`. Collective; throws a collective Error where a quantity
  /// of the problem does.
  ScalarTransport(const NodePairs& pairs, ScalarProblem problem, const ScalarSettings& settings, real time);

  /// Starts from these values, but for nodes where they are given. Collective.
  void set_values(const Coefficient<real>& initial);

  /// Starts so at `time` [s]: of who is new to a state that was brought back. Collective.
  void begin_at(real time, const Coefficient<real>& initial);

  /// What a flow is extrapolated to for a step of dt [s]: to its end, or to its middle. 0: not at all.
  real extrapolation(real dt) const;
  /// Advances by dt [s], carried by the flow's fluxes as extrapolation() says. Collective. Throws a collective Error
  /// (exit code 1) when the solver fails; the values and time() are those of the last step then.
  void advance(real dt, const DualFluxes& carrier);
  /// Goes back to before the last step, to look at it: nothing can advance from there. Collective.
  void revert_step();
  /// Takes all the memory that steps do. Collective.
  void build_system(real dt);

  Field<Node>& values() { return values_; }
  Field<Cell, Vec3>& flux();  ///< -a grad T [unit of T m/s] on each owned cell. Collective.

  ScalarBalance balance();  ///< of the last step. Collective.
  /// What the last step leaves over of other matrices and loads: M dT/dt + (K + H) T - F, as the step has it, at all
  /// owned nodes [unit of T m^3/s]. Collective.
  void compute_reaction(const ScalarMatrices& matrices, const Field<Node>& load, Field<Node>& reaction);
  real content() const;  ///< integral of T [unit of T m^3]. Collective.
  struct Range {
    real low, high;
  };
  Range range() const;  ///< Collective.
  /// ||T' - T||_2 / (dt sqrt(V)) of the last step over the range of all values and data so far [1/s]. Collective.
  real rate_of_change();
  /// Of a limited or upwind scalar the shortest time in which this flow fills a dual anew: a step of no more keeps to
  /// the range of the values around. Of a central one what keeps its swings from growing. Infinite where nothing flows
  /// [s]. Collective.
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
  bool given_may_jump_ = false;                     // what is given may be other than the state that was restored
  DiffusionData data_;
  TemperatureBounds met_;  // values of the steps so far
  std::vector<std::optional<Coefficient<real>>> inflow_of_patch_;
  std::optional<FlowBoundaries> flow_;
  std::optional<BoundaryFaces> through_;  // where there is a flow

  Space<Node> unknowns_;
  DeviceArray<int> prescribed_;  // owned nodes
  PatchHeat patch_flux_;
  P1Gradient gradient_;
  ScalarMatrices matrices_;
  ScalarSystem system_;
  std::optional<FluxLimiter> limiter_;
  DeviceArray<real> inflow_value_, inflow_is_given_;

  Field<Cell> diffusivity_;
  Field<Node> load_, given_, spread_;  // F; the values that are given; the diagonal of K + H
  Field<Node> values_, values_old_;
  Field<Node> difference_;  // T - T_old before the last step
  Field<Node> carried_;     // what convection takes values of
  Field<Node> change_, forcing_, work_;
  std::vector<real> carried_out_;  // through each patch, in the last step
  Field<Cell, Vec3> flux_;
  SolveLog solves_;
};

}  // namespace solenoid
