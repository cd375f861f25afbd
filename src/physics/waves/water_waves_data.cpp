#include "physics/waves/water_waves_data.hpp"

#include <algorithm>
#include <numbers>

#include "base/error.hpp"
#include "base/partial_sum.hpp"
#include "operators/mean_mass.hpp"
#include "operators/p1.hpp"

namespace solenoid {

namespace {

/// By patch: the means along all sides with the same incoming waves. `current` may be empty. Collective.
std::vector<WaterAtSides> means_along_seas(const LocalMesh& mesh, const std::vector<WaterSide>& sides,
                                           const std::vector<real>& depth, const std::vector<Vec3>& current) {
  constexpr std::size_t sums_of_side = 4;  // length, and its integrals of the depth and the current
  std::vector<std::size_t> first;          // side with the same waves
  for (const WaterSide& side : sides) {
    const auto same = std::find_if(sides.begin(), sides.end(),
                                   [&](const WaterSide& other) { return other.incoming == side.incoming; });
    first.push_back(sums_of_side * static_cast<std::size_t>(same - sides.begin()));
  }
  std::vector<PartialSum> parts(sums_of_side * sides.size());
  for (const BoundaryFace& face : mesh.boundary()) {
    if (!face.is_owned) continue;
    const real length = mesh.geometry().face_area[face.face];
    PartialSum* const part = &parts[first[face.patch]];
    part[0] += length, part[1] += length * depth[face.cell];
    if (!current.empty()) part[2] += length * current[face.cell].x, part[3] += length * current[face.cell].y;
  }
  const std::vector<real> sums = totals(mesh.comm(), parts);
  std::vector<WaterAtSides> means;
  for (const std::size_t of : first) {
    const real* const sum = &sums[of];
    means.push_back({sum[1] / sum[0], Vec3{sum[2] / sum[0], sum[3] / sum[0], 0}});
  }
  return means;
}

}  // namespace

WaterWavesData::WaterWavesData(const LocalMesh& mesh, const WaterProblem& problem) {
  mesh.comm().guard([&] {
    depth = cell_means(mesh, problem.depth, 0);
    for (std::size_t c = 0; c < depth.size(); ++c) {
      require_input(depth[c] > 0, [&] {
        return message("`depth` in [waves] is {:.6g} m at {}, expected a depth above 0: land is no part of the mesh",
                       depth[c], text_of_place(mesh.geometry().cell_centre[c], 2));
      });
      profile.push_back(integrals_of(problem.sea, depth[c]));
    }
    current = cell_velocities(mesh, problem.current);
    require_subcritical(mesh, current, depth, problem.sea.gravity);
  });
  elliptic = p1_stiffness(mesh, of_cells(&ProfileIntegrals::square));
  const MatrixRows mass = mean_mass(mesh, of_cells(&ProfileIntegrals::curvature));
  for (std::size_t k = 0; k < mass.value.size(); ++k) elliptic.value[k] += mass.value[k];
  area = p1_lumped_mass(mesh);
  leaving.assign(area.size(), 0), leaving_vertical.assign(area.size(), 0);
  sea = means_along_seas(mesh, problem.sides, depth, current);
  const std::vector<PatchNodes> patches = nodes_of_patches(mesh);
  mesh.comm().guard([&] {
    for (std::size_t p = 0; p < patches.size(); ++p) add_side(mesh, problem, static_cast<int>(p), patches[p]);
  });
}

std::vector<WaterAtSides> WaterWavesData::sea_of(const std::vector<ZoneSettings>& zones) const {
  std::vector<WaterAtSides> of_zones;
  for (const ZoneSettings& zone : zones) of_zones.push_back(sea[zone.patches.front()]);
  return of_zones;
}

std::vector<real> WaterWavesData::of_cells(real ProfileIntegrals::*which) const {
  std::vector<real> values;
  for (const ProfileIntegrals& of : profile) values.push_back(of.*which);
  return values;
}

namespace {

/// Throws Error (exit code 2) if the current is too fast for it.
ModelWave wave_at_side(const WaterProblem& problem, real frequency, real along, real depth, const ProfileIntegrals& of,
                       const Vec3& place) {
  const auto wave = wave_on_current(frequency, along, depth, problem.sea.gravity, of);
  require_input(wave.has_value(), [&] {
    return message(
        "waves of a period of {:.4g} s cannot run against the current of `velocity` in [waves] at the boundary near "
        "{}, {:.4g} m/s: take longer waves, a weaker current, or a boundary where it is weaker",
        2 * std::numbers::pi_v<real> / frequency, text_of_place(place, 2), -along);
  });
  return *wave;
}

}  // namespace

/// The waves keep the speed and flux of each face's depth and current. A current carries water out through an open
/// side, and none through a quay.
void WaterWavesData::add_side(const LocalMesh& mesh, const WaterProblem& problem, int patch, const PatchNodes& nodes) {
  const Sea& waters = problem.sea;
  const WaterSide& side = problem.sides[patch];
  const real passes = (1 - side.reflection) / (1 + side.reflection);
  const WaterAtSides& means = sea[patch];
  const ProfileIntegrals of_means = integrals_of(waters, means.depth);
  std::vector<real> number;  // of each wave
  for (const IncomingWave& wave : side.incoming) {
    number.push_back(wave_at_side(problem, wave.frequency, dot(means.current, wave.direction), means.depth, of_means,
                                  mesh.part().points.front())
                         .number);
  }
  for (const PatchNodes::Side& part : nodes.sides) {
    const BoundaryFace& face = mesh.boundary()[part.boundary_face];
    const Vec3& normal = face.outward_normal;
    const Vec3 moves = current.empty() ? Vec3{} : current[face.cell];
    const real h = depth[face.cell], half = mesh.geometry().face_area[face.face] / 2,
               carried = side.is_open ? half * dot(moves, normal) : 0;
    const auto wave_here = [&](real frequency, const Vec3& direction) {
      return wave_at_side(problem, frequency, dot(moves, direction), h, profile[face.cell],
                          mesh.geometry().face_centre[face.face]);
    };
    if (passes == 0) continue;
    const ModelWave going = wave_here(waters.frequency, normal);
    for (int k = 0; k < 2; ++k) {
      if (part.place[k] < 0) continue;
      const int node = nodes.node[part.place[k]];
      const real out = half * passes * going.speed;
      leaving[node] += out + carried, leaving_vertical[node] += going.ratio * out;
      for (std::size_t w = 0; w < number.size(); ++w) {
        const IncomingWave& wave = side.incoming[w];
        const ModelWave coming = wave_here(wave.frequency, wave.direction);
        const real in = -half * coming.speed * dot(wave.direction, normal);
        incoming[node].push_back(
            {wave.frequency, wave.phase + number[w] * dot(wave.direction, mesh.part().points[node]),
             wave.amplitude * (in + out), wave.amplitude * (coming.ratio * in + going.ratio * out)});
      }
    }
  }
}

}  // namespace solenoid
