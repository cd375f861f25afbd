/// The steps of water waves on a current, by Runge and Kutta.
#include <cmath>

#include "base/error.hpp"
#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "physics/waves/water_waves.hpp"

namespace solenoid {

/// Of incoming waves, zones and ships.
void WaterWaves::sample_forcing(real time) {
  sample_sides(time);
  sample_zones(time);
  fleet_.move_to(time);
  fleet_.compute_pressure(pressure_);
}

/// q_t = B phi + Q zeta - F and phi_t = -g zeta - P - M~ Q' phi, with the terms of zones, from flow_ and the forcing.
void WaterWaves::compute_rates() {
  Current& on = *current_;
  on.water_rate = flow_ + on.carrying * halo(elevation_) - leaving_ * elevation_ + entering_;
  work_ = on.transposed * halo(potential_) / area_;
  on.potential_rate =
      mass_ * halo(work_) / area_ - real{2} * work_ - (problem_.sea.gravity * (elevation_ - mean_) + pressure_);
  if (zones_.empty()) return;
  const Field<Node>& fades = zones_.strength();
  on.water_rate = on.water_rate - fades * (water_ - zone_water_);
  on.potential_rate = on.potential_rate - fades * (potential_ - zone_potential_);
}

/// The rates at the beginning are those of the end of the step before.
void WaterWaves::carry(real dt) {
  Current& on = *current_;
  on.water_sum.copy_from(water_);
  on.potential_sum.copy_from(potential_);
  const auto add_rates = [&](real by) {
    on.water_sum = on.water_sum + by * on.water_rate;
    on.potential_sum = on.potential_sum + by * on.potential_rate;
  };
  const auto solve = [&] {
    compute_elevation();
    work_.copy_from(elevation_);
    compute_flow(potential_);
    compute_rates();
  };
  const auto try_with_rates = [&](real by) {
    water_ = water_before_ + by * on.water_rate;
    potential_ = potential_before_ + by * on.potential_rate;
    solve();
  };
  add_rates(dt / 6);
  sample_forcing(time_ + dt / 2);
  try_with_rates(dt / 2);
  add_rates(dt / 3);
  try_with_rates(dt / 2);
  add_rates(dt / 3);
  sample_forcing(time_ + dt);
  try_with_rates(dt);
  add_rates(dt / 6);
  water_.copy_from(on.water_sum);
  potential_.copy_from(on.potential_sum);
  solve();
  kinetic_energy_ = kinetic_energy_on_current();
  time_ += dt;
}

/// phi.B phi/2 + phi.Q zeta.
real WaterWaves::kinetic_energy_on_current() {
  work_ = real{0.5} * flow_ + current_->carrying * halo(elevation_);
  return dot(potential_, work_);
}

void WaterWaves::restore_current() {
  Current& on = *current_;
  constexpr real round_off = 1e-9;  // of sums over other ranks
  require_on_all_ranks(
      std::abs(on.measure - on.measure_before) <= round_off * on.measure,
      [&] {
        return message(
            "the current of `velocity` in [waves] is not that of the checkpoint: the integral of its square is {:.9g} "
            "m^4/s^2, expected {:.9g}; restore the result it is taken from, or start anew",
            on.measure, on.measure_before);
      },
      ExitCode::bad_input);
  compute_rates();
}

/// Of the equations without forcing, from the growth of q by pairs of power iterations from water at rest: pairs, for
/// water and potential turn into each other.
real WaterWaves::largest_rate() {
  constexpr int pairs = 40, counted = 10;
  const real g = problem_.sea.gravity;
  Current& on = *current_;
  const bool has_zones = !zones_.empty();
  Field<Node> q(mesh_), phi(mesh_), zeta(mesh_), psi(mesh_), b(mesh_), z(mesh_);
  q.from_host(scattered_values());
  q = area_ * q;
  const auto compute_zeta = [&] {
    z = q / area_;
    zeta = real{2} * z - mass_ * halo(z) / area_;
  };
  real growth = 1;
  compute_zeta();
  real before = dot(zeta, q);
  for (int i = 0; i < pairs; ++i) {
    const real scale = 1 / std::sqrt(before);
    q = scale * q;
    phi = scale * phi;
    for (int k = 0; k < 2; ++k) {
      compute_zeta();
      b = profile_stiffness_ * halo(phi) - leaving_vertical_ * zeta;
      system_.solve(b, psi, control_);
      b = depth_stiffness_ * halo(phi) - profile_stiffness_ * halo(psi) + on.carrying * halo(zeta) - leaving_ * zeta;
      z = on.transposed * halo(phi) / area_;
      z = mass_ * halo(z) / area_ - real{2} * z - g * zeta;
      if (has_zones) {
        b = b - zones_.strength() * q;
        z = z - zones_.strength() * phi;
      }
      q.copy_from(b);
      phi.copy_from(z);
    }
    compute_zeta();
    before = dot(zeta, q);
    if (i >= pairs - counted) growth *= before;
  }
  return std::pow(growth, real{1} / (4 * counted));
}

}  // namespace solenoid
