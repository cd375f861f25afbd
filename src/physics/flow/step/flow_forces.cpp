/// What a flow does to its boundary and with its energy: forces, and the budget of powers.
#include <cmath>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "physics/flow/momentum/diagnostics.hpp"
#include "physics/flow/step/flow_step.hpp"

namespace solenoid {

namespace {

/// p = p_c less the line integral of what momentum takes from the cell's centre to the face.
void compute_reaction(const Field<Cell>& pressure, const Field<Face>& residual, BoundaryField<real>& of_faces) {
  const LocalMesh& mesh = pressure.mesh();
  const BoundaryView faces = mesh.boundary().owned();
  const auto cells = mesh.G.view();
  const auto p = pressure.view();
  const auto along_dual = residual.view();
  real* const result = of_faces.data();
  forall(
      faces.count, SOLENOID_KERNEL(int i) {
        const Index<Face> f{faces.face[i]};
        const real outward = -(*cells[f].begin()).sign;  // G = -D^T
        result[faces.place[i]] = p[Index<Cell>{faces.cell[i]}] - outward * along_dual[f];
      });
}

void compute_tractions(const BoundaryField<real>& pressure, const EdgeMeans& means, Exchanged<Edge> vorticity,
                       real viscosity, Tractions& tractions) {
  const BoundaryView faces = pressure.mesh().boundary().owned();
  const auto mean = means.rows();
  const auto omega = vorticity.view();
  const real* const p = pressure.data();
  Vec3 *const by_pressure = tractions.pressure.data(), *const by_friction = tractions.friction.data();
  forall(
      faces.count, SOLENOID_KERNEL(int i) {
        const Vec3 n = faces.outward_normal[i];
        by_pressure[faces.place[i]] = p[faces.place[i]] * n;
        by_friction[faces.place[i]] = viscosity * cross(n, mean(omega, i));
      });
}

Vec3 sum_in_fluid(const Field<Cell, Vec3>& acceleration, const Field<Cell>& pressure, const EdgeMeans& means,
                  Exchanged<Edge> vorticity, real viscosity, const ForceTestFunction& weight) {
  const LocalMesh& mesh = pressure.mesh();
  const auto mean = means.rows();
  const auto V = mesh.cell_volume();
  const auto phi = weight.in_cells().view();
  const auto slope = weight.gradient().view();
  const auto a = acceleration.view();
  const auto p = pressure.view();
  const auto omega = vorticity.view();
  return total(mesh.comm(), reduce_sums<3>(
                                mesh.owned<Cell>(), SOLENOID_KERNEL(int i) {
                                  const Index<Cell> c{i};
                                  const Vec3 force = V[c] * (p[c] * slope[c] - phi[c] * a[c] +
                                                             viscosity * cross(slope[c], mean(omega, i)));
                                  return Sums<3>{{force.x, force.y, force.z}};
                                }));
}

/// Of p n over the boundary, weighted.
Vec3 sum_over_faces(const BoundaryField<real>& pressure, const ForceTestFunction& weight) {
  const LocalMesh& mesh = pressure.mesh();
  const BoundaryView faces = mesh.boundary().owned();
  const real *const p = pressure.data(), *const phi = weight.over_faces().data();
  return total(mesh.comm(), reduce_sums<3>(
                                faces.count, SOLENOID_KERNEL(int i) {
                                  const Vec3 force =
                                      (phi[faces.place[i]] * p[faces.place[i]]) * faces.outward_normal[i];
                                  return Sums<3>{{force.x, force.y, force.z}};
                                }));
}

/// Of tractions over the boundary, weighted.
Vec3 sum_over_faces(const BoundaryField<Vec3>& tractions, const ForceTestFunction& weight) {
  const LocalMesh& mesh = tractions.mesh();
  const BoundaryView faces = mesh.boundary().owned();
  const Vec3* const t = tractions.data();
  const real* const phi = weight.over_faces().data();
  return total(mesh.comm(), reduce_sums<3>(
                                faces.count, SOLENOID_KERNEL(int i) {
                                  const Vec3 force = phi[faces.place[i]] * t[faces.place[i]];
                                  return Sums<3>{{force.x, force.y, force.z}};
                                }));
}

/// Of (n x grad) x u in the stress at the boundary, beside omega x n or n . grad u.
real stress_factor(DiffusionForm form) {
  return form == DiffusionForm::face_average || form == DiffusionForm::stress ? 1 : 2;
}

/// This rank's part of dot(x, y).
PartialSum partial_dot(const Field<Edge>& x, const Field<Edge>& y) {
  const auto a = x.view(), b = y.view();
  return reduce_sum(
      x.owned(), SOLENOID_KERNEL(int i) { return a[Index<Edge>{i}] * b[Index<Edge>{i}]; });
}

/// sum_c V_c u_c . a_c. Collective.
real power(const Field<Cell, Vec3>& velocity, const Field<Cell, Vec3>& acceleration) {
  const LocalMesh& mesh = velocity.mesh();
  const auto V = mesh.cell_volume();
  const auto u = velocity.view(), a = acceleration.view();
  return total(mesh.comm(), reduce_sum(
                                mesh.owned<Cell>(), SOLENOID_KERNEL(int i) {
                                  const Index<Cell> c{i};
                                  return V[c] * dot(u[c], a[c]);
                                }));
}

/// Of the pressure on what enters. Collective.
real power_of_pressure(const BoundaryField<real>& pressure, const Field<Face>& flux) {
  const LocalMesh& mesh = flux.mesh();
  const BoundaryView faces = mesh.boundary().owned();
  const auto cells = mesh.G.view();
  const auto U = flux.view();
  const real* const p = pressure.data();
  return total(mesh.comm(), reduce_sum(
                                faces.count, SOLENOID_KERNEL(int i) {
                                  const Index<Face> f{faces.face[i]};
                                  return (*cells[f].begin()).sign * U[f] * p[faces.place[i]];  // G = -D^T
                                }));
}

}  // namespace

/// The pressure that momentum leaves over on the boundary, and the given one of outlets.
BoundaryField<real> FlowStep::reaction() {
  solve_pressure();
  BoundaryField<real> pressure(mesh_);
  compute_reaction(solved_pressure_, residual_, pressure);
  if (settings_.convection == ConvectionForm::rotational) {
    to_walls_.subtract_kinetic_part(boundaries_, time_, pressure);
  }
  boundary_faces_.copy_outlet_pressure(pressure);
  return pressure;
}

/// Of the flow as it is.
SurfaceGradient& FlowStep::gradient_now() {
  surface_gradient_.update(state_.velocity);
  return surface_gradient_;
}

Tractions& FlowStep::tractions() {
  if (!boundary_means_) boundary_means_ = EdgeMeans::on_boundary(mesh_);
  const bool is_of_curls = settings_.diffusion != DiffusionForm::stress;
  compute_tractions(reaction(), *boundary_means_, halo(state_.vorticity), is_of_curls ? settings_.viscosity : 0,
                    tractions_);
  if (rebuilt_) rebuilt_->add_tractions(halo(state_.flux), tractions_.friction);
  if (face_average_) {
    face_average_->compute_tractions(halo(state_.velocity), settings_.viscosity, tractions_.friction);
  }
  gradient_now().add_to(-stress_factor(settings_.diffusion) * settings_.viscosity, tractions_.friction);
  return tractions_;
}

Vec3 FlowStep::force_in_fluid(const ForceTestFunction& weight) {
  solve_pressure();
  BoundaryField<real> kinetic(mesh_);  // less |u|^2/2, of what is between the total pressure and the pressure
  if (settings_.convection == ConvectionForm::rotational) to_walls_.subtract_kinetic_part(boundaries_, time_, kinetic);
  Vec3 of_pairs;
  const std::vector<real> drops = pressure_drops();
  for (std::size_t k = 0; k < drops.size(); ++k) of_pairs += drops[k] * weight.over_pairs()[k];
  BoundaryField<Vec3> friction(mesh_);
  if (face_average_) face_average_->compute_tractions(halo(state_.velocity), settings_.viscosity, friction);
  gradient_now().add_to(-stress_factor(settings_.diffusion) * settings_.viscosity, friction);
  Vec3 besides = sum_over_faces(kinetic, weight) + sum_over_faces(friction, weight) + of_pairs;
  if (rebuilt_) besides -= rebuilt_->weighted(halo(state_.flux), weight);
  if (face_average_) {
    on_cells_ = acceleration_ + settings_.viscosity * face_average_->in_cells(halo(state_.velocity));
    return sum_in_fluid(on_cells_, solved_pressure_, cell_means(), halo(state_.vorticity), 0, weight) + besides;
  }
  const real of_curls = settings_.diffusion == DiffusionForm::stress ? 0 : settings_.viscosity;
  return sum_in_fluid(acceleration_, solved_pressure_, cell_means(), halo(state_.vorticity), of_curls, weight) +
         besides;
}

real FlowStep::dissipation() {
  if (settings_.diffusion == DiffusionForm::stress) {
    return settings_.viscosity *
           (rebuilt_->dissipation() + total(mesh_.comm(), gradient_now().power(stress_factor(settings_.diffusion))));
  }
  PartialSum of_boundary = gradient_now().power(stress_factor(settings_.diffusion));
  if (face_average_) {
    return settings_.viscosity *
           (face_average_->powers(halo(state_.velocity)).dissipation + total(mesh_.comm(), of_boundary));
  }
  return settings_.viscosity * total(mesh_.comm(), of_boundary += partial_dot(state_.vorticity, rotation_));
}

real FlowStep::root_energy_of_forces() const {
  real root = force_ ? std::sqrt(kinetic_energy(*force_)) : 0;
  if (buoyancy_) root += std::sqrt(kinetic_energy(buoyancy_->in_cells()));
  return root;
}

EnergyBudget FlowStep::energy_budget() {
  EnergyBudget budget;
  const BoundaryField<real> pressure = reaction();
  budget.pressure = power_of_pressure(pressure, state_.flux);
  const std::vector<real> drops = pressure_drops(), through_pairs = pair_faces_.sum(state_.flux);
  for (std::size_t k = 0; k < drops.size(); ++k) budget.pressure += drops[k] * through_pairs[k];
  if (has_convection_in_cells()) budget.inflow = boundary_faces_.entering_energy(state_.flux, state_.velocity);
  budget.boundary_friction =
      settings_.viscosity * total(mesh_.comm(), gradient_now().power(stress_factor(settings_.diffusion)));
  if (settings_.diffusion == DiffusionForm::stress) {
    const RebuiltForces::Powers powers = rebuilt_->powers(state_.flux);
    budget.dissipation = budget.boundary_friction + powers.dissipation;
    budget.boundary_friction += powers.boundary;
  } else {
    budget.boundary_friction +=
        settings_.viscosity * (face_average_ ? face_average_->powers(halo(state_.velocity)).boundary
                                             : dot(state_.vorticity, circulation_.field()));
    budget.dissipation = dissipation();
  }
  if (force_) budget.force = power(state_.velocity, *force_);
  const real of_cells = power(state_.velocity, forcing_) + budget.force;
  real convection = of_cells;
  if (rebuilt_ && rebuilt_->has_convection()) {
    const RebuiltForces::ConvectionPowers powers = rebuilt_->convection_powers(state_.flux);
    convection += powers.boundary + powers.jumps;
    budget.inflow -= powers.boundary;
  }
  if (buoyancy_) budget.force += power(state_.velocity, buoyancy_->in_cells());
  budget.numerical = convection + budget.inflow;
  budget.change = power(state_.velocity, acceleration_) - of_cells + budget.force;
  return budget;
}

}  // namespace solenoid
