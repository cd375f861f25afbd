#include "physics/flow/momentum/potential_momentum_system.hpp"

#include "field/assign.hpp"
#include "operators/interpolation.hpp"
#include "physics/flow/momentum/rebuilt_momentum.hpp"

namespace solenoid {

PotentialMomentumSystem::PotentialMomentumSystem(const LocalMesh& mesh, const ImplicitFriction& friction,
                                                 const MemoryOf& /*scope*/)
    : mesh_(mesh), friction_(friction), velocity_(mesh) {
  if (mesh.dimension() == 3) {
    curl_.emplace(mesh);
  } else {
    flux_.emplace(mesh), along_duals_.emplace(mesh);
  }
}

void PotentialMomentumSystem::apply(const Scalar<>& alpha, const Scalar<>& nu, Field<Edge>& s, Field<Edge>& product) {
  if (!curl_) return apply_in_plane(alpha, nu, s, product);
  curl_->compute(halo(s), velocity_);
  if (!friction_.whole) {
    const Scalar<> implicit = friction_.factor * nu;
    return curl_->circulate(halo(friction_.differences.add_to_mass(alpha, implicit, halo(velocity_))), product);
  }
  velocity_ = alpha * velocity_;
  curl_->circulate(halo(velocity_), product);
  if (!flux_) flux_.emplace(mesh_), along_duals_.emplace(mesh_);
  *flux_ = mesh_.C * halo(s);
  compute_friction(*flux_, *along_duals_);
  product = product + nu * (mesh_.R * halo(*along_duals_));
}

/// By fluxes and their circulation, with RebuiltMomentum's friction alone.
void PotentialMomentumSystem::apply_in_plane(const Scalar<>& alpha, const Scalar<>& nu, Field<Edge>& s,
                                             Field<Edge>& product) {
  *flux_ = mesh_.C * halo(s);
  interpolate(halo(*flux_), velocity_);
  velocity_ = alpha * velocity_;
  integrate(halo(velocity_), *along_duals_);
  product = mesh_.R * halo(*along_duals_);
  compute_friction(*flux_, *along_duals_);
  product = product + nu * (mesh_.R * halo(*along_duals_));
}

void PotentialMomentumSystem::compute_friction(Field<Face>& flux, Field<Face>& along_duals) {
  if (friction_.whole) return friction_.whole->compute(halo(flux), {.viscosity = 1, .at_rest = true}, along_duals);
  interpolate(halo(flux), velocity_);
  integrate(halo(friction_.differences.add_to_mass(0, friction_.factor, halo(velocity_))), along_duals);
}

std::vector<real> PotentialMomentumSystem::friction_diagonal() const {
  std::vector<real> diagonal = squares_of_curls(mesh_, friction_.differences.conductance_of_cells());
  for (real& value : diagonal) value *= friction_.factor;
  return diagonal;
}

}  // namespace solenoid
