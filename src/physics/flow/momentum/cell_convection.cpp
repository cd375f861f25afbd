#include "physics/flow/momentum/cell_convection.hpp"

#include <utility>

#include "field/assign.hpp"
#include "operators/convection.hpp"
#include "operators/p1.hpp"
#include "physics/flow/boundary/outlet_inflow.hpp"
#include "physics/flow/momentum/rotating_zones.hpp"

namespace solenoid {

namespace {

/// Whether the form has no dissipation inside.
bool keeps_energy(ConvectionForm form, bool is_planar) {
  return form == ConvectionForm::rotational || form == ConvectionForm::central ||
         (form == ConvectionForm::divergence && !is_planar);
}

}  // namespace

CellConvection::CellConvection(const LocalMesh& mesh, const FlowStepSettings& settings,
                               const FlowBoundaries& boundaries, const BoundaryFaces& faces, const WideHaloMesh* wide,
                               Past past, const MemoryOf& /*scope*/)
    : mesh_(mesh),
      settings_(settings),
      faces_(faces),
      form_(static_cast<int>(settings.convection)),
      all_edges_(mesh, std::vector<int>(mesh.total<Edge>(), Space<Edge>::free)),
      past_vorticities_(all_edges_),
      vorticity_(mesh) {
  const bool is_planar = mesh.dimension() == 2;
  if (settings.convection == ConvectionForm::none || settings.convection == ConvectionForm::skew) return;
  terms_.emplace(Terms{Field<Cell, Vec3>(mesh), {}, {}});
  const bool has_past = past == Past::kept;
  if (has_past) terms_->old.emplace(mesh);
  if (has_past && keeps_energy(settings.convection, is_planar) && !has_directed_inflow(mesh, boundaries)) {
    terms_->older.emplace(mesh);
  }
  if (settings.convection == ConvectionForm::rotational) {
    if (is_planar) vorticity_system_.emplace(all_edges_, p1_mass(mesh), settings.vorticity.preconditioner);
  } else {
    momentum_.emplace(mesh);
  }
  if (settings.convection == ConvectionForm::divergence && is_planar) {
    require_on_all_ranks(wide, [] { return "convection of third order takes a mesh with a wider halo"; });
    third_order_.emplace(mesh, *wide, boundaries);
  }
}

void CellConvection::sample(real time) {
  if (third_order_) third_order_->sample(time);
}

void CellConvection::update(FlowState& state, const Field<Edge>& circulation, Kept kept) {
  if (!terms_) return;
  compute(state, circulation, kept);
  if (zones_) zones_->set_convection(state, terms_->now);
}

void CellConvection::compute(FlowState& state, const Field<Edge>& circulation, Kept kept) {
  if (momentum_) {
    if (third_order_) {
      third_order_->carry(halo(state.flux), halo(state.velocity), *momentum_);
    } else {
      carry_momentum(state.flux, halo(state.velocity),
                     settings_.convection == ConvectionForm::upwind ? FaceVelocity::upwind : FaceVelocity::central,
                     *momentum_);
    }
    faces_.carry_momentum(state.flux, state.velocity, *momentum_);
    return divergence_convection(halo(*momentum_), terms_->now);
  }
  if (!vorticity_system_)
    return rotational_convection(cell_means(), halo(state.vorticity), state.velocity, terms_->now);
  if (kept == Kept::yes) {
    vorticity_system_->solve(circulation, vorticity_, settings_.vorticity, past_vorticities_);
  } else {
    vorticity_system_->solve(circulation, vorticity_, settings_.vorticity);
  }
  rotational_convection(halo(vorticity_), state.velocity, terms_->now);
}

void CellConvection::update_at_start(FlowState& state, const Field<Edge>& circulation) {
  if (!terms_) return;
  Field<Edge> first_guess(mesh_);
  first_guess.copy_from(vorticity_);
  update(state, circulation, Kept::no);
  vorticity_.copy_from(first_guess);
}

void CellConvection::shift() {
  if (!terms_) return;
  if (terms_->older) std::swap(*terms_->old, *terms_->older);
  std::swap(*terms_->old, terms_->now);
}

void CellConvection::extrapolate(const TimeCoefficients& scheme, const LastSteps& steps,
                                 Field<Cell, Vec3>& forcing) const {
  if (!terms_) {
    forcing = 0 * forcing;
    return;
  }
  const auto [recent, older, oldest] =
      takes_three() ? damping_extrapolation(scheme, steps, false) : Extrapolation{scheme.recent, scheme.older};
  if (oldest != 0) {
    forcing = recent * terms_->now + older * *terms_->old + oldest * *terms_->older;
  } else {
    forcing = recent * terms_->now + older * *terms_->old;
  }
}

const EdgeMeans& CellConvection::cell_means() {
  if (!cell_means_) cell_means_ = EdgeMeans::in_cells(mesh_);
  return *cell_means_;
}

void CellConvection::build_systems() {
  if (!vorticity_system_) return;
  past_vorticities_.reserve();
}

void CellConvection::visit_state(StateVisitor& visitor, bool is_left_out) {
  if (terms_) {
    is_known_ = visitor.field(zones_ ? "convection_of_zones" : "convection", is_left_out ? *terms_->old : terms_->now);
  }
  visitor.number("convection_form", form_);
  visitor.field("consistent_vorticity", vorticity_);
}

void CellConvection::state_restored() {
  if (vorticity_system_) vorticity_system_->renew_images(past_vorticities_);
}

void CellConvection::renew(FlowState& state, const Field<Edge>& circulation) {
  const int form = static_cast<int>(settings_.convection);
  const bool is_other = std::exchange(form_, form) != form;
  const bool turns_otherwise = zones_ && zones_->have_changed(), is_known = std::exchange(is_known_, true);
  if ((!is_other && !turns_otherwise && is_known) || !terms_) return;
  update(state, circulation, Kept::no);
  terms_->old->copy_from(terms_->now);
  if (terms_->older) terms_->older->copy_from(terms_->now);
}

}  // namespace solenoid
