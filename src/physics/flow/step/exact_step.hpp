/// The exact fractional step in 2D: fluxes are curls of a rounded stream function, divergence-free in bits.
#pragma once

#include "physics/flow/momentum/vorticity_momentum_system.hpp"
#include "physics/flow/solenoidal/pressure.hpp"
#include "physics/flow/step/flow_step.hpp"

namespace solenoid {

/// Exact fractional step (Chang, Giraldo & Perot 2002; thesis eq. 7.14-7.17) with BDF2 in time, extrapolated convection
/// and the rotational viscous force nu M C omega, omega = W^-1 (R M U + b). With U = C s, L = R M C, n the convection
/// of cells and S p the pressure of outlets:
///   (a/dt) L s' + nu L W^-1 (L s' + b) = -L (a1 s + a2 s_old)/dt - R (I^T V n + S p).
/// Along walls and inlets s follows from the prescribed fluxes, up to one unknown for each connected component of them,
/// see BoundaryStreamFunction. W^-1 = 0 on planes of symmetry and far fields.
class ExactStep : public FlowStep {
 public:
  /// The fluid is at rest at `time` [s]; with prescribed inflow start_from_rest() or project() comes first. Collective.
  /// Throws a collective Error where the mesh is not 2D, a wall moves fluid through itself, or prescribed fluxes do not
  /// balance. `wide`: for convection of third order alone. Refers to both meshes, which must outlive it.
  ExactStep(const LocalMesh& mesh, const FlowStepSettings& settings, FlowBoundaries boundaries, real time,
            const WideHaloMesh* wide = nullptr);

  /// Starts from the divergence-free field nearest to these face fluxes: L s = R M U. Collective.
  void project(Field<Face>& flux) override;
  void build_systems() override;
  void visit_state(StateVisitor& visitor) override;
  void state_restored() override;

  Field<Edge>& stream_function() override { return potential_; }

 private:
  ExactStep(const LocalMesh& mesh, const FlowStepSettings& settings, FlowBoundaries boundaries, real time,
            const WideHaloMesh* wide, const MatrixRows& laplacian);
  void solve_step(real dt, Field<Face>& explicit_part) override;
  void revert_flux() override;
  void copy_prescribed_fluxes(Field<Face>& flux) override;
  bool drives_pairs_anew() const override { return false; }
  void compute_circulation(Field<Edge>& circulation) override;
  void compute_rate(Field<Face>& explicit_part, Field<Face>& rate, Field<Cell>& pressure) override;
  void compute_pressure(Field<Face>& momentum, Field<Cell>& pressure) override;
  PressureSystem& pressure_system() override { return recovery_; }
  void solve_for_potential(const std::vector<real>& of_jumps, Field<Edge>& potential, std::vector<real>& jumps);
  std::vector<real> right_sides_of_jumps(const Field<Face>& along_duals, const Field<Edge>& potential,
                                         const std::vector<real>& jumps) const;
  void set_flux();

  PrescribedPotential& given_;
  Field<Edge>& inverse_mass_;     // W^-1, 0 where there is no vorticity
  SparseMatrix<Edge> laplacian_;  // L = R M C (cotangent weights)
  Space<Edge> unknowns_;
  LinearSystem<Edge> potential_system_;  // L
  VorticityMomentumSystem implicit_;
  PressureSystem recovery_;
  Field<Edge> potential_, potential_old_, potential_begun_, offset_old_, right_side_, work_;
  JumpUnknowns free_jumps_, free_jumps_of_potential_;  // of a step's system, and of L
  std::vector<real> jumps_, jumps_old_, jumps_begun_;  // of the potential over periodic pairs
  bool has_flux_ = false, has_potential_ = false;      // in a restored state
};

}  // namespace solenoid
