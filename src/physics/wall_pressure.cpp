#include "physics/wall_pressure.hpp"

#include "parallel/backend.hpp"

namespace solenoid {

WallPressure::WallPressure(const LocalMesh& mesh) : mesh_(mesh), points_(mesh.part().points) {
  const Geometry& geometry = mesh.geometry();
  centres_ = DeviceArray<Vec3>(
      std::vector<Vec3>(geometry.cell_centre.begin(), geometry.cell_centre.begin() + mesh.owned<Cell>()));
  std::vector<Vec3> arms;
  for (const BoundaryFace& b : mesh.boundary()) {
    if (b.is_owned) arms.push_back(geometry.face_centre[b.face] - geometry.cell_centre[b.cell]);
  }
  arms_ = DeviceArray<Vec3>(arms);
}

void WallPressure::velocity_at_centres(Exchanged<Node, NodeVelocity> velocities, Field<Cell, Vec3>& velocity) const {
  const auto nodes = velocities.view();
  const auto u = velocity.view();
  const int *const corners = mesh_.cell_nodes(), *const places = mesh_.cell_points();
  const Vec3 *const points = points_.data(), *const centres = centres_.data();
  forall(
      mesh_.owned<Cell>(), SOLENOID_KERNEL(int c) {
        Vec3 position[3];
        NodeVelocity node[3];
        const real weight[3] = {real{1} / 3, real{1} / 3, real{1} / 3};
        for (int k = 0; k < 3; ++k) {
          position[k] = points[places[3 * c + k]];
          node[k] = nodes[Index<Node>{corners[3 * c + k]}];
        }
        u[Index<Cell>{c}] = interpolate_velocity(3, position, node, weight, centres[c]);
      });
}

void WallPressure::find(const Field<Cell>& pressure, const Field<Face>& inertia,
                        Exchanged<Node, NodeVelocity> velocities, real viscosity, BoundaryField<real>& of_walls) const {
  const BoundaryView walls = mesh_.boundary().owned();
  const auto cells = mesh_.G.view();
  const auto nodes = velocities.view();
  const auto p = pressure.view();
  const auto along_dual = inertia.view();
  const int *const corners = mesh_.cell_nodes(), *const places = mesh_.cell_points();
  const Vec3 *const points = points_.data(), *const arms = arms_.data();
  real* const result = of_walls.data();
  forall(
      walls.count, SOLENOID_KERNEL(int i) {
        const Index<Face> f{walls.face[i]};
        const int c = walls.cell[i], *const n = corners + 3 * c, *const x = places + 3 * c;
        const real outward = -(*cells[f].begin()).sign;  // G = -D^T
        const Vec3 a = points[x[1]] - points[x[0]], b = points[x[2]] - points[x[0]];
        const real omega = nodes[Index<Node>{n[0]}].curl().z, along_a = nodes[Index<Node>{n[1]}].curl().z - omega,
                   along_b = nodes[Index<Node>{n[2]}].curl().z - omega;
        const Vec3 curl_of_vorticity = (along_b * a - along_a * b) / cross(a, b).z;
        const real friction = viscosity * dot(curl_of_vorticity, arms[i]);
        result[walls.place[i]] = p[Index<Cell>{c}] - outward * along_dual[f] - friction;
      });
}

/// |u|^2 of the wall at each owned boundary face.
DeviceArray<real> WallPressure::squared_speeds(const FlowBoundaries& boundaries, real time) const {
  std::vector<real> of_wall;
  mesh_.comm().guard([&] {
    for (const BoundaryFace& b : mesh_.boundary()) {
      if (!b.is_owned) continue;
      const Vec3 u = boundaries.velocity(b.patch)->at(mesh_.geometry().face_centre[b.face], time);
      of_wall.push_back(dot(u, u));
    }
  });
  return DeviceArray<real>(of_wall);
}

void WallPressure::add_kinetic_part(const Field<Cell, Vec3>& velocity, const FlowBoundaries& boundaries, real time,
                                    BoundaryField<real>& of_walls) const {
  take_off_kinetic_part(boundaries, time, of_walls);
  const BoundaryView faces = mesh_.boundary().owned();
  const auto u = velocity.view();
  real* const result = of_walls.data();
  forall(
      faces.count, SOLENOID_KERNEL(int i) {
        const Vec3 inside = u[Index<Cell>{faces.cell[i]}];
        result[faces.place[i]] += dot(inside, inside) / 2;
      });
}

void WallPressure::take_off_kinetic_part(const FlowBoundaries& boundaries, real time,
                                         BoundaryField<real>& of_walls) const {
  const DeviceArray<real> squares = squared_speeds(boundaries, time);
  const BoundaryView faces = mesh_.boundary().owned();
  const real* const square = squares.data();
  real* const result = of_walls.data();
  forall(
      faces.count, SOLENOID_KERNEL(int i) { result[faces.place[i]] -= square[i] / 2; });
}

}  // namespace solenoid
