#include "physics/potential_momentum.hpp"

#include "operators/interpolation.hpp"

namespace solenoid {

PotentialMomentum::PotentialMomentum(const LocalMesh& mesh, FaceAverageFriction& friction, real factor)
    : mesh_(mesh), friction_(friction), factor_(factor), curl_(mesh), velocity_(mesh) {}

void PotentialMomentum::apply(real alpha, real nu, Field<Edge>& s, Field<Edge>& product) {
  curl_.find(halo(s), velocity_);
  curl_.circulate(halo(friction_.add_to_mass(alpha, factor_ * nu, halo(velocity_))), product);
}

void PotentialMomentum::take_friction(Field<Face>& flux, Field<Face>& along_duals) {
  interpolate(halo(flux), velocity_);
  integrate(halo(friction_.add_to_mass(0, factor_, halo(velocity_))), along_duals);
}

std::vector<real> PotentialMomentum::friction_diagonal() const {
  std::vector<real> diagonal = squares_of_curls(mesh_, friction_.conductance_of_cells());
  for (real& value : diagonal) value *= factor_;
  return diagonal;
}

}  // namespace solenoid
