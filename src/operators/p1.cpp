#include "operators/p1.hpp"

#include "operators/assemble.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

namespace {

constexpr real third = real{1} / 3, sixth = real{1} / 6;
constexpr real near = 0.21132486540518711775, far = 1 - near;     // (1 -+ 1/sqrt(3)) / 2
constexpr real low = 0.13819660112501051518, high = 1 - 3 * low;  // (5 - sqrt(5)) / 20
constexpr QuadraturePoint segment[] = {{0.5, {far, near}}, {0.5, {near, far}}};
constexpr QuadraturePoint triangle[] = {
    {third, {4 * sixth, sixth, sixth}}, {third, {sixth, 4 * sixth, sixth}}, {third, {sixth, sixth, 4 * sixth}}};
constexpr QuadraturePoint tetrahedron[] = {{0.25, {high, low, low, low}},
                                           {0.25, {low, high, low, low}},
                                           {0.25, {low, low, high, low}},
                                           {0.25, {low, low, low, high}}};

}  // namespace

std::span<const QuadraturePoint> quadrature(int corners) {
  if (corners == 2) return segment;
  if (corners == 3) return triangle;
  return tetrahedron;
}

namespace {

CellTable nodes_of_cells(const LocalMesh& mesh) { return {mesh.part().cell_nodes, mesh.part().corners()}; }

}  // namespace

MatrixRows p1_stiffness(const LocalMesh& mesh) { return p1_stiffness(mesh, std::vector<real>(mesh.total<Cell>(), 1)); }

MatrixRows p1_stiffness(const LocalMesh& mesh, const std::vector<real>& weight) {
  const std::vector<Vec3> gradients = shape_gradients(mesh.part(), mesh.geometry(), mesh.total<Cell>());
  return assemble_from_cells<Node>(mesh, nodes_of_cells(mesh), [&](int cell, int i) {
    const auto corners = static_cast<std::size_t>(mesh.part().corners());
    const auto of_cell = std::span(gradients).subspan(static_cast<std::size_t>(cell) * corners, corners);
    const real factor = weight[cell] * mesh.geometry().cell_volume[cell];
    return [of_cell, i, factor](int j) { return factor * dot(of_cell[i], of_cell[j]); };
  });
}

MatrixRows p1_mass(const LocalMesh& mesh) { return p1_mass(mesh, std::vector<real>(mesh.total<Cell>(), 1)); }

MatrixRows p1_mass(const LocalMesh& mesh, const std::vector<real>& weight) {
  const int d = mesh.dimension();
  return assemble_from_cells<Node>(mesh, nodes_of_cells(mesh), [&mesh, &weight, d](int cell, int i) {
    return [volume = weight[cell] * mesh.geometry().cell_volume[cell], d, i](int j) {
      return volume * (i == j ? 2 : 1) / ((d + 1) * (d + 2));
    };
  });
}

std::vector<real> p1_lumped_mass(const LocalMesh& mesh) {
  return p1_lumped_mass(mesh, std::vector<real>(mesh.total<Cell>(), 1));
}

std::vector<real> p1_lumped_mass(const LocalMesh& mesh, const std::vector<real>& weight) {
  const CellTable nodes = nodes_of_cells(mesh);
  const SlotsInCells slots(mesh.part(), nodes, mesh.owned<Node>());
  std::vector<real> mass(mesh.owned<Node>());
  for (int n = 0; n < mesh.owned<Node>(); ++n) {
    real sum = 0;
    for (const int slot : slots[n]) {
      const int cell = slot / nodes.per_cell;
      sum += weight[cell] * mesh.geometry().cell_volume[cell];
    }
    mass[n] = sum / (mesh.dimension() + 1);
  }
  return mass;
}

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
