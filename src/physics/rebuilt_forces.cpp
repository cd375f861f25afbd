#include "physics/rebuilt_forces.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "physics/friction_ratio.hpp"

namespace solenoid {

namespace {

RebuiltMomentum::Terms terms_of(const FlowStepSettings& settings) {
  RebuiltMomentum::Terms terms;
  if (settings.diffusion == DiffusionForm::stress) terms.viscosity = settings.viscosity;
  if (settings.convection == ConvectionForm::skew) terms.convection = 1, terms.upwind = settings.upwind;
  return terms;
}

}  // namespace

RebuiltForces::RebuiltForces(const LocalMesh& mesh, const WideMesh& wide, const FlowBoundaries& boundaries,
                             const FlowStepSettings& settings)
    : has_friction_(settings.diffusion == DiffusionForm::stress),
      momentum_(mesh, wide, boundaries),
      terms_(terms_of(settings)),
      of_older_(terms_),
      forces_(mesh),
      forces_old_(mesh),
      along_(mesh) {
  if (!has_friction_) return;
  implicit_.emplace(mesh, boundaries);
  if (settings.implicit_factor) {
    implicit_factor_ = *settings.implicit_factor;
    return;
  }
  PotentialMomentum of_potentials(mesh, *implicit_, 1);
  const real ratio = largest_friction_ratio(mesh, boundaries, momentum_, of_potentials);
  constexpr real most = 1.1;    // of 4/3: where cells differ much the ratio is found to be less than it is
  constexpr real least = 0.75;  // serves all that K_0 has itself
  constexpr real rounding = 8;  // so that partitions find the same
  implicit_factor_ = std::max(least, std::ceil(ratio / most * rounding) / rounding);
}

void RebuiltForces::take(Exchanged<Face> flux, bool keeps_older) {
  if (!keeps_older) std::swap(forces_, forces_old_);
  momentum_.find(flux, terms_, forces_);
  of_older_ = terms_;
}

void RebuiltForces::take_restored(Exchanged<Face> flux) {
  const bool is_of_this = of_older_.viscosity == terms_.viscosity && of_older_.convection == terms_.convection &&
                          of_older_.upwind == terms_.upwind;
  take(flux, true);
  if (!is_of_this) forces_old_.copy_from(forces_);
}

void RebuiltForces::add_expected(real older, Field<Face>& along_faces) const {
  along_faces = along_faces + (1 - older) * forces_ + older * forces_old_;
}

void RebuiltForces::find_friction(Exchanged<Face> flux, Field<Face>& along_faces) {
  momentum_.find(flux, {.viscosity = 1}, along_faces);
}

RebuiltForces::ConvectionPowers RebuiltForces::convection_powers(Field<Face>& flux) {
  momentum_.find(halo(flux), {.convection = terms_.convection}, along_);
  ConvectionPowers powers{.boundary = dot(flux, along_)};
  if (terms_.upwind > 0) {
    momentum_.find(halo(flux), {.upwind = terms_.upwind}, along_);
    const real given = momentum_.boundary_power();
    powers.jumps = dot(flux, along_) + given;
    powers.boundary -= given;
  }
  return powers;
}

void RebuiltForces::add_tractions(Exchanged<Face> flux, BoundaryField<Vec3>& tractions) {
  momentum_.find(flux, terms_, along_);
  momentum_.add_tractions(tractions);
}

Vec3 RebuiltForces::weighted(Exchanged<Face> flux, const BodyWeight& weight) {
  momentum_.find(flux, terms_, along_);
  return momentum_.weighted(weight);
}

RebuiltForces::Powers RebuiltForces::powers(Field<Face>& flux) {
  momentum_.find(halo(flux), {.viscosity = terms_.viscosity}, along_);
  const real boundary = momentum_.boundary_power();
  return {dot(flux, along_) + boundary, boundary};
}

void RebuiltForces::visit_state(StateVisitor& visitor) {
  visitor.number("rebuilt_viscosity", of_older_.viscosity);
  visitor.number("rebuilt_convection", of_older_.convection);
  visitor.number("rebuilt_upwind", of_older_.upwind);
  if (!visitor.field("rebuilt_forces_old", forces_old_)) of_older_ = {.viscosity = -1};
}

}  // namespace solenoid
