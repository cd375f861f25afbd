#include "physics/waves/water_waves.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

#include "base/counts.hpp"
#include "base/error.hpp"
#include "base/partial_sum.hpp"
#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "model/model.hpp"
#include "operators/mean_mass.hpp"
#include "operators/p1.hpp"

namespace solenoid {

/// Coefficients of the cells, and the matrices.
struct WaterWaves::Data {
  std::vector<real> depth;  // of local cells
  std::vector<ProfileIntegrals> profile;
  MatrixRows elliptic;                                // K(N) + M(M)
  std::vector<real> area, leaving, leaving_vertical;  // of owned nodes
  struct Component {
    real frequency, phase, flux, vertical;
  };
  std::map<int, std::vector<Component>> incoming;  // by owned node
  std::vector<real> depth_of_sea;                  // by patch, see depths_of_seas

  Data(const LocalMesh& mesh, const WaterProblem& problem);
  /// Of the waves of each zone [m].
  std::vector<real> depths_of(const std::vector<ZoneSettings>& zones) const {
    std::vector<real> depths;
    for (const ZoneSettings& zone : zones) depths.push_back(depth_of_sea[zone.patches.front()]);
    return depths;
  }
  std::vector<real> of_cells(real ProfileIntegrals::*which) const {
    std::vector<real> values;
    for (const ProfileIntegrals& of : profile) values.push_back(of.*which);
    return values;
  }

 private:
  void add_side(const LocalMesh& mesh, const WaterProblem& problem, int patch, const PatchNodes& nodes);
};

namespace {

/// By patch: the mean depth [m] along all sides with the same incoming waves. Collective.
std::vector<real> depths_of_seas(const LocalMesh& mesh, const std::vector<WaterSide>& sides,
                                 const std::vector<real>& depth) {
  std::vector<std::size_t> first;  // side with the same waves
  for (const WaterSide& side : sides) {
    const auto same = std::find_if(sides.begin(), sides.end(),
                                   [&](const WaterSide& other) { return other.incoming == side.incoming; });
    first.push_back(static_cast<std::size_t>(same - sides.begin()));
  }
  std::vector<PartialSum> parts(2 * sides.size());  // length, and its integral of the depth
  for (const BoundaryFace& face : mesh.boundary()) {
    if (!face.is_owned) continue;
    const real length = mesh.geometry().face_area[face.face];
    parts[2 * first[face.patch]] += length, parts[2 * first[face.patch] + 1] += length * depth[face.cell];
  }
  const std::vector<real> sums = totals(mesh.comm(), parts);
  std::vector<real> means;
  for (const std::size_t of : first) means.push_back(sums[2 * of + 1] / sums[2 * of]);
  return means;
}

}  // namespace

WaterWaves::Data::Data(const LocalMesh& mesh, const WaterProblem& problem) {
  mesh.comm().guard([&] {
    depth = cell_means(mesh, problem.depth, 0);
    for (std::size_t c = 0; c < depth.size(); ++c) {
      require_input(depth[c] > 0, [&] {
        return message("`depth` in [waves] is {:.6g} m at {}, expected a depth above 0: land is no part of the mesh",
                       depth[c], text_of_place(mesh.geometry().cell_centre[c], 2));
      });
      profile.push_back(integrals_of(problem.sea, depth[c]));
    }
  });
  elliptic = p1_stiffness(mesh, of_cells(&ProfileIntegrals::square));
  const MatrixRows mass = mean_mass(mesh, of_cells(&ProfileIntegrals::curvature));
  for (std::size_t k = 0; k < mass.value.size(); ++k) elliptic.value[k] += mass.value[k];
  area = p1_lumped_mass(mesh);
  leaving.assign(area.size(), 0), leaving_vertical.assign(area.size(), 0);
  depth_of_sea = depths_of_seas(mesh, problem.sides, depth);
  const std::vector<PatchNodes> patches = nodes_of_patches(mesh);
  for (std::size_t p = 0; p < patches.size(); ++p) add_side(mesh, problem, static_cast<int>(p), patches[p]);
}

/// The waves keep the speed and flux of each face's depth.
void WaterWaves::Data::add_side(const LocalMesh& mesh, const WaterProblem& problem, int patch,
                                const PatchNodes& nodes) {
  const Sea& sea = problem.sea;
  const WaterSide& side = problem.sides[patch];
  const real passes = (1 - side.reflection) / (1 + side.reflection), of_sea = depth_of_sea[patch];
  std::vector<real> number;  // of each wave
  for (const IncomingWave& wave : side.incoming) {
    number.push_back(model_wave(wave.frequency, of_sea, sea.gravity, integrals_of(sea, of_sea)).number);
  }
  for (const PatchNodes::Side& part : nodes.sides) {
    const BoundaryFace& face = mesh.boundary()[part.boundary_face];
    const real h = depth[face.cell], half = mesh.geometry().face_area[face.face] / 2;
    const ModelWave going = model_wave(sea.frequency, h, sea.gravity, profile[face.cell]);
    for (int k = 0; k < 2; ++k) {
      if (part.place[k] < 0) continue;
      const int node = nodes.node[part.place[k]];
      const real out = half * passes * going.speed;
      leaving[node] += out, leaving_vertical[node] += going.ratio * out;
      for (std::size_t w = 0; w < number.size(); ++w) {
        const IncomingWave& wave = side.incoming[w];
        const ModelWave coming = model_wave(wave.frequency, h, sea.gravity, profile[face.cell]);
        const real in = -half * coming.speed * dot(wave.direction, face.outward_normal);
        incoming[node].push_back(
            {wave.frequency, wave.phase + number[w] * dot(wave.direction, mesh.part().points[node]),
             wave.amplitude * (in + out), wave.amplitude * (coming.ratio * in + going.ratio * out)});
      }
    }
  }
}

WaterWaves::WaterWaves(const LocalMesh& mesh, WaterProblem problem, const SolveControl& control, real time)
    : WaterWaves(mesh, problem, control, time, Data(mesh, problem)) {}

WaterWaves::WaterWaves(const LocalMesh& mesh, WaterProblem problem, const SolveControl& control, real time,
                       const Data& data)
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
      zones_(mesh, problem_.zones, problem_.sea, data.depths_of(problem_.zones)),
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
    for (const Data::Component& of : components) {
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
  const bool passes = std::any_of(data.leaving.begin(), data.leaving.end(), [](real rate) { return rate > 0; });
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
  kinetic_energy_ = dot(potential_, flow_) / 2;
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
    const real mantissa = std::frexp(2 / largest_frequency(), &exponent);
    longest_step_ = std::ldexp(std::floor(std::ldexp(mantissa, digits)), exponent - digits);
  }
  return *longest_step_;
}

void WaterWaves::state_restored() {
  system_.renew_images(past_);
  sample_zones(time_);
  fleet_.move_to(time_);
  fleet_.compute_pressure(pressure_);
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
}

}  // namespace solenoid
