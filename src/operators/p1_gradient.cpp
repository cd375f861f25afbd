#include "operators/p1_gradient.hpp"

#include "parallel/backend.hpp"

namespace solenoid {

namespace {

/// The vector g with g.(x_k - x_0) = v_k - v_0 at the corners k; in 2D in the plane.
struct Gradient {
  int corners;
  const int *nodes, *places;
  const Vec3* points;
  View<Node, const real> values;
  View<Cell, Vec3> result;

  SOLENOID_HD void operator()(int c) const {
    const int *const v = nodes + c * corners, *const x = places + c * corners;
    const Vec3 a = points[x[1]] - points[x[0]], b = points[x[2]] - points[x[0]];
    const real first = values[Index<Node>{v[0]}];
    const real of_a = values[Index<Node>{v[1]}] - first, of_b = values[Index<Node>{v[2]}] - first;
    if (corners == 3) {
      const real area = a.x * b.y - a.y * b.x;
      result[Index<Cell>{c}] = Vec3{of_a * b.y - of_b * a.y, of_b * a.x - of_a * b.x, 0} / area;
      return;
    }
    const Vec3 e = points[x[3]] - points[x[0]];
    const real of_e = values[Index<Node>{v[3]}] - first;
    const Vec3 normal = cross(b, e);
    result[Index<Cell>{c}] = (of_a * normal + of_b * cross(e, a) + of_e * cross(a, b)) / dot(a, normal);
  }
};

}  // namespace

void P1Gradient::apply(Exchanged<Node> values, Field<Cell, Vec3>& gradient) const {
  const LocalMesh& mesh = values.mesh();
  forall(mesh.owned<Cell>(), Gradient{mesh.part().corners(), mesh.cell_nodes(), mesh.cell_points(), points_.data(),
                                      values.view(), gradient.view()});
}

}  // namespace solenoid
