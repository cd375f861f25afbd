#include "physics/boundary_velocity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "physics/time_scheme.hpp"

namespace solenoid {

std::vector<std::array<Vec3, 2>> sample_ends(const LocalMesh& mesh, const FlowBoundaries& boundaries, real time) {
  const MeshPart& part = mesh.part();
  const Boundary& faces = mesh.boundary();
  std::vector<std::array<Vec3, 2>> velocity(faces.size());
  std::vector<std::vector<std::size_t>> of_patch(part.patches.size());
  for (std::size_t i = 0; i < velocity.size(); ++i) of_patch[faces[i].patch].push_back(i);
  for (std::size_t p = 0; p < of_patch.size(); ++p) {
    const Given<Vec3>* const given = boundaries.velocity(static_cast<int>(p));
    if (!given) continue;
    std::vector<Vec3> ends;
    for (const std::size_t i : of_patch[p]) {
      for (const int point : part.face_points_of(faces[i].face)) ends.push_back(part.points[point]);
    }
    const std::vector<Vec3> there = given->at(ends, time);
    for (std::size_t k = 0; k < of_patch[p].size(); ++k) velocity[of_patch[p][k]] = {there[2 * k], there[2 * k + 1]};
  }
  return velocity;
}

real largest_speed(const Comm& comm, const std::vector<std::array<Vec3, 2>>& end_velocity) {
  real largest = 0;
  for (const auto& ends : end_velocity) largest = std::max({largest, norm(ends[0]), norm(ends[1])});
  return comm.max(largest);
}

real courant_rate_in_cell(const Geometry& geometry, int cell, std::span<const int> faces, const Vec3& u) {
  real flow = 0;
  for (const int f : faces) flow += std::abs(dot(u, geometry.face_normal[f])) * geometry.face_area[f];
  return flow / (2 * geometry.cell_volume[cell]);
}

real courant_rate_of_boundary(const LocalMesh& mesh, const FlowBoundaries& boundaries, real begin, real end,
                              int moments) {
  const IncidenceRows& faces = mesh.D.host();
  real largest = 0;
  mesh.comm().guard([&] {
    for (int k = 0; k < moments; ++k) {
      const auto ends = sample_ends(mesh, boundaries, begin + (end - begin) * uneven_place(k));
      for (std::size_t i = 0; i < ends.size(); ++i) {
        if (!mesh.boundary()[i].is_owned) continue;
        const int c = mesh.boundary()[i].cell;
        const std::span of_cell(&faces.index[faces.offset[c]], &faces.index[faces.offset[c + 1]]);
        for (const Vec3& u : ends[i]) largest = std::max(largest, courant_rate_in_cell(mesh.geometry(), c, of_cell, u));
      }
    }
  });
  return mesh.comm().max(largest);
}

real courant_rate_of_outlets(const LocalMesh& mesh, const FlowBoundaries& boundaries, real begin, real end,
                             int moments) {
  const IncidenceRows& faces = mesh.D.host();
  constexpr real beyond_all = std::numeric_limits<real>::max();
  real low = beyond_all, high = -beyond_all, rate = 0;  // of a speed of 1
  mesh.comm().guard([&] {
    for (const BoundaryFace& b : mesh.boundary()) {
      const Outlet* const outlet = boundaries.outlet(b.patch);
      if (!b.is_owned || !outlet) continue;
      const std::span of_cell(&faces.index[faces.offset[b.cell]], &faces.index[faces.offset[b.cell + 1]]);
      rate = std::max(rate, courant_rate_in_cell(mesh.geometry(), b.cell, of_cell, b.outward_normal));
      for (int k = 0; k < (outlet->pressure.depends_on_time() ? moments : 1); ++k) {
        const real time = begin + (end - begin) * uneven_place(k);
        const real pressure = outlet->pressure.at(mesh.geometry().face_centre[b.face], time);
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

void require_possible(const LocalMesh& mesh, const FlowBoundaries& boundaries,
                      const std::vector<std::array<Vec3, 2>>& end_velocity, real largest) {
  for (std::size_t i = 0; i < end_velocity.size(); ++i) {
    const int f = mesh.boundary()[i].face, patch = mesh.boundary()[i].patch;
    const Vec3 u = (end_velocity[i][0] + end_velocity[i][1]) / 2;
    if (!boundaries.is_wall(patch)) {
      require_input(end_velocity[i][0].z == 0 && end_velocity[i][1].z == 0, [&] {
        const Vec3& x = mesh.geometry().face_centre[f];
        return message(
            "boundary \"{}\" at ({:.6g}, {:.6g}): its velocity ({:.6g}, {:.6g}, {:.6g}) m/s has a z-component; a 2D "
            "flow "
            "has none",
            mesh.part().patches[patch], x.x, x.y, u.x, u.y, u.z);
      });
      continue;
    }
    const real normal = dot(u, mesh.geometry().face_normal[f]);
    require_input(std::abs(normal) <= 1e-10 * largest && u.z == 0, [&] {
      const Vec3& x = mesh.geometry().face_centre[f];
      return message(
          "wall \"{}\" at ({:.6g}, {:.6g}): its velocity ({:.6g}, {:.6g}, {:.6g}) m/s is not along the wall (normal "
          "part {:.3g} "
          "m/s): a wall's velocity must be tangential and, in 2D, have z = 0",
          mesh.part().patches[patch], x.x, x.y, u.x, u.y, u.z, normal);
    });
  }
}

}  // namespace solenoid
