/// The exact fractional step: fluxes that grow by curls of potentials and harmonic fluxes, divergence-free in bits.
#pragma once

#include <utility>

#include "base/phases.hpp"
#include "physics/flow/momentum/vorticity_momentum_system.hpp"
#include "physics/flow/solenoidal/solenoidal_space.hpp"
#include "physics/flow/step/flow_step.hpp"
#include "physics/flow/step/outlet_response.hpp"

namespace solenoid {

/// Exact fractional step (Chang, Giraldo & Perot 2002; thesis eq. 7.14-7.17) on triangles and tetrahedra, with BDF2 in
/// time. The increment of a step, dU = C s + sum_k c_k H_k of SolenoidalSpace, is divergence-free for any s and c, and
/// the pressure drops out of their equations:
///   Z^T (a/dt M + nu K') dU = -Z^T (M (a1 U + a2 U_old + a U)/dt + I^T V n + S p + nu M C (B (R M U + b) + omega'))
/// with Z = [C H], K' = M C B R M, n the convection of cells, S p the pressure of outlets, and B, omega' of
/// EdgeVorticity: the friction of B is implicit, the rest extrapolated. In 2D B = W^-1, which is 0 on planes of
/// symmetry and far fields, omega' = 0, and R M C are the cotangent weights. With RebuiltForces (3D) K' is kappa K_0,
/// and the last two terms are its extrapolated forces and nu kappa K_0 (U - U*), U* the extrapolated fluxes, or all of
/// K is implicit. R M C is assembled.
///
/// Where prescribed fluxes change in time a step begins from fluxes that satisfy them: in 2D by the change of the
/// stream function along the boundary, in 3D and where that has jumps by a Poisson solve and SpanningTreeProjection;
/// HarmonicFluxes carry the prescribed fluxes through pairs.
class ExactStep : public FlowStep {
 public:
  /// The fluid is at rest at `time` [s]; with prescribed inflow start_from_rest() or project() comes first. Collective.
  /// Throws a collective Error where a wall moves fluid through itself, prescribed fluxes do not balance, or the
  /// harmonic fluxes of the domain cannot be determined. `wide`: see FlowStep. Refers to both meshes, which must
  /// outlive it.
  ExactStep(const LocalMesh& mesh, const FlowStepSettings& settings, FlowBoundaries boundaries, real time,
            const WideHaloMesh* wide = nullptr);

  /// Starts from the divergence-free field nearest to these face fluxes in the norm of M. Collective.
  void project(Field<Face>& flux) override;
  void build_systems() override;
  void visit_state(StateVisitor& visitor) override;
  void state_restored() override;

 private:
  ExactStep(const LocalMesh& mesh, const FlowStepSettings& settings, FlowBoundaries boundaries, real time,
            const WideHaloMesh* wide, const MatrixRows& curl_curl);
  std::vector<real> solve_step(real dt, Field<Face>& explicit_part) override;
  void implicit_friction_changed() override {
    implicit_.friction_changed();
    response_.forget();
  }
  void compute_circulation(Field<Edge>& circulation) override;
  void compute_rate(Field<Face>& explicit_part, Field<Face>& rate, Field<Cell>& pressure) override;
  void compute_pressure(Field<Face>& momentum, Field<Cell>& pressure) override;

  bool adds_circulations() const;
  void circulate(Field<Cell, Vec3>& velocity, Circulation& circulation);
  void circulate_forces(Field<Face>& explicit_part, Field<Face>& flux, const Field<Edge>& circulation);
  bool impose_changes();
  void compute_defect(real alpha, real earlier, const Circulation& begun);
  void add_circulation(const Circulation& begun);
  std::vector<real> expect_outlets(real dt, Field<Face>& explicit_part) const;
  void satisfy_outlets(real dt, std::vector<real>& pressures);
  std::vector<real> change_for_given_fluxes(bool at_rest, const Field<Face>& flux);
  void set_boundary_potential();
  void impose_given(Field<Face>& flux, real tolerance);
  std::vector<real> solve_tightly(Circulation* of_flux, Field<Edge>& potential);

  Stopwatch setup_;  // of the space
  SolenoidalSpace space_;
  std::optional<PotentialMomentumSystem> with_friction_;
  std::optional<PotentialDrag> potential_drag_;
  VorticityMomentumSystem implicit_;
  OutletResponse response_{outlets_};
  Circulation circulation_now_, circulation_old_, circulation_begun_, circulation_of_forces_, right_side_;
  Field<Face> along_duals_;
  Field<Cell, Vec3> cells_;
  Field<Edge> increment_, vorticity_;  // vorticity_: scratch, too
  // In 2D s on the boundary, on the grid of the fluxes, where its change is that of all prescribed fluxes.
  std::optional<Field<Edge>> boundary_potential_;
  bool is_circulation_known_ = false;  // circulation_now_ is that of the state before it is computed
  bool has_circulations_ = false, has_boundary_potential_ = false;  // in a restored state
  real circulation_scale_ = 0;  // the largest flux since circulation_now_ was computed from it
};

}  // namespace solenoid
