#include "operators/p1_gradient.hpp"

#include "parallel/backend.hpp"

namespace solenoid {

P1Gradient::P1Gradient(const LocalMesh& mesh)
    : shape_gradient_(shape_gradients(mesh.part(), mesh.geometry(), mesh.owned<Cell>())) {}

void P1Gradient::apply(Exchanged<Node> values, Field<Cell, Vec3>& gradient) const {
  const LocalMesh& mesh = values.mesh();
  const int corners = mesh.part().corners();
  const int* const nodes = mesh.cell_nodes();
  const Vec3* const of_shape = shape_gradient_.data();
  const auto v = values.view();
  const auto result = gradient.view();
  forall(
      mesh.owned<Cell>(), SOLENOID_KERNEL(int c) {
        Vec3 sum;
        for (int k = c * corners; k < (c + 1) * corners; ++k) sum += v[Index<Node>{nodes[k]}] * of_shape[k];
        result[Index<Cell>{c}] = sum;
      });
}

}  // namespace solenoid
