#include "operators/flux_moments.hpp"

#include "parallel/backend.hpp"

namespace solenoid {

namespace {

struct Moments {
  const int *nodes, *places;
  const Vec3* points;
  View<Node, const Vec3> velocity;
  View<Cell, Vec3> result;

  SOLENOID_HD void operator()(int c) const {
    const int *const v = nodes + 4 * c, *const at = places + 4 * c;
    const Vec3 x0 = points[at[0]], u0 = velocity[Index<Node>{v[0]}];
    Vec3 x[3], u[3];  // from corner 0
    for (int k = 0; k < 3; ++k) {
      x[k] = points[at[k + 1]] - x0;
      u[k] = velocity[Index<Node>{v[k + 1]}] - u0;
    }
    const Vec3 centre = (x[0] + x[1] + x[2]) / 4, mean = (u[0] + u[1] + u[2]) / 4;
    const real volume = dot(x[0], cross(x[1], x[2]));
    Vec3 sum{};
    for (int k = 0; k < 3; ++k) {
      sum += dot(cross(x[(k + 1) % 3], x[(k + 2) % 3]), u[k]) * (x[k] - centre);  // the gradient of lambda times volume
    }
    result[Index<Cell>{c}] = (sum / volume - mean) / 3;
  }
};

}  // namespace

void FluxMoments::find(Exchanged<Node, Vec3> velocity, Field<Cell, Vec3>& m) const {
  const LocalMesh& mesh = velocity.mesh();
  count_traffic(static_cast<std::int64_t>(8 * sizeof(int)) * mesh.owned<Cell>() +
                static_cast<std::int64_t>(points_.size() * sizeof(Vec3)));
  count_gathered(velocity.field());
  count_owned(m);
  forall(mesh.owned<Cell>(), Moments{mesh.cell_nodes(), mesh.cell_points(), points_.data(), velocity.view(), m.view()});
}

}  // namespace solenoid
