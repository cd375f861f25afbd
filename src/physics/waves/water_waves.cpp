#include "physics/waves/water_waves.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/counts.hpp"
#include "base/error.hpp"
#include "base/partial_sum.hpp"
#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "model/model.hpp"
#include "operators/mean_mass.hpp"
#include "operators/p1.hpp"
#include "physics/waves/water_waves_data.hpp"

namespace solenoid {

WaterWaves::WaterWaves(const LocalMesh& mesh, WaterProblem problem, const SolveControl& control, real time)
    : WaterWaves(mesh, problem, control, time, WaterWavesData(mesh, problem)) {}

WaterWaves::WaterWaves(const LocalMesh& mesh, WaterProblem problem, const SolveControl& control, real time,
                       const WaterWavesData& data)
    : mesh_(mesh),
      problem_(std::move(problem)),
      control_(control),
      time_(time),
      time_before_(time),
      unknowns_(mesh, std::vector<int>(static_cast<std::size_t>(mesh.total<Node>()), Space<Node>::free)),
      mass_(mean_mass(mesh)),
      depth_stiffness_(p1_stiffness(mesh, data.depth)),
      profile_stiffness_(p1_stiffness(mesh, data.of_cells(&ProfileIntegrals::mean))),
      system_(unknowns_, data.elliptic, control.preconditioner),
      depth_(mesh, std::vector<real>(data.depth.begin(), data.depth.begin() + mesh.owned<Cell>())),
      area_(mesh, data.area),
      leaving_(mesh, data.leaving),
      leaving_vertical_(mesh, data.leaving_vertical),
      entering_(mesh),
      entering_vertical_(mesh),
      zones_(mesh, problem_.zones, problem_.sea, data.sea_of(problem_.zones)),
      fleet_(mesh, problem_.ships, problem_.sea.gravity),
      pressure_(mesh),
      zone_elevation_(mesh),
      zone_water_(mesh),
      zone_potential_(mesh),
      water_(mesh),
      elevation_(mesh),
      mean_(mesh),
      potential_(mesh),
      vertical_(mesh),
      flow_(mesh),
      work_(mesh),
      right_side_(mesh),
      water_before_(mesh),
      potential_before_(mesh) {
  control_ = recorded_in(solves_, control_);
  std::vector<real> elevation, potential;
  mesh.comm().guard([&] {
    const std::span points = std::span(mesh.part().points).first(mesh.owned<Node>());
    elevation = problem_.elevation.at(points, time);
    potential = problem_.potential.at(points, time);
  });
  halo(depth_);
  elevation_.from_host(elevation);
  potential_.from_host(potential);
  water_ = mass_ * halo(elevation_);
  compute_elevation();
  std::vector<int> node, begin{0};
  std::vector<real> frequency, phase, flux, vertical;
  for (const auto& [n, components] : data.incoming) {
    for (const WaterWavesData::Component& of : components) {
      frequency.push_back(of.frequency), phase.push_back(of.phase);
      flux.push_back(of.flux), vertical.push_back(of.vertical);
    }
    node.push_back(n), begin.push_back(count_on_rank(std::ssize(phase), "waves at the nodes of open sides"));
  }
  incoming_ = {DeviceArray<int>(node),   DeviceArray<int>(begin), DeviceArray<real>(frequency),
               DeviceArray<real>(phase), DeviceArray<real>(flux), DeviceArray<real>(vertical)};
  sample_sides(time_);
  sample_zones(time_);
  fleet_.move_to(time_);
  fleet_.compute_pressure(pressure_);
  if (problem_.current) current_.emplace(mesh, data.current);
  const bool passes = std::any_of(data.leaving.begin(), data.leaving.end(), [](real rate) { return rate != 0; });
  has_open_sides_ = mesh.comm().max(std::int64_t{passes}) > 0;
  PartialSums<2> still;  // area and volume
  for (int c = 0; c < mesh.owned<Cell>(); ++c) {
    const real area = mesh.geometry().cell_volume[c];
    still[0] += area, still[1] += data.depth[c] * area;
  }
  const Sums<2> of_still = totals(mesh.comm(), still);
  const bool is_closed = !has_open_sides_ && zones_.empty();
  const real mean = is_closed ? volume() / of_still[0] : 0;  // of the elevation: without the still water so far
  still_volume_ = of_still[1];
  mean_.from_host(std::vector<real>(data.area.size(), mean));
  work_.copy_from(elevation_);
  compute_flow(potential_);
  if (current_) compute_rates();
  kinetic_energy_ = current_ ? kinetic_energy_on_current() : dot(potential_, flow_) / 2;
}

/// M~ q = W^-1 (2 W - M) W^-1 q.
void WaterWaves::compute_elevation() {
  work_ = water_ / area_;
  elevation_ = real{2} * work_ - mass_ * halo(work_) / area_;
}

namespace {

/// Sets the sums over the incoming waves of nodes at `time`; free of the class, for nvcc refuses kernels in private
/// functions.
void sample_incoming(const IncomingFluxes& incoming, real time, Field<Node>& entering, Field<Node>& entering_vertical) {
  const int *const node = incoming.node.data(), *const begin = incoming.begin.data();
  const real *const frequency = incoming.frequency.data(), *const phase = incoming.phase.data(),
                    *const flux = incoming.flux.data(), *const vertical = incoming.vertical.data();
  const auto F = entering.view(), G = entering_vertical.view();
  forall(
      static_cast<int>(incoming.node.size()), SOLENOID_KERNEL(int i) {
        real of_water = 0, of_vertical = 0;
        for (int k = begin[i]; k < begin[i + 1]; ++k) {
          const real now = std::cos(phase[k] - frequency[k] * time);
          of_water += flux[k] * now, of_vertical += vertical[k] * now;
        }
        F[Index<Node>{node[i]}] = of_water, G[Index<Node>{node[i]}] = of_vertical;
      });
}

}  // namespace

void WaterWaves::sample_sides(real time) { sample_incoming(incoming_, time, entering_, entering_vertical_); }

/// psi and B phi, with the elevation of work_ at the sides.
void WaterWaves::compute_flow(Field<Node>& potential) {
  const auto phi = halo(potential);
  right_side_ = profile_stiffness_ * phi - leaving_vertical_ * work_ + entering_vertical_;
  system_.solve(right_side_, vertical_, control_, past_);
  flow_ = depth_stiffness_ * phi - profile_stiffness_ * halo(vertical_);
}

void WaterWaves::advance(real dt) {
  const real g = problem_.sea.gravity;
  fleet_.move_to(time_ + dt);
  time_before_ = time_;
  water_before_.copy_from(water_);
  potential_before_.copy_from(potential_);
  if (current_) {
    step_or_undo([&] { carry(dt); }, [&] { revert_step(); });
    return;
  }
  relax(dt / 2);
  const auto kick = [&](real by) { potential_ = potential_ - by * (g * (elevation_ - mean_) + pressure_); };
  kick(dt / 2);
  sample_sides(time_ + dt / 2);
  const auto solve = [&] {  // with the elevation at half of the step by the flow before
    work_ = (area_ * elevation_ + dt / 2 * (flow_ + entering_)) / (area_ + dt / 2 * leaving_);
    compute_flow(potential_);
  };
  step_or_undo(
      [&] {
        solve();
        if (has_open_sides_) solve();  // now with its own
      },
      [&] { revert_step(); });
  // the sides see the elevation at half of the step, half of the rise over the area of a node, unknown as it is
  water_ = water_ + dt * (area_ * (flow_ - leaving_ * elevation_ + entering_) / (area_ + dt / 2 * leaving_));
  compute_elevation();
  fleet_.compute_pressure(pressure_);
  kick(dt);
  kinetic_energy_ = dot(potential_, flow_) / 2;
  kick(-dt / 2);
  time_ += dt;
  sample_zones(time_);
  relax(dt / 2);
}

void WaterWaves::revert_step() {
  water_.copy_from(water_before_);
  potential_.copy_from(potential_before_);
  compute_elevation();
  time_ = time_before_;
  fleet_.move_to(time_);
}

/// zeta_in and phi_in of the zones.
void WaterWaves::sample_zones(real time) {
  if (zones_.empty()) return;
  zones_.sample(time, zone_elevation_, zone_potential_);
  zone_water_ = mass_ * halo(zone_elevation_);
}

void WaterWaves::relax(real dt) {
  if (zones_.empty()) return;
  zones_.relax(dt, zone_water_, water_);
  zones_.relax(dt, zone_potential_, potential_);
  compute_elevation();
}

real WaterWaves::energy() { return problem_.sea.gravity * dot(elevation_, water_) / 2 + kinetic_energy_; }

real WaterWaves::volume() const { return still_volume_ + sum(mesh_, real{1} * water_); }

/// Values that vary from node to node, by the distance from the centre alone: neither the numbering nor the axes
/// matter.
std::vector<real> WaterWaves::scattered_values() const {
  constexpr real turns = 1e3;
  const std::vector<real> area = area_.to_host();
  const std::vector<Vec3>& points = mesh_.part().points;
  PartialSums<3> moments;
  for (std::size_t n = 0; n < area.size(); ++n) {
    moments[0] += area[n], moments[1] += area[n] * points[n].x, moments[2] += area[n] * points[n].y;
  }
  const Sums<3> sums = totals(mesh_.comm(), moments);
  const Vec3 centre{sums[1] / sums[0], sums[2] / sums[0], 0};
  PartialSum squares;
  std::vector<real> values;
  for (std::size_t n = 0; n < area.size(); ++n) {
    const Vec3 arm = points[n] - centre;
    values.push_back(dot(arm, arm));
    squares += area[n] * values.back();
  }
  const real extent = total(mesh_.comm(), squares) / sums[0];
  for (real& value : values) value = std::sin(turns * value / extent);
  return values;
}

/// Of g M~ B by power iterations, as Rayleigh's quotient with the inner product of B: a lower bound.
real WaterWaves::largest_frequency() {
  constexpr int iterations = 40;
  Field<Node> x(mesh_);
  x.from_host(scattered_values());
  Field<Node> psi(mesh_), b(mesh_), z(mesh_);
  real squared = 0;
  for (int i = 0; i < iterations; ++i) {
    x = 1 / norm(x) * x;
    const auto phi = halo(x);
    b = profile_stiffness_ * phi;
    system_.solve(b, psi, control_);
    b = depth_stiffness_ * phi - profile_stiffness_ * halo(psi);
    const real of_x = dot(x, b);
    z = b / area_;
    x = real{2} * z - mass_ * halo(z) / area_;
    squared = problem_.sea.gravity * dot(b, x) / of_x;
  }
  return std::sqrt(squared);
}

/// Rounded down to ten binary digits, which do not depend on the order of sums.
real WaterWaves::longest_step() {
  if (!longest_step_) {
    constexpr int digits = 10;
    int exponent = 0;
    constexpr real limit_on_current = 2.8;  // that of Runge and Kutta's steps is sqrt(8)
    const real longest = current_ ? limit_on_current / largest_rate() : 2 / largest_frequency();
    const real mantissa = std::frexp(longest, &exponent);
    longest_step_ = std::ldexp(std::floor(std::ldexp(mantissa, digits)), exponent - digits);
  }
  return *longest_step_;
}

void WaterWaves::state_restored() {
  system_.renew_images(past_);
  sample_forcing(time_);
  if (current_) restore_current();
}

void WaterWaves::visit_state(StateVisitor& visitor) {
  visitor.number("time", time_);
  visitor.field("mean", mean_);
  visitor.number("kinetic_energy", kinetic_energy_);
  visitor.field("water", water_);
  visitor.field("elevation", elevation_);
  visitor.field("flow", flow_);
  visitor.field("potential", potential_);
  visitor.field("vertical", vertical_);
  visitor.past("past_vertical", past_);
  if (current_) visitor.number("current", current_->measure_before);
}

}  // namespace solenoid
