/// Flux limiter that keeps a transported scalar within the range of the values around it.
#pragma once

#include "operators/dual_fluxes.hpp"
#include "physics/scalar/scalar_system.hpp"

namespace solenoid {

/// Flux-corrected transport (Zalesak 1979; for finite elements Kuzmin & Turek 2002). A low-order step, upwind and with
/// the positive conductances only,
///   (W/dt + K+ + H)(T_low - T) = F - (K+ + H) T - N_up(U*) T,
/// has no value outside the range of the neighbouring ones, if the step is no longer than the flow takes to refill a
/// dual. The remaining nodal fluxes of the high-order step are added as far as each node stays within the range of
/// T_low and T at it and its neighbours. Each flux leaves one node for another: the content is conserved to round-off.
class FluxLimiter {
 public:
  /// All outlive the limiter. Collective.
  FluxLimiter(const Space<Node>& unknowns, const NodePairs& pairs, const DiffusionData& data);

  /// A high-order step over dt [s].
  struct Step {
    real dt, implicit;          ///< theta
    const DualFluxes& carrier;  ///< U*
    const InflowValues& inflow;
    const ScalarMatrices& matrices;
    const Field<Node>& load;  ///< F
    Field<Node>& values;      ///< T
    Field<Node>& carried;     ///< the values that high-order convection transports
  };
  /// Limits `change`: on entry the high-order T' - T, with the prescribed T' at prescribed nodes. Collective; throws as
  /// cg does.
  SolveReport limit(const Step& step, Field<Node>& change, const SolveControl& control);

  void set_exchange(const DiffusionData& data);  ///< from the present data
  void renew_unknowns();                         ///< after a change of the space, or of the whole state. Collective.

  /// Of the last step: T_low, which defines the diffusive flux through the boundary, and the reaction of prescribed
  /// nodes to the remaining fluxes per second, 0 elsewhere.
  Field<Node>& low_values() { return low_; }
  const Field<Node>& reaction() const { return reaction_; }

  void visit_state(const std::string& name, StateVisitor& visitor) { low_system_.visit_state(name, visitor); }
  void reserve(real dt, PreconditionerKind wanted);  ///< Allocates all memory of limit(). Collective.

 private:
  void set_unknowns();
  void compute_low_order(const Step& step, const Field<Node>& change, const SolveControl& control, SolveReport& report);

  const Space<Node>& unknowns_;
  const NodePairs& pairs_;
  ScalarMatrices monotone_;
  ScalarSystem low_system_;
  Field<Node> is_unknown_;  // 1; 0 where prescribed
  Field<Node> low_change_, low_, right_side_, work_, reaction_;
  Field<NodePair> excess_;                    // flux from a pair's first node to the other beyond the low order
  Field<Node> share_rising_, share_falling_;  // admissible fractions of the inflow to a node and its outflow
};

}  // namespace solenoid
