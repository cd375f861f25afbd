#include "operators/convection.hpp"

#include "parallel/backend.hpp"

namespace solenoid {

void rotational_convection(Exchanged<Edge> vorticity, const Field<Cell, Vec3>& velocity,
                           Field<Cell, Vec3>& convection) {
  const LocalMesh& mesh = velocity.mesh();
  const auto omega = as_nodes(mesh, vorticity.view());
  const int* const nodes = mesh.cell_nodes();
  const auto u = velocity.view();
  const auto result = convection.view();
  count_traffic(static_cast<std::int64_t>(3 * sizeof(int)) * mesh.owned<Cell>());
  count_gathered(vorticity.field());
  count_owned(velocity, convection);
  forall(
      mesh.owned<Cell>(), SOLENOID_KERNEL(int i) {
        const Index<Cell> c{i};
        real sum = 0;
        for (int k = 0; k < 3; ++k) sum += omega[Index<Node>{nodes[3 * i + k]}];
        const real mean = sum / 3;
        result[c] = Vec3{-mean * u[c].y, mean * u[c].x, 0};
      });
}

void rotational_convection(const EdgeMeans& in_cells, Exchanged<Edge> vorticity, const Field<Cell, Vec3>& velocity,
                           Field<Cell, Vec3>& convection) {
  const auto mean = in_cells.rows();
  const auto omega = vorticity.view();
  const auto u = velocity.view();
  const auto result = convection.view();
  forall(
      convection.owned(), SOLENOID_KERNEL(int i) {
        const Index<Cell> c{i};
        result[c] = cross(mean(omega, i), u[c]);
      });
}

void carry_momentum(const Field<Face>& flux, Exchanged<Cell, Vec3> velocity, FaceVelocity kind,
                    Field<Face, Vec3>& momentum) {
  const auto cells = flux.mesh().G.view();  // the sign of G is the opposite of D's
  const auto U = flux.view();
  const auto u = velocity.view();
  const auto carried = momentum.view();
  const bool upwind = kind == FaceVelocity::upwind;
  count_traffic(flux.mesh().G.bytes());
  count_gathered(velocity.field());
  count_owned(flux, momentum);
  forall(
      flux.owned(), SOLENOID_KERNEL(int i) {
        const Index<Face> f{i};
        Vec3 sum{};
        real weights = 0;
        for (const auto [c, sign, k] : cells[f]) {
          const real weight = upwind && sign * U[f] > 0 ? real{0} : real{1};
          sum += weight * u[c];
          weights += weight;
        }
        carried[f] = weights > 0 ? (U[f] / weights) * sum : Vec3{};
      });
}

void divergence_convection(Exchanged<Face, Vec3> momentum, Field<Cell, Vec3>& convection) {
  const LocalMesh& mesh = convection.mesh();
  const auto faces = mesh.D.view();
  const auto V = mesh.cell_volume();
  const auto carried = momentum.view();
  const auto result = convection.view();
  count_traffic(mesh.D.bytes() + static_cast<std::int64_t>(sizeof(real)) * mesh.owned<Cell>());
  count_gathered(momentum.field());
  count_owned(convection);
  forall(
      mesh.owned<Cell>(), SOLENOID_KERNEL(int i) {
        const Index<Cell> c{i};
        Vec3 sum{};
        for (const auto [f, sign, k] : faces[c]) sum += sign * carried[f];
        result[c] = sum / V[c];
      });
}

}  // namespace solenoid
