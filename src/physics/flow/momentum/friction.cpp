#include "physics/flow/momentum/friction.hpp"

#include <algorithm>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "operators/interpolation.hpp"
#include "parallel/reduce_later.hpp"

namespace solenoid {

namespace {

void require_forms_that_fit(const LocalMesh& mesh, const FlowStepSettings& settings, const FlowBoundaries& boundaries) {
  const bool has_vorticity = settings.diffusion != DiffusionForm::stress;
  require_on_all_ranks(
      !settings.eddies || (mesh.dimension() == 3 && !has_vorticity && !settings.viscosity_varies()),
      [&] {
        if (mesh.dimension() == 2) {
          return "[turbulence] model is for tetrahedra: take a mesh of them, or \"none\"";
        }
        return settings.viscosity_varies()
                   ? "[turbulence] model takes one viscosity of the fluid: take a number for `viscosity` in [flow], or "
                     "model = \"none\""
                   : "[turbulence] model takes diffusion = \"stress\" in [flow]: take that, or \"auto\"";
      },
      ExitCode::bad_input);
  require_on_all_ranks(
      !settings.viscosity_varies() || !has_vorticity,
      [] { return "a viscosity that varies takes diffusion = \"stress\": take that, or \"auto\""; },
      ExitCode::bad_input);
  require_on_all_ranks(
      !RebuiltForces::is_asked_for(settings) || mesh.dimension() == 3 ||
          (settings.viscosity_varies() && settings.convection != ConvectionForm::skew),
      [] {
        return "diffusion = \"stress\" and convection = \"skew\" are for tetrahedra: take \"rotational\" and "
               "\"divergence\"; where the viscosity varies, triangles have \"stress\", too";
      },
      ExitCode::bad_input);
  require_on_all_ranks(
      settings.upwind == 0 || settings.convection == ConvectionForm::skew,
      [] { return "upwind is a dissipation at jumps of convection = \"skew\", on tetrahedra: take that, or 0"; },
      ExitCode::bad_input);
  require_on_all_ranks(
      has_vorticity || settings.convection != ConvectionForm::rotational,
      [] {
        return "rotational convection takes a vorticity, which diffusion = \"stress\" has none of: take convection = "
               "\"skew\", on triangles \"divergence\"";
      },
      ExitCode::bad_input);
  require_on_all_ranks(
      settings.convection != ConvectionForm::rotational || boundaries.are_all_walls(),
      [] {
        return "rotational convection would hold the total pressure where a flow is open, not the pressure: take "
               "convection = \"divergence\"";
      },
      ExitCode::bad_input);
}

/// nu cross(n, omega), n out of the fluid.
void tractions_of_vorticity(const EdgeMeans& means, Exchanged<Edge> vorticity, real viscosity,
                            BoundaryField<Vec3>& tractions) {
  const BoundaryView faces = tractions.mesh().boundary().owned();
  const auto mean = means.rows();
  const auto omega = vorticity.view();
  Vec3* const by_friction = tractions.data();
  forall(
      faces.count, SOLENOID_KERNEL(int i) {
        by_friction[faces.place[i]] = viscosity * cross(faces.outward_normal[i], mean(omega, i));
      });
}

/// Weight of (n x grad) x u in the stress at the boundary, with omega x n, n . grad u or all of it.
real stress_factor(const FlowStepSettings& settings) {
  if (settings.viscosity_varies()) return 0;
  const DiffusionForm form = settings.diffusion;
  return form == DiffusionForm::face_average || form == DiffusionForm::stress ? 1 : 2;
}

/// Weight of the flow before the last step in an extrapolation, as of steps that grow no more: it would not be stable.
real stable_weight(const TimeCoefficients& scheme) { return std::max(scheme.older, real{-1}); }

/// This rank's part of dot(x, y).
PendingSums<1> partial_dot(const Field<Edge>& x, const Field<Edge>& y) {
  const auto a = x.view(), b = y.view();
  return begin_sum(
      x.owned(), SOLENOID_KERNEL(int i) { return a[Index<Edge>{i}] * b[Index<Edge>{i}]; });
}

}  // namespace

Friction::Friction(const LocalMesh& mesh, const FlowStepSettings& settings, const FlowBoundaries& boundaries,
                   const BoundaryFaces& faces, const WideHaloMesh* wide, FlowState& state, const MemoryOf& /*scope*/)
    : mesh_(mesh),
      settings_(settings),
      state_(state),
      edge_vorticity_(mesh, boundaries,
                      has_vorticity() ? EdgeVorticity::Finds::vorticity : EdgeVorticity::Finds::nothing),
      of_boundary_(mesh, faces.is_open()),
      open_velocity_(mesh, faces.is_open()),
      circulation_(mesh),
      surface_gradient_(mesh, boundaries),
      cells_(mesh) {
  require_forms_that_fit(mesh, settings, boundaries);
  if (settings.diffusion == DiffusionForm::face_average) {
    face_average_.emplace(mesh, boundaries);
    of_face_averages_.emplace(ImplicitFriction{*face_average_});
  }
  if (RebuiltForces::is_asked_for(settings)) {
    require_on_all_ranks(wide, [] { return "rebuilt velocities take a mesh with a wider halo"; });
    rebuilt_.emplace(mesh, *wide, boundaries, settings);
  }
  if (settings.viscosity_varies()) {
    viscosity_.emplace(mesh, settings);
    squared_shear_rates_.emplace(mesh);
    expected_flux_.emplace(mesh);
    viscosity_before_.emplace(mesh);
  }
  if (faces.has_open() && has_vorticity()) behind_outlets_.emplace(mesh);
}

std::optional<real> Friction::implicit_factor() const {
  if (has_vorticity()) return std::nullopt;
  return rebuilt_->implicit_factor();
}

const ImplicitFriction* Friction::implicit() const {
  return of_face_averages_ ? &*of_face_averages_ : rebuilt_ ? rebuilt_->implicit_friction() : nullptr;
}

void Friction::add_circulation(const Field<Edge>& circulation) {
  if (!has_vorticity()) return;
  added_.emplace(Added{Field<Edge>(mesh_), Field<Edge>(mesh_)});
  added_->circulation.copy_from(circulation);
  boundary_changed();
}

void Friction::boundary_changed() {
  if (added_) added_->with_boundary = of_boundary_.field() + added_->circulation;
}

void Friction::set(std::span<const Vec3> velocity) {
  of_boundary_.set(velocity);
  boundary_changed();
  surface_gradient_.set(velocity);
  if (face_average_) face_average_->set(velocity);
  if (rebuilt_) rebuilt_->set(velocity);
}

void Friction::find_viscosity(Field<Face>& flux) {
  if (viscosity_->follows_shear()) rebuilt_->compute_squared_shear_rates(halo(flux), *squared_shear_rates_);
  viscosity_->update(*squared_shear_rates_);
  rebuilt_->set_viscosity(halo(viscosity_->relative()), viscosity_->mean());
}

void Friction::set_temperature(const Field<Node>& temperature) {
  if (!viscosity_) return;
  viscosity_->set_temperature(temperature);
  find_viscosity(state_.flux);
}

bool Friction::expect_viscosity(const Field<Face>& flux_old) {
  if (!viscosity_) return false;
  viscosity_before_->copy_from(viscosity_->in_cells());
  *expected_flux_ = (1 - older_) * state_.flux + older_ * flux_old;
  find_viscosity(*expected_flux_);
  return true;
}

void Friction::revert_viscosity() {
  if (!viscosity_) return;
  viscosity_->in_cells().copy_from(*viscosity_before_);
  viscosity_->restore(true);
  rebuilt_->set_viscosity(halo(viscosity_->relative()), viscosity_->mean());
}

void Friction::update(Vorticity vorticity, bool keeps_older) {
  if (viscosity_ && vorticity == Vorticity::kept && viscosity_->restore(has_viscosity_)) {
    rebuilt_->set_viscosity(halo(viscosity_->relative()), viscosity_->mean());
  } else if (viscosity_ && (vorticity == Vorticity::anew || vorticity == Vorticity::kept)) {
    find_viscosity(state_.flux);
  }
  if (rebuilt_ && vorticity == Vorticity::kept) {
    rebuilt_->restart_from(halo(state_.flux));
  } else if (rebuilt_) {
    rebuilt_->update(halo(state_.flux), keeps_older);
  }
  if (!has_vorticity()) return;
  update_openings(state_.velocity);
  circulation_ = circulation_ + boundary_circulation();
  if (vorticity == Vorticity::kept) edge_vorticity_.go_on(circulation_, state_.vorticity);
  if (vorticity == Vorticity::anew || vorticity == Vorticity::after_first_step) {
    edge_vorticity_.compute(circulation_, state_.vorticity);
  } else if (vorticity == Vorticity::after_step) {
    edge_vorticity_.compute_after_step(circulation_, state_.vorticity, settings_.vorticity_iterations);
  }
}

/// The share of outlets in the boundary's circulation, where the fluid moves like this inside.
void Friction::update_openings(Field<Cell, Vec3>& velocity) {
  if (!behind_outlets_) return;
  open_velocity_.compute(halo(velocity), *behind_outlets_);
  of_boundary_.update(halo(*behind_outlets_));
  boundary_changed();
}

bool Friction::choose_implicit(real dt) { return rebuilt_ && rebuilt_->choose_implicit(dt, halo(state_.flux)); }

void Friction::choose_stabiliser(real dt) {
  if (rebuilt_) rebuilt_->choose_stabiliser(dt);
}

void Friction::extrapolate(const TimeCoefficients& scheme, const LastSteps& steps, bool keeps_older,
                           Field<Face>& along_duals) {
  const real older = stable_weight(scheme);
  const bool grew = grew_ > 0;
  older_ = grew ? older : scheme.older;  // one that grows between others keeps the order
  grew_ = scheme.older < older;
  edge_vorticity_.keep_older(keeps_older);
  edge_vorticity_.extrapolate(older_);
  if (!rebuilt_) return;
  expected_ = rebuilt_->knows_oldest() ? damping_extrapolation(scheme, steps, grew) : Extrapolation{1 - older_, older_};
  rebuilt_->add_expected(expected_, along_duals);
  if (!rebuilt_->knows_older_friction()) older_ = 0, expected_ = {};
}

void Friction::extrapolate_openings(const TimeCoefficients& scheme, const Field<Cell, Vec3>& velocity_old) {
  if (!behind_outlets_) return;
  const real older = stable_weight(scheme);
  cells_ = (1 - older) * state_.velocity + older * velocity_old;
  update_openings(cells_);
}

void Friction::expect_steady() {
  edge_vorticity_.extrapolate(0);
  older_ = 0;
  expected_ = {};
}

void Friction::compute_implicit(Field<Face>& flux, const Field<Cell, Vec3>& velocity_old,
                                const Field<Cell, Vec3>& velocity_older, Field<Face>& along_duals) {
  if (is_whole_implicit()) return rebuilt_->compute_friction(halo(flux), along_duals);
  const bool is_of_state = &flux == &state_.flux;
  if (!is_of_state) interpolate(halo(flux), cells_);
  Field<Cell, Vec3>& velocity = is_of_state ? state_.velocity : cells_;
  if (face_average_) return face_average_->compute(halo(velocity), along_duals);
  const auto [recent, older, oldest] = expected_;
  if (oldest != 0) {
    cells_ = velocity - recent * state_.velocity - older * velocity_old - oldest * velocity_older;
  } else {
    cells_ = velocity - recent * state_.velocity - older * velocity_old;
  }
  const ImplicitFriction& friction = *rebuilt_->implicit_friction();
  friction.differences.compute(halo(cells_), along_duals);
  along_duals = friction.factor * along_duals;
}

void Friction::compute(Field<Face>& along_duals) {
  if (face_average_) return face_average_->compute(halo(state_.velocity), along_duals);
  if (rebuilt_ && rebuilt_->has_friction()) return rebuilt_->compute_friction(halo(state_.flux), along_duals);
  along_duals = mesh_.C * halo(state_.vorticity);
  apply_face_mass(halo(along_duals), cells_, along_duals);
}

void Friction::add_rebuilt(Field<Face>& along_duals) const {
  if (rebuilt_) along_duals = along_duals + rebuilt_->forces();
}

void Friction::add_forces(Field<Face>& along_duals, Field<Face>& work) {
  add_rebuilt(along_duals);
  if (rebuilt_ && rebuilt_->has_friction() && !rebuilt_->is_friction_implicit()) return;
  compute(work);
  along_duals = along_duals + settings_.viscosity * work;
}

SurfaceGradient& Friction::surface_gradient() {
  surface_gradient_.update(state_.velocity);
  return surface_gradient_;
}

real Friction::viscosity_of_vorticity() const {
  return settings_.diffusion == DiffusionForm::rotational ? settings_.viscosity : 0;
}

void Friction::compute_surface_tractions(BoundaryField<Vec3>& tractions) {
  if (face_average_) face_average_->compute_tractions(halo(state_.velocity), settings_.viscosity, tractions);
  if (viscosity_) rebuilt_->add_open_tractions(halo(state_.flux), tractions);
  surface_gradient().add_to(-stress_factor(settings_) * settings_.viscosity, tractions);
}

void Friction::compute_tractions(BoundaryField<Vec3>& tractions) {
  if (!boundary_means_) boundary_means_ = EdgeMeans::on_boundary(mesh_);
  if (face_average_) {
    face_average_->compute_tractions(halo(state_.velocity), settings_.viscosity, tractions);
  } else {
    tractions_of_vorticity(*boundary_means_, halo(state_.vorticity), viscosity_of_vorticity(), tractions);
  }
  if (rebuilt_) rebuilt_->add_tractions(halo(state_.flux), tractions);
  surface_gradient().add_to(-stress_factor(settings_) * settings_.viscosity, tractions);
}

Vec3 Friction::weighted(const ForceTestFunction& weight) {
  return rebuilt_ ? rebuilt_->weighted(halo(state_.flux), weight) : Vec3{};
}

const Field<Cell, Vec3>* Friction::in_cells() {
  return face_average_ ? &face_average_->in_cells(halo(state_.velocity)) : nullptr;
}

real Friction::dissipation() {
  const real factor = stress_factor(settings_);
  const Comm& comm = mesh_.comm();
  PendingSums<1> of_boundary = surface_gradient().power(factor);
  if (!has_vorticity()) {
    const real on_boundary = total(comm, of_boundary.parts()[0]);
    return settings_.viscosity * (rebuilt_->dissipation() + on_boundary);
  }
  if (face_average_) {
    return settings_.viscosity *
           (face_average_->powers(halo(state_.velocity)).dissipation + total(comm, of_boundary.parts()[0]));
  }
  PendingSums<1> inside = partial_dot(state_.vorticity, circulation_);
  const PartialSum of_inside = inside.parts()[0];  // begun last: the host waits once
  PartialSum both = of_boundary.parts()[0];
  const real with_added = total(comm, both += of_inside);
  return settings_.viscosity * (with_added - (added_ ? dot(state_.vorticity, added_->circulation) : 0));
}

Friction::Powers Friction::powers() {
  const real of_surface = power_of_surface_gradient();
  if (!has_vorticity()) {
    const RebuiltForces::Powers powers = rebuilt_->powers(state_.flux);
    return {of_surface + powers.dissipation, of_surface + powers.boundary, powers.eddies};
  }
  const real of_walls = settings_.viscosity * (face_average_ ? face_average_->powers(halo(state_.velocity)).boundary
                                                             : dot(state_.vorticity, of_boundary_.field()));
  return {dissipation(), of_surface + of_walls};
}

/// Collective.
real Friction::power_of_surface_gradient() {
  return settings_.viscosity * total(mesh_.comm(), surface_gradient().power(stress_factor(settings_)).parts()[0]);
}

RebuiltForces::ConvectionPowers Friction::convection_powers() {
  if (!rebuilt_ || !rebuilt_->has_convection()) return {0, 0};
  return rebuilt_->convection_powers(state_.flux);
}

void Friction::visit_state(StateVisitor& visitor) {
  if (mesh_.dimension() == 3 && has_vorticity()) lacks_vorticity_ = !visitor.field("vorticity", state_.vorticity);
  if (has_vorticity()) edge_vorticity_.visit_state(visitor);
  if (rebuilt_) rebuilt_->visit_state(visitor);
  if (viscosity_) has_viscosity_ = visitor.field("viscosity", viscosity_->in_cells());
}

}  // namespace solenoid
