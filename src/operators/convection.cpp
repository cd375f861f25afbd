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
  forall(
      mesh.owned<Cell>(), SOLENOID_KERNEL(int i) {
        const Index<Cell> c{i};
        real sum = 0;
        for (int k = 0; k < 3; ++k) sum += omega[Index<Node>{nodes[3 * i + k]}];
        const real mean = sum / 3;
        result[c] = Vec3{-mean * u[c].y, mean * u[c].x, 0};
      });
}

}  // namespace solenoid
