/// Flux limiter that keeps a transported scalar within the range of the values around it.
#pragma once

#include "operators/dual_fluxes.hpp"
#include "physics/scalar/scalar_system.hpp"

namespace solenoid {

/// Flux-corrected transport (Zalesak 1979; of finite elements Kuzmin & Turek 2002). A step of low order, upwind and
/// with the conductances alone that draw values together,
///   (W/dt + K+ + H)(T_low - T) = F - (K+ + H) T - N_up(U*) T,
/// has no value beyond those around it where the step is no longer than a flow takes to fill a dual. What the step of
/// high order moves besides, from node to node, is added as far as each node stays within what T_low and T are at it
/// and its neighbours. All that moves leaves one node for another: the content is kept to round-off.
class FluxLimiter {
 public:
  /// All outlive the limiter. Collective.
  FluxLimiter(const Space<Node>& unknowns, const NodePairs& pairs, const DiffusionData& data);

  /// A step of high order over dt [s].
  struct Step {
    real dt, implicit;          ///< theta
    const DualFluxes& carrier;  ///< U*
    const InflowValues& inflow;
    const ScalarMatrices& matrices;
    const Field<Node>& load;  ///< F
    Field<Node>& values;      ///< T
    Field<Node>& carried;     ///< what convection of high order takes values of
  };
  /// Replaces `change`, T' - T of high order, and T' given at prescribed nodes. Collective; throws as cg does.
  SolveReport limit(const Step& step, Field<Node>& change, const SolveControl& control);

  void set_exchange(const DiffusionData& data);  ///< as it is now
  void renew_unknowns();                         ///< after a change of the space, or of all of the state. Collective.

  /// Of the last step: T_low, whose heat goes through the boundary, and what prescribed nodes took besides in a second,
  /// 0 elsewhere.
  Field<Node>& low_values() { return low_; }
  const Field<Node>& reaction() const { return reaction_; }

  void visit_state(const std::string& name, StateVisitor& visitor) { low_system_.visit_state(name, visitor); }
  void reserve(real dt, PreconditionerKind wanted);  ///< Takes all the memory that limit() does. Collective.

 private:
  void set_unknowns();
  void compute_low_order(const Step& step, const Field<Node>& change, const SolveControl& control, SolveReport& report);

  const Space<Node>& unknowns_;
  const NodePairs& pairs_;
  ScalarMatrices monotone_;
  ScalarSystem low_system_;
  Field<Node> is_unknown_;  // 1; 0 where prescribed
  Field<Node> low_change_, low_, right_side_, work_, reaction_;
  Field<NodePair> excess_;                    // what goes from a pair's first node to the other beyond the low order
  Field<Node> share_rising_, share_falling_;  // of what comes to a node or leaves it the part that it stands
};

}  // namespace solenoid
