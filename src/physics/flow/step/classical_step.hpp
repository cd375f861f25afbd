/// The classical fractional step: momentum with the last pressure, then a pressure correction that removes the
/// divergence.
#pragma once

#include "physics/flow/momentum/flux_momentum_system.hpp"
#include "physics/flow/solenoidal/prescribed_fluxes.hpp"
#include "physics/flow/solenoidal/pressure.hpp"
#include "physics/flow/step/flow_step.hpp"
#include "physics/flow/step/slowed_pressure.hpp"

namespace solenoid {

/// Classical fractional step (thesis eq. 7.9-7.13; incremental pressure correction, Van Kan 1986) with BDF2 in time,
/// extrapolated convection and the rotational viscous force; or FaceAverageFriction instead of K and b, without w; or
/// the extrapolated forces of RebuiltForces and kappa K_0 (U* - U^e), U^e the extrapolated fluxes, or all of its K,
/// with kappa w. With Raviart and Thomas's mass M, the diagonal metric W = sigma A/L of the pressure and K = M C W_n^-1
/// R M:
///   (a/dt M + nu K + nu D^T (w/V) D) U* = -M (a1 U + a2 U_old)/dt - I^T V n - S p_out - nu M C W_n^-1 b - G p - (I - M
///   W) G phi_old
///                        + nu/2 dt/a K W G phi_old
///   -D W G phi = -a/dt D U*,  U' = U* - dt/a W G phi,  p' = p + phi - nu w/V D U*,
/// w of divergence_friction.
/// The difference of the two metrics is extrapolated by the last correction phi_old: without it the step would be of
/// first order. So is half of the correction's friction. In 3D W_n^-1 is B of EdgeVorticity. Further passes repeat the
/// two equations, each with a phi_old of its own. After a kink in time of the prescribed values passes without phi_old
/// follow until the pressure has settled. SpanningTreeProjection removes the divergence that the solver's tolerance
/// leaves: D U = 0 in bits.
///
/// Porous zones slow the flow by R u - f of PorousDrag: the mass M of all but the history of momentum is M + FluxDrag /
/// a dt, and W sigma A/L alpha/(alpha + R), see SlowedPressure. Cell by cell the one is at least 1/2, in space 1/3, of
/// the inverse of the other over sigma, as without R, so that steps of any length and resistance are stable.
class ClassicalStep : public FlowStep {
 public:
  /// The fluid is at rest at `time` [s], and without pressure; with prescribed inflow start_from_rest() or project()
  /// comes first. Collective. Throws a collective Error where a wall moves fluid through itself, or prescribed fluxes
  /// do not balance. `wide`: for convection of third order in 2D, and rebuilt velocities. Refers to both meshes, which
  /// must outlive it.
  ClassicalStep(const LocalMesh& mesh, const FlowStepSettings& settings, FlowBoundaries boundaries, real time,
                const WideHaloMesh* wide = nullptr);

  /// Starts from the divergence-free field nearest to these face fluxes in the norm of M. Collective.
  void project(Field<Face>& flux) override;
  void build_systems() override;
  void visit_state(StateVisitor& visitor) override;
  void state_restored() override;

 private:
  std::vector<real> solve_step(real dt, Field<Face>& explicit_part) override;
  void implicit_friction_changed() override { implicit_.friction_changed(); }
  void viscosity_changed() override;
  void compute_circulation(Field<Edge>& circulation) override;
  void compute_rate(Field<Face>& explicit_part, Field<Face>& rate, Field<Cell>& pressure) override;
  void compute_pressure(Field<Face>& momentum, Field<Cell>& pressure) override;

  enum class FirstGuess { zero, past };
  struct Metric {  // of a correction
    PressureSystem& system;
    const DrivingPressures* driving;  // null where nothing is driven
  };
  Metric plain_metric();
  Metric metric_of_step();
  std::vector<real> pressures_at_outlets() const;
  void forget_corrections();
  Pending<Sums<1>> solve_passes(real dt, const Field<Face>& explicit_part);
  bool is_sudden(Pending<Sums<1>> of_first_pass);
  void settle(real dt, const Field<Face>& explicit_part, real enough);
  void solve_pass(real dt, const Field<Face>& explicit_part, DroppingPressure& correction, FirstGuess guess);
  void compute_momentum(real dt, const Field<Face>& explicit_part, DroppingPressure& correction_old);
  void compute_friction(Field<Face>& flux);
  void compute_gradient(DroppingPressure& pressure, Field<Face>& gradient);
  using OutletConditions = std::vector<std::optional<OutletCondition>>;
  void correct(const Metric& metric, real factor, const DrivingPressures::Wanted& wanted, Field<Face>& flux,
               DroppingPressure& correction, SolveControl control, FirstGuess guess);
  void make_solenoidal(const Field<Face>& along, const std::vector<real>& through_pairs,
                       const OutletConditions& at_outlets, real tolerance, Field<Face>& flux,
                       DroppingPressure& multiplier);
  void round_and_balance(real largest, Field<Face>& flux);

  Space<Face> unknowns_;
  Field<Cell> friction_of_divergence_;  // w/V, see divergence_friction; times the relative viscosity if that varies
  std::optional<Field<Cell>> friction_at_one_viscosity_;  // then without it
  std::optional<FluxDrag> flux_drag_;                     // of porous zones
  std::optional<SlowedPressure> slowed_;                  // then
  FluxMomentumSystem implicit_;
  real projection_scaling_;                          // sigma
  DroppingPressure step_pressure_{mesh_, outlets_};  // on outlets the change in a step
  std::vector<DroppingPressure> corrections_;        // phi of each pass, over the span of the history
  DroppingPressure unkept_{mesh_, outlets_};         // phi_old of a pass, or phi of one that expects none
  real usual_surprise_ = -1;                         // [m^2/s^2]; less than 0: not known
  Field<Cell> divergence_{mesh_};                    // D U* times a factor
  Field<Face> rate_{mesh_};                          // what M multiplies: of change, and the friction of curls
  Field<Face> along_duals_{mesh_};                   // any other friction, or M U
  Field<Face> gradient_{mesh_}, right_side_{mesh_}, increment_{mesh_};
  Field<Edge> vorticity_{mesh_};
  bool has_pressure_ = false;  // in a restored state
};

}  // namespace solenoid
