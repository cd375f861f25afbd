#include "physics/flow/boundary/boundary_velocity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/partial_sum.hpp"
#include "base/vec3.hpp"
#include "model/time_scheme.hpp"
#include "operators/boundary_circulation.hpp"
#include "physics/flow/boundary/inlet_profile.hpp"
#include "physics/flow/boundary/inlet_turbulence.hpp"
#include "physics/flow/boundary/recycled_inflow.hpp"

namespace solenoid {

namespace {

/// Values at the places, by `of_patch(patch, its places)`.
template <class T, class OfPatch>
std::vector<T> sample(std::span<const BoundaryPlace> places, const OfPatch& of_patch) {
  std::vector<std::vector<std::size_t>> on_patch;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const auto patch = static_cast<std::size_t>(places[k].patch);
    if (on_patch.size() <= patch) on_patch.resize(patch + 1);
    on_patch[patch].push_back(k);
  }
  std::vector<T> values(places.size());
  for (std::size_t p = 0; p < on_patch.size(); ++p) {
    if (on_patch[p].empty()) continue;
    std::vector<BoundaryPlace> there;
    for (const std::size_t k : on_patch[p]) there.push_back(places[k]);
    const std::vector<T> of_places = of_patch(static_cast<int>(p), there);
    for (std::size_t k = 0; k < of_places.size(); ++k) values[on_patch[p][k]] = of_places[k];
  }
  return values;
}

std::vector<Vec3> points_of(std::span<const BoundaryPlace> places) {
  std::vector<Vec3> points;
  for (const BoundaryPlace& place : places) points.push_back(place.at);
  return points;
}

}  // namespace

std::vector<Vec3> mean_velocities_at(const FlowBoundary& condition, std::span<const BoundaryPlace> places, real time) {
  const Coefficient<Vec3>* const velocity = given_velocity(condition);
  if (!velocity) return std::vector<Vec3>(places.size());
  const InletRate* const rate = given_rate(condition);
  if (!rate) return velocity->at(points_of(places), time);
  std::vector<Vec3> values = rate->profile->at(places);
  const real of_profile = rate_of_profile(*rate, rate->rate.at(Vec3{}, time), time);
  for (Vec3& value : values) value *= of_profile;
  if (!rate->recycled) return values;
  const std::vector<Vec3> besides = rate->recycled->at(places, time);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] += besides[k];
  return values;
}

std::vector<Vec3> velocities_with_gusts_at(const FlowBoundary& condition, std::span<const BoundaryPlace> places,
                                           real time) {
  std::vector<Vec3> values = mean_velocities_at(condition, places, time);
  if (const InletTurbulence* const turbulence = entering_turbulence(condition)) {
    for (Vec3& value : values) value *= 1 + 3 * turbulence->intensity();
  }
  return values;
}

std::vector<Vec3> velocities_at(const FlowBoundary& condition, std::span<const BoundaryPlace> places, real time) {
  std::vector<Vec3> values = mean_velocities_at(condition, places, time);
  const InletTurbulence* const turbulence = entering_turbulence(condition);
  if (!turbulence) return values;
  const std::vector<Vec3> besides = turbulence->at(places, time);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] += besides[k];
  return values;
}

std::vector<Vec3> sample_velocity(const FlowBoundaries& boundaries, std::span<const BoundaryPlace> places, real time) {
  return sample<Vec3>(places, [&](int patch, std::span<const BoundaryPlace> there) {
    return velocities_at(boundaries.on(patch), there, time);
  });
}

std::vector<Vec3> sample_mean_velocity(const FlowBoundaries& boundaries, std::span<const BoundaryPlace> places,
                                       real time) {
  return sample<Vec3>(places, [&](int patch, std::span<const BoundaryPlace> there) {
    return mean_velocities_at(boundaries.on(patch), there, time);
  });
}

std::vector<real> sample_pressure(const FlowBoundaries& boundaries, std::span<const BoundaryPlace> places, real time) {
  return sample<real>(places, [&](int patch, std::span<const BoundaryPlace> there) {
    const Outlet* const outlet = boundaries.outlet(patch);
    return outlet ? outlet->pressure.at(points_of(there), time) : std::vector<real>();
  });
}

std::vector<Vec3> sample_direction(const FlowBoundaries& boundaries, std::span<const BoundaryPlace> places) {
  return sample<Vec3>(places, [&](int patch, std::span<const BoundaryPlace> there) {
    const Outlet* const outlet = boundaries.outlet(patch);
    return outlet && outlet->direction ? outlet->direction->at(points_of(there), 0) : std::vector<Vec3>();
  });
}

std::vector<BoundaryPlace> places_on_boundary(const LocalMesh& mesh) {
  const auto per_face = static_cast<std::size_t>(mesh.dimension());
  std::vector<BoundaryPlace> places;
  for (const Vec3& at : boundary_places(mesh)) {
    const BoundaryFace& b = mesh.boundary()[places.size() / per_face];
    places.push_back({b.patch, at, mesh.numbering<Face>().global_id[b.face]});
  }
  return places;
}

std::vector<BoundaryPlace> centres_of_faces(const LocalMesh& mesh) {
  std::vector<BoundaryPlace> centres;
  for (const BoundaryFace& b : mesh.boundary()) {
    if (!b.is_owned) continue;
    centres.push_back({b.patch, mesh.geometry().face_centre[b.face], mesh.numbering<Face>().global_id[b.face]});
  }
  return centres;
}

std::vector<BoundaryPlace> centres_of_outlets(const LocalMesh& mesh, const FlowBoundaries& boundaries) {
  std::vector<BoundaryPlace> centres = centres_of_faces(mesh);
  std::erase_if(centres, [&](const BoundaryPlace& place) { return !boundaries.outlet(place.patch); });
  return centres;
}

Vec3 mean_on_face(const LocalMesh& mesh, std::span<const Vec3> velocity, int face) {
  const auto per_face = static_cast<std::size_t>(mesh.dimension());
  Vec3 sum;
  for (const Vec3& u : velocity.subspan(per_face * static_cast<std::size_t>(face), per_face)) sum += u;
  return sum / static_cast<real>(per_face);
}

real largest_speed(const Comm& comm, std::span<const Vec3> velocity) {
  real largest = 0;
  for (const Vec3& u : velocity) largest = std::max(largest, norm(u));
  return comm.max(largest);
}

real courant_rate_in_cell(const Geometry& geometry, int cell, std::span<const int> faces, const Vec3& u) {
  real flow = 0;
  for (const int f : faces) flow += std::abs(dot(u, geometry.face_normal[f])) * geometry.face_area[f];
  return flow / (2 * geometry.cell_volume[cell]);
}

namespace {

/// courant_rate_of_boundary() of the flow rates of outlets, spread over them. Collective.
real courant_rate_of_outlet_rates(const LocalMesh& mesh, const FlowBoundaries& boundaries, real begin, real end,
                                  int moments) {
  const IncidenceRows& faces = mesh.D.host();
  const std::size_t patches = mesh.part().patches.size();
  std::vector<PartialSum> areas(patches);
  std::vector<real> of_unit(patches, 0);  // of a speed of 1
  for (const BoundaryFace& b : mesh.boundary()) {
    if (!b.is_owned || !given_outlet_rate(boundaries.on(b.patch))) continue;
    const std::span of_cell(&faces.index[faces.offset[b.cell]], &faces.index[faces.offset[b.cell + 1]]);
    areas[b.patch] += norm(b.outward_area);
    of_unit[b.patch] =
        std::max(of_unit[b.patch], courant_rate_in_cell(mesh.geometry(), b.cell, of_cell, b.outward_normal));
  }
  const std::vector<real> area = totals(mesh.comm(), areas);
  real largest = 0;
  mesh.comm().guard([&] {
    for (std::size_t p = 0; p < patches; ++p) {
      const OutletRate* const given = given_outlet_rate(boundaries.on(static_cast<int>(p)));
      for (int k = 0; given && k < moments; ++k) {
        const real flux = given->rate.at(Vec3{}, begin + (end - begin) * uneven_place(k));
        largest = std::max(largest, std::abs(flux) / area[p] * of_unit[p]);
      }
    }
  });
  return largest;
}

/// Whether velocities_with_gusts_at() change in time: turbulence by itself does not change them.
bool velocity_depends_on_time(const FlowBoundary& condition) {
  const Coefficient<Vec3>* const velocity = given_velocity(condition);
  const InletRate* const rate = given_rate(condition);
  return (velocity && velocity->depends_on_time()) || (rate && rate->recycled);
}

}  // namespace

real courant_rate_of_boundary(const LocalMesh& mesh, const FlowBoundaries& boundaries, real begin, real end,
                              int moments) {
  const IncidenceRows& faces = mesh.D.host();
  const std::vector<BoundaryPlace> all = places_on_boundary(mesh);
  std::vector<BoundaryPlace> places;
  std::vector<int> cells;
  const auto select = [&](const auto& is_selected) {
    places.clear(), cells.clear();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const BoundaryFace& b = mesh.boundary()[i / static_cast<std::size_t>(mesh.dimension())];
      if (b.is_owned && is_selected(boundaries.on(b.patch))) places.push_back(all[i]), cells.push_back(b.cell);
    }
  };
  real largest = courant_rate_of_outlet_rates(mesh, boundaries, begin, end, moments);
  mesh.comm().guard([&] {
    select([](const FlowBoundary&) { return true; });
    for (int k = 0; k < moments; ++k) {
      if (k == 1) select(velocity_depends_on_time);
      const real time = begin + (end - begin) * uneven_place(k);
      const std::vector<Vec3> velocity = sample<Vec3>(places, [&](int patch, std::span<const BoundaryPlace> there) {
        return velocities_with_gusts_at(boundaries.on(patch), there, time);
      });
      for (std::size_t i = 0; i < places.size(); ++i) {
        const RotatingFrame* const frame = boundaries.frame_of_wall(places[i].patch);
        const Vec3 u = frame ? velocity[i] - frame->velocity(places[i].at) : velocity[i];
        const std::span of_cell(&faces.index[faces.offset[cells[i]]], &faces.index[faces.offset[cells[i] + 1]]);
        largest = std::max(largest, courant_rate_in_cell(mesh.geometry(), cells[i], of_cell, u));
      }
    }
  });
  return mesh.comm().max(largest);
}

real courant_rate_of_outlets(const LocalMesh& mesh, const FlowBoundaries& boundaries, real begin, real end,
                             int moments) {
  const IncidenceRows& faces = mesh.D.host();
  const std::vector<BoundaryPlace> centres = centres_of_outlets(mesh, boundaries);
  constexpr real beyond_all = std::numeric_limits<real>::max();
  real low = beyond_all, high = -beyond_all, rate = 0;  // rate: of a speed of 1
  for (const BoundaryFace& b : mesh.boundary()) {
    if (!b.is_owned || !boundaries.outlet(b.patch)) continue;
    const std::span of_cell(&faces.index[faces.offset[b.cell]], &faces.index[faces.offset[b.cell + 1]]);
    rate = std::max(rate, courant_rate_in_cell(mesh.geometry(), b.cell, of_cell, b.outward_normal));
  }
  mesh.comm().guard([&] {
    for (int k = 0; k < (boundaries.depends_on_time() ? moments : 1); ++k) {
      const std::vector<real> pressures = sample_pressure(boundaries, centres, begin + (end - begin) * uneven_place(k));
      for (std::size_t i = 0; i < centres.size(); ++i) {
        const auto* const vessels = std::get_if<Windkessel>(&boundaries.outlet(centres[i].patch)->behind);
        const real pressure = pressures[i] + (vessels ? vessels->initial : 0);
        low = std::min(low, pressure);
        high = std::max(high, pressure);
      }
    }
  });
  low = mesh.comm().min(low);
  high = mesh.comm().max(high);
  rate = mesh.comm().max(rate);
  return high > low ? std::sqrt(2 * (high - low)) * rate : 0;
}

void require_possible(const LocalMesh& mesh, const FlowBoundaries& boundaries, std::span<const Vec3> velocity,
                      real largest) {
  const bool is_planar = mesh.dimension() == 2;
  const auto per_face = static_cast<std::size_t>(mesh.dimension());
  for (int i = 0; i < mesh.boundary().size(); ++i) {
    const int f = mesh.boundary()[i].face, patch = mesh.boundary()[i].patch;
    const Vec3 u = mean_on_face(mesh, velocity, i);
    const auto place = [&] { return text_of_place(mesh.geometry().face_centre[f], mesh.dimension()); };
    if (!boundaries.is_wall(patch) || boundaries.turns(patch)) {
      const auto of_face = velocity.subspan(per_face * static_cast<std::size_t>(i), per_face);
      require_input(!is_planar || (of_face[0].z == 0 && of_face[1].z == 0), [&] {
        return message(
            "boundary \"{}\" at {}: its velocity ({:.6g}, {:.6g}, {:.6g}) m/s has a z-component; a 2D flow has none",
            mesh.part().patches[patch], place(), u.x, u.y, u.z);
      });
      continue;
    }
    const real normal = dot(u, mesh.geometry().face_normal[f]), of_facets = is_planar ? 0 : norm(u) / 10;
    require_input(std::abs(normal) <= 1e-10 * largest + of_facets && (!is_planar || u.z == 0), [&] {
      return message(
          "wall \"{}\" at {}: its velocity ({:.6g}, {:.6g}, {:.6g}) m/s is not along the wall (normal part {:.3g} "
          "m/s): a wall's velocity must be tangential{}",
          mesh.part().patches[patch], place(), u.x, u.y, u.z, normal, is_planar ? " and, in 2D, have z = 0" : "");
    });
  }
}

}  // namespace solenoid
