/// Forces on the boundary and the budget of powers, from the balance of momentum.
#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "physics/flow/balance/momentum_balance.hpp"

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

void compute_pressure_tractions(const BoundaryField<real>& pressure, BoundaryField<Vec3>& tractions) {
  const BoundaryView faces = pressure.mesh().boundary().owned();
  const real* const p = pressure.data();
  Vec3* const by_pressure = tractions.data();
  forall(
      faces.count,
      SOLENOID_KERNEL(int i) { by_pressure[faces.place[i]] = p[faces.place[i]] * faces.outward_normal[i]; });
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

/// The residual of momentum on the boundary as a pressure, and the prescribed one of outlets.
BoundaryField<real> MomentumBalance::reaction() {
  solve_pressure();
  BoundaryField<real> pressure(mesh_);
  compute_reaction(solved_pressure_, residual_, pressure);
  if (is_total()) to_walls_.subtract_kinetic_part(terms_.boundaries, terms_.time, pressure);
  copy_outlet_pressure(pressure);
  return pressure;
}

Tractions& MomentumBalance::tractions() {
  BoundaryField<real> pressure = reaction();
  if (const FramePotential* const centrifugal = potential()) centrifugal->add_means_to(pressure);
  compute_pressure_tractions(pressure, tractions_.pressure);
  terms_.friction.compute_tractions(tractions_.friction);
  terms_.walls.add_to(tractions_.friction);
  return tractions_;
}

Vec3 MomentumBalance::force_in_fluid(const ForceTestFunction& weight) {
  Friction& friction = terms_.friction;
  solve_pressure();
  BoundaryField<real> besides_solved(mesh_);  // of the pressure less what is solved for: minus |u|^2/2, |Omega x r|^2/2
  if (is_total()) to_walls_.subtract_kinetic_part(terms_.boundaries, terms_.time, besides_solved);
  if (const FramePotential* const centrifugal = potential()) centrifugal->add_means_to(besides_solved);
  Vec3 of_pairs;
  const std::vector<real> drops = pressure_drops();
  for (std::size_t k = 0; k < drops.size(); ++k) of_pairs += drops[k] * weight.over_pairs()[k];
  BoundaryField<Vec3> tractions(mesh_);
  friction.compute_surface_tractions(tractions);
  terms_.walls.add_to(tractions);
  const Vec3 of_jumps = terms_.rotating ? terms_.rotating->force_of_jumps(weight) : Vec3{};
  const Vec3 besides = sum_over_faces(besides_solved, weight) + sum_over_faces(tractions, weight) + of_pairs +
                       of_jumps - friction.weighted(weight);
  const Field<Cell, Vec3>* acceleration = &acceleration_;
  if (const Field<Cell, Vec3>* const in_cells = friction.in_cells()) {
    cells_ = acceleration_ + terms_.settings.viscosity * *in_cells;
    acceleration = &cells_;
  }
  return sum_in_fluid(*acceleration, solved_pressure_, terms_.convection.cell_means(), halo(terms_.state.vorticity),
                      friction.viscosity_of_vorticity(), weight) +
         besides;
}

EnergyBudget MomentumBalance::energy_budget() {
  EnergyBudget budget;
  FlowState& state = terms_.state;
  const BoundaryField<real> pressure = reaction();
  budget.pressure = power_of_pressure(pressure, state.flux);
  const std::vector<real> drops = pressure_drops(), through_pairs = terms_.pairs.faces().sum(state.flux);
  for (std::size_t k = 0; k < drops.size(); ++k) budget.pressure += drops[k] * through_pairs[k];
  if (terms_.convection.is_there()) budget.inflow = terms_.faces.entering_energy(state.flux, state.velocity);
  real of_coriolis = 0;
  if (terms_.frame) {
    BoundaryField<real> potential(mesh_);
    terms_.frame->potential().add_to(potential);
    const real of_potential = power_of_pressure(potential, state.flux);
    budget.pressure += of_potential;
    of_coriolis = terms_.frame->power(state.velocity);
    budget.frame = -of_potential - of_coriolis;
  }
  const Friction::Powers powers = terms_.friction.powers();
  budget.dissipation = powers.dissipation;
  budget.model = powers.eddies;
  budget.boundary_friction = powers.boundary;
  if (const Field<Cell, Vec3>* const force = terms_.forces.force()) budget.force = power(state.velocity, *force);
  const real of_cells = power(state.velocity, terms_.forcing) + budget.force;
  const RebuiltForces::ConvectionPowers of_convection = terms_.friction.convection_powers();
  budget.walls = terms_.walls.power(state.velocity);
  const real convection = of_cells - budget.walls - of_coriolis + (of_convection.boundary + of_convection.jumps);
  budget.inflow -= of_convection.boundary;
  if (const Buoyancy* const buoyancy = terms_.forces.buoyancy()) {
    budget.force += power(state.velocity, buoyancy->in_cells());
  }
  budget.numerical = convection + budget.inflow;
  if (terms_.rotating) {
    BoundaryField<real> potential(mesh_);
    terms_.rotating->potential().add_means_to(potential);
    const real of_potential = power_of_pressure(potential, state.flux);
    budget.pressure += of_potential;
    budget.numerical += of_potential + terms_.rotating->power_of_jumps(state.flux);
  }
  if (terms_.drag) budget.zones = terms_.drag->power(state.velocity);
  budget.change = power(state.velocity, acceleration_) - of_cells + budget.force - budget.zones;
  return budget;
}

}  // namespace solenoid
