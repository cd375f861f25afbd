#include "physics/flow/flow_fields.hpp"

#include "field/assign.hpp"

namespace solenoid {

void compute_velocity(Exchanged<Node, NodeVelocity> velocities, Field<Node, Vec3>& velocity) {
  const auto nodes = velocities.view();
  const auto u = velocity.view();
  forall(
      velocity.total(), SOLENOID_KERNEL(int i) {
        const Index<Node> n{i};
        u[n] = nodes[n].value;
      });
}

void compute_vorticity(Exchanged<Node, NodeVelocity> velocities, Field<Node>& vorticity) {
  const auto nodes = velocities.view();
  const auto omega = vorticity.view();
  forall(
      vorticity.total(), SOLENOID_KERNEL(int i) {
        const Index<Node> n{i};
        omega[n] = nodes[n].curl().z;
      });
}

void compute_vorticity(Exchanged<Node, NodeVelocity> velocities, Field<Node, Vec3>& vorticity) {
  const auto nodes = velocities.view();
  const auto omega = vorticity.view();
  forall(
      vorticity.total(), SOLENOID_KERNEL(int i) {
        const Index<Node> n{i};
        omega[n] = nodes[n].curl();
      });
}

void compute_q_criterion(Exchanged<Node, NodeVelocity> velocities, Field<Node>& q) {
  const auto nodes = velocities.view();
  const auto result = q.view();
  forall(
      q.total(), SOLENOID_KERNEL(int i) {
        const Index<Node> n{i};
        const Vec3* const g = nodes[n].gradient;
        result[n] = -(g[0].x * g[0].x + g[1].y * g[1].y + g[2].z * g[2].z) / 2 -
                    (g[0].y * g[1].x + g[1].z * g[2].y + g[2].x * g[0].z);
      });
}

void compute_stream_function(Field<Edge>& potential, Field<Node>& stream_function) {
  const auto s = as_nodes(potential.mesh(), halo(potential).view());
  const auto psi = stream_function.view();
  forall(
      stream_function.total(), SOLENOID_KERNEL(int i) {
        const Index<Node> n{i};
        psi[n] = s[n];
      });
}

Field<Cell> zones_of_cells(const LocalMesh& mesh, const std::vector<FlowZone>& zones) {
  const MeshPart& part = mesh.part();
  std::vector<real> numbers =
      zone_numbers(zones, {mesh.dimension(), mesh.geometry().cell_centre, part.cell_region, part.regions});
  numbers.resize(mesh.owned<Cell>());
  Field<Cell> field(mesh, numbers);
  halo(field);
  return field;
}

void compute_viscosity_ratio(const Field<Cell>& of_eddies, real of_fluid, Field<Cell>& ratio) {
  ratio = (1 / of_fluid) * of_eddies;
  halo(ratio);
}

void compute_divergence(Field<Face>& flux, Field<Cell>& divergence) {
  const LocalMesh& mesh = flux.mesh();
  const auto faces = mesh.D.view();
  const auto V = mesh.cell_volume();
  const auto U = halo(flux).view();
  const auto d = divergence.view();
  forall(
      mesh.owned<Cell>(), SOLENOID_KERNEL(int i) {
        const Index<Cell> c{i};
        real sum = 0;
        for (const auto [f, sign, k] : faces[c]) sum += sign * U[f];
        d[c] = sum / V[c];
      });
  halo(divergence);
}

void compute_wall_shear(Exchanged<Node, NodeVelocity> velocities, const NodeViscosity& viscosity,
                        BoundaryField<Vec3>& shear) {
  const NodeViscosity nu = viscosity;
  const BoundaryView walls = shear.mesh().boundary().owned();
  const auto nodes = velocities.view();
  Vec3* const result = shear.data();
  const int corners = shear.mesh().dimension();
  forall(
      walls.count, SOLENOID_KERNEL(int i) {
        const Vec3 n = walls.outward_normal[i];
        Vec3 strain{};
        for (int k = corners * i; k < corners * (i + 1); ++k) {
          strain += nu.relative(walls.node[k]) * nodes[Index<Node>{walls.node[k]}].strain(n);
        }
        strain = strain / corners;
        result[walls.place[i]] = -nu.factor * (strain - dot(strain, n) * n);
      });
}

DeviceArray<char> walls_of(const LocalMesh& mesh, const FlowBoundaries& boundaries) {
  std::vector<char> is_wall;
  for (const BoundaryFace& face : mesh.boundary()) {
    if (face.is_owned) is_wall.push_back(boundaries.is_wall(face.patch) || boundaries.wall_law(face.patch));
  }
  return DeviceArray<char>(is_wall);
}

void compute_y_plus(const BoundaryField<Vec3>& shear, const NodeViscosity& viscosity, const DeviceArray<char>& is_wall,
                    BoundaryField<real>& y_plus) {
  const NodeViscosity nu = viscosity;
  const LocalMesh& mesh = shear.mesh();
  const BoundaryView faces = mesh.boundary().owned();
  const auto V = mesh.cell_volume();
  const Vec3* const friction = shear.data();
  const char* const sticks = is_wall.data();
  real* const result = y_plus.data();
  const int corners = mesh.dimension();
  const real d = static_cast<real>(corners), share = d / (d + 1);  // centre of a simplex: V = A height / d
  forall(
      faces.count, SOLENOID_KERNEL(int i) {
        const real y = share * V[Index<Cell>{faces.cell[i]}] / norm(faces.outward_area[i]);
        const real speed = sqrt(norm(friction[faces.place[i]]));
        real sum = 0;
        for (int k = corners * i; k < corners * (i + 1); ++k) sum += nu.relative(faces.node[k]);
        const real at_wall = nu.factor * (sum / d);
        result[faces.place[i]] = sticks[i] ? speed * y / at_wall : 0;
      });
}

}  // namespace solenoid
