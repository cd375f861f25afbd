#include "physics/flow/balance/wall_pressure.hpp"

#include "parallel/backend.hpp"

namespace solenoid {

WallPressure::WallPressure(const LocalMesh& mesh) : mesh_(mesh), points_(mesh.part().points) {
  const Geometry& geometry = mesh.geometry();
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
  const Vec3* const points = points_.data();
  const int count = mesh_.dimension() + 1;
  forall(
      mesh_.owned<Cell>(), SOLENOID_KERNEL(int c) {
        Vec3 position[4];
        NodeVelocity node[4];
        real weight[4];
        Vec3 sum;
        for (int k = 0; k < count; ++k) {
          position[k] = points[places[count * c + k]];
          sum += position[k];
          node[k] = nodes[Index<Node>{corners[count * c + k]}];
          weight[k] = real{1} / count;
        }
        u[Index<Cell>{c}] = interpolate_velocity(count, position, node, weight, sum / static_cast<real>(count));
      });
}

void WallPressure::compute(const Field<Cell>& pressure, const Field<Face>& inertia,
                           Exchanged<Node, NodeVelocity> velocities, const NodeViscosity& nu,
                           BoundaryField<real>& of_walls) const {
  const BoundaryView walls = mesh_.boundary().owned();
  const auto cells = mesh_.G.view();
  const auto nodes = velocities.view();
  const auto p = pressure.view();
  const auto along_dual = inertia.view();
  const int *const corners = mesh_.cell_nodes(), *const places = mesh_.cell_points();
  const Vec3 *const points = points_.data(), *const arms = arms_.data();
  const int count = mesh_.dimension() + 1;
  const NodeViscosity viscosity = nu;
  real* const result = of_walls.data();
  forall(
      walls.count, SOLENOID_KERNEL(int i) {
        const Index<Face> f{walls.face[i]};
        const int c = walls.cell[i], *const n = corners + count * c, *const x = places + count * c;
        const real outward = -(*cells[f].begin()).sign;  // G = -D^T
        const Vec3 side[3] = {points[x[1]] - points[x[0]], points[x[2]] - points[x[0]],
                              count == 4 ? points[x[3]] - points[x[0]] : Vec3{0, 0, 1}};
        const real volume = dot(side[0], cross(side[1], side[2]));
        Vec3 of_stress{};  // sum_k grad(lambda_k) x omega_k, or -sum_k nu_k (grad u_k + grad u_k^T) grad(lambda_k)
        for (int k = 0; k < count - 1; ++k) {
          const Vec3 gradient = cross(side[(k + 1) % 3], side[(k + 2) % 3]) / volume;
          const NodeVelocity &beyond = nodes[Index<Node>{n[k + 1]}], &first = nodes[Index<Node>{n[0]}];
          if (viscosity.of_nodes) {
            of_stress += viscosity.relative(n[0]) * first.strain(gradient) -
                         viscosity.relative(n[k + 1]) * beyond.strain(gradient);
          } else {
            of_stress += cross(gradient, beyond.curl() - first.curl());
          }
        }
        const real friction = viscosity.factor * dot(of_stress, arms[i]);
        result[walls.place[i]] = p[Index<Cell>{c}] - outward * along_dual[f] - friction;
      });
}

/// |u|^2 of the wall at each owned boundary face.
DeviceArray<real> WallPressure::squared_speeds(const FlowBoundaries& boundaries, real time) const {
  std::vector<real> of_wall;
  mesh_.comm().guard([&] {
    for (const Vec3& u : sample_velocity(boundaries, centres_of_faces(mesh_), time)) of_wall.push_back(dot(u, u));
  });
  return DeviceArray<real>(of_wall);
}

void WallPressure::add_kinetic_part(const Field<Cell, Vec3>& velocity, const FlowBoundaries& boundaries, real time,
                                    BoundaryField<real>& of_walls) const {
  subtract_kinetic_part(boundaries, time, of_walls);
  const BoundaryView faces = mesh_.boundary().owned();
  const auto u = velocity.view();
  real* const result = of_walls.data();
  forall(
      faces.count, SOLENOID_KERNEL(int i) {
        const Vec3 inside = u[Index<Cell>{faces.cell[i]}];
        result[faces.place[i]] += dot(inside, inside) / 2;
      });
}

void WallPressure::subtract_kinetic_part(const FlowBoundaries& boundaries, real time,
                                         BoundaryField<real>& of_walls) const {
  const DeviceArray<real> squares = squared_speeds(boundaries, time);
  const BoundaryView faces = mesh_.boundary().owned();
  const real* const square = squares.data();
  real* const result = of_walls.data();
  forall(
      faces.count, SOLENOID_KERNEL(int i) { result[faces.place[i]] -= square[i] / 2; });
}

}  // namespace solenoid
