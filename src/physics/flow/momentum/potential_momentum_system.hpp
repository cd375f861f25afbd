/// The implicit half of the exact fractional step: momentum of the fluxes C s with their friction.
#pragma once

#include <optional>
#include <vector>

#include "operators/cell_curl.hpp"
#include "physics/flow/momentum/face_average_friction.hpp"

namespace solenoid {

/// R (alpha M + nu kappa K_0) C between potentials at edges, with K_0 of FaceAverageFriction, in three gathers: of cell
/// velocities, of their momentum and friction, and around edges. Or with K of RebuiltMomentum instead of kappa K_0; on
/// triangles with that alone.
class PotentialMomentumSystem {
 public:
  /// Refers to both, which must outlive it.
  PotentialMomentumSystem(const LocalMesh& mesh, const ImplicitFriction& friction,
                          const MemoryOf& = MemoryOf("system with friction"));

  /// Of the viscosity in K, for preconditioners, see ImplicitFriction.
  real mean_viscosity() const { return friction_.mean; }
  /// alpha [1/s], nu [m^2/s]. Collective.
  void apply(const Scalar<>& alpha, const Scalar<>& nu, Field<Edge>& s, Field<Edge>& product);
  bool only_launches() const { return !friction_.whole; }  ///< apply() on one rank, see cg
  /// Friction of U along the duals with the boundary at rest, per viscosity. Collective.
  void compute_friction(Field<Face>& flux, Field<Face>& along_duals);
  /// Approximate diagonal for alpha = 0, nu = 1, per owned edge. Collective.
  std::vector<real> friction_diagonal() const;

 private:
  void apply_in_plane(const Scalar<>& alpha, const Scalar<>& nu, Field<Edge>& s, Field<Edge>& product);

  const LocalMesh& mesh_;
  const ImplicitFriction& friction_;
  std::optional<CellCurl> curl_;  // in 3D
  Field<Cell, Vec3> velocity_;
  std::optional<Field<Face>> flux_, along_duals_;  // with K; in 3D allocated on first use
};

}  // namespace solenoid
