#include "physics/flow/momentum/rebuilt_forces.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "physics/flow/boundary/outlet_inflow.hpp"
#include "physics/flow/momentum/friction_ratio.hpp"

namespace solenoid {

namespace {

RebuiltMomentum::Terms terms_of(const FlowStepSettings& settings) {
  RebuiltMomentum::Terms terms;
  if (settings.diffusion == DiffusionForm::stress) terms.viscosity = settings.viscosity;
  if (settings.viscosity_varies()) terms.open = settings.viscosity;
  if (settings.convection == ConvectionForm::skew) terms.convection = 1, terms.upwind = settings.upwind;
  terms.eddies = settings.eddies.has_value();
  return terms;
}

/// sum_f A/L over V that one of a hundred cells exceeds [1/m^2]. Collective.
real fast_rate(const LocalMesh& mesh, const FaceAverageFriction& differences) {
  const std::vector<real> of_cells = differences.conductance_of_cells();
  std::vector<real> rates;
  for (int c = 0; c < mesh.owned<Cell>(); ++c) rates.push_back(of_cells[c] / mesh.geometry().cell_volume[c]);
  std::sort(rates.begin(), rates.end());
  const std::int64_t few = mesh.global_count<Cell>() / 100;
  real low = 0, high = mesh.comm().max(rates.empty() ? 0 : rates.back());
  while (true) {
    const real middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return high;
    const auto above = rates.end() - std::upper_bound(rates.begin(), rates.end(), middle);
    (mesh.comm().sum(static_cast<std::int64_t>(above)) > few ? low : high) = middle;
  }
}

}  // namespace

RebuiltForces::RebuiltForces(const LocalMesh& mesh, const WideHaloMesh& wide, const FlowBoundaries& boundaries,
                             const FlowStepSettings& settings)
    : has_friction_(settings.diffusion == DiffusionForm::stress),
      viscosity_varies_(settings.viscosity_varies()),
      is_implicit_given_(viscosity_varies_ ? true
                         : settings.eddies ? false
                                           : settings.all_implicit),
      model_(settings.eddies),
      momentum_(mesh, wide, boundaries,
                viscosity_varies_ ? RebuiltMomentum::Stress::symmetric : RebuiltMomentum::Stress::gradient),
      terms_(terms_of(settings)),
      explicit_(terms_),
      of_older_(terms_),
      forces_(mesh),
      forces_old_(mesh),
      along_(mesh) {
  if (has_convection() && !has_directed_inflow(mesh, boundaries)) forces_older_.emplace(mesh);
  if (!has_friction_) return;
  differences_.emplace(mesh, boundaries);
  implicit_.emplace(ImplicitFriction{*differences_});
  if (model_) {
    momentum_.set_eddies(*model_);
    eddies_.emplace(mesh, *differences_);
  }
  if (viscosity_varies_) {
    set_implicit(true);
    return;
  }
  fast_rate_ = fast_rate(mesh, *differences_);
  if (settings.implicit_factor) {
    implicit_->factor = *settings.implicit_factor;
    return;
  }
  PotentialMomentumSystem of_potentials(mesh, *implicit_);
  constexpr real most = 1.1;    // of 6/5: the computed ratio may be 7 % too low
  constexpr real least = 0.75;  // suffices for modes of K_0 itself
  constexpr real rounding = 8;  // so that partitions agree
  const real ratio = largest_friction_ratio(mesh, boundaries, momentum_, of_potentials);
  implicit_->factor = std::max(least, std::ceil(ratio / most * rounding) / rounding);
}

void RebuiltForces::set_implicit(bool whole) {
  implicit_->whole = whole ? &momentum_ : nullptr;
  explicit_.viscosity = whole ? 0 : terms_.viscosity;
}

bool RebuiltForces::choose_implicit(real dt, Exchanged<Face> flux) {
  if (!has_friction_ || viscosity_varies_) return false;
  constexpr real from = 12, until = from / 2;  // beyond, the steps after a jerk show errors of the expected K
  const real in_step = terms_.viscosity * dt * fast_rate_;
  const bool is_long = is_friction_implicit() ? in_step > until : in_step >= from;
  if (is_implicit_given_.value_or(is_long) == is_friction_implicit()) return false;
  const bool was_implicit = is_friction_implicit();
  along_.copy_from(forces_);
  set_implicit(!was_implicit);
  update(flux, true);
  if (was_implicit) {
    forces_old_ = forces_old_ + forces_ - along_;
  } else {
    forces_old_.copy_from(forces_);
  }
  knows_older_friction_ = knows_oldest_ = false;
  return true;
}

void RebuiltForces::update(Exchanged<Face> flux, bool keeps_older) {
  if (!keeps_older) {
    if (forces_older_) std::swap(forces_old_, *forces_older_);
    std::swap(forces_, forces_old_);
    knows_oldest_ = takes_three() && knows_older_friction_;
    knows_older_friction_ = true;
  }
  RebuiltMomentum::Terms terms = explicit_;
  terms.dissipates = true;
  momentum_.compute(flux, terms, forces_);
  of_older_ = explicit_;
  kind_of_older_ = kind_of_model();
  constant_of_older_ = model_ ? model_->constant : 0;
  if (eddies_) eddies_->update(momentum_.eddy_viscosity());
}

void RebuiltForces::choose_stabiliser(real dt) {
  if (eddies_) stabiliser_ = eddies_->viscosity(dt, implicit_->factor);
}

void RebuiltForces::restart_from(Exchanged<Face> flux) {
  const bool is_of_this = of_older_.viscosity == explicit_.viscosity && of_older_.convection == explicit_.convection &&
                          of_older_.upwind == explicit_.upwind && of_older_.open == explicit_.open &&
                          kind_of_older_ == kind_of_model() && (!model_ || constant_of_older_ == model_->constant);
  update(flux, true);
  if (is_of_this) return;
  forces_old_.copy_from(forces_);
  knows_older_friction_ = knows_oldest_ = false;
}

void RebuiltForces::add_expected(const Extrapolation& expected, Field<Face>& along_faces) const {
  const auto [recent, older, oldest] = expected;
  if (oldest != 0) {
    along_faces = along_faces + recent * forces_ + older * forces_old_ + oldest * *forces_older_;
  } else {
    along_faces = along_faces + recent * forces_ + older * forces_old_;
  }
}

void RebuiltForces::compute_friction(Exchanged<Face> flux, Field<Face>& along_faces) {
  momentum_.compute(flux, {.viscosity = 1}, along_faces);
}

RebuiltForces::ConvectionPowers RebuiltForces::convection_powers(Field<Face>& flux) {
  momentum_.compute(halo(flux), {.convection = terms_.convection}, along_);
  ConvectionPowers powers{.boundary = dot(flux, along_)};
  if (terms_.upwind > 0) {
    momentum_.compute(halo(flux), {.upwind = terms_.upwind}, along_);
    const real given = momentum_.boundary_power();
    powers.jumps = dot(flux, along_) + given;
    powers.boundary -= given;
  }
  return powers;
}

void RebuiltForces::add_tractions(Exchanged<Face> flux, BoundaryField<Vec3>& tractions) {
  momentum_.compute(flux, terms_, along_);
  momentum_.add_tractions(tractions);
}

Vec3 RebuiltForces::weighted(Exchanged<Face> flux, const ForceTestFunction& weight) {
  momentum_.compute(flux, terms_, along_);
  return momentum_.weighted(weight);
}

RebuiltForces::Powers RebuiltForces::powers(Field<Face>& flux) {
  momentum_.compute(halo(flux), {.viscosity = terms_.viscosity}, along_);
  Powers powers;
  powers.boundary = momentum_.boundary_power();
  powers.dissipation = dot(flux, along_) + powers.boundary;
  if (terms_.open > 0) {
    momentum_.compute(halo(flux), {.open = terms_.open}, along_);
    powers.boundary -= dot(flux, along_);
  }
  if (terms_.eddies) {
    momentum_.compute(halo(flux), {.eddies = true}, along_);
    const real given = momentum_.boundary_power();
    powers.boundary += given;
    powers.eddies = dot(flux, along_) + given;
  }
  return powers;
}

void RebuiltForces::add_open_tractions(Exchanged<Face> flux, BoundaryField<Vec3>& tractions) {
  if (terms_.open == 0) return;
  momentum_.compute(flux, {.open = terms_.open}, along_);
  momentum_.add_open_tractions(tractions);
}

void RebuiltForces::visit_state(StateVisitor& visitor) {
  visitor.number("rebuilt_viscosity", of_older_.viscosity);
  visitor.number("rebuilt_convection", of_older_.convection);
  visitor.number("rebuilt_upwind", of_older_.upwind);
  visitor.number("rebuilt_open", of_older_.open);
  visitor.number("rebuilt_eddies", kind_of_older_);
  visitor.number("rebuilt_eddies_constant", constant_of_older_);
  visitor.flag("rebuilt_friction_older", knows_older_friction_);
  visitor.flag("rebuilt_oldest", knows_oldest_);
  if (!visitor.field("rebuilt_forces_old", forces_old_)) of_older_ = {.viscosity = -1};
  knows_oldest_ = knows_oldest_ && forces_older_ && visitor.field("rebuilt_forces_older", *forces_older_);
  if (has_friction_ && !viscosity_varies_) {
    set_implicit(!model_ && terms_.viscosity > 0 && of_older_.viscosity == 0);
  }
}

}  // namespace solenoid
