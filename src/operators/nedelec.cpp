#include "operators/nedelec.hpp"

#include "operators/assemble.hpp"
#include "operators/p1.hpp"

namespace solenoid {

namespace {

/// Corners at the ends of a tetrahedron's edges.
constexpr int ends[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

/// The edge of a local cell between two of its corners.
int edge_between(const MeshPart& part, int cell, int a, int b) {
  int side = 0;  // lies opposite a corner, so any other than a and b has both
  while (side == a || side == b) ++side;
  const int third = part.cell_nodes_of(cell)[0 + 1 + 2 + 3 - a - b - side];
  const int f = part.cell_faces_of(cell)[side];
  const std::span<const int> v = part.face_nodes_of(f);
  const int opposite = v[0] == third ? 1 : v[1] == third ? 2 : 0;  // of edges (0, 1), (1, 2), (0, 2)
  return part.face_edges_of(f)[opposite];
}

std::vector<int> edges_of_cells(const MeshPart& part) {
  std::vector<int> edges;
  edges.reserve(static_cast<std::size_t>(part.cells()) * 6);
  for (int c = 0; c < part.cells(); ++c) {
    for (const auto [a, b] : ends) edges.push_back(edge_between(part, c, a, b));
  }
  return edges;
}

/// curl(phi_e) of the edges of a tetrahedron [1/m^2]: 2 grad(lambda_a) x grad(lambda_b), from a to b as the edge
/// points.
std::array<Vec3, 6> curls(const LocalMesh& mesh, const std::vector<int>& cell_edges, int cell) {
  const MeshPart& part = mesh.part();
  std::array<Vec3, 4> gradient;
  for (int k = 0; k < 4; ++k) gradient[k] = shape_gradient(part, mesh.geometry(), cell, k);
  std::array<Vec3, 6> curl;
  for (int e = 0; e < 6; ++e) {
    const auto [a, b] = ends[e];
    const bool along = part.edge_nodes_of(row_of(cell_edges, cell, 6)[e])[0] == part.cell_nodes_of(cell)[a];
    curl[e] = real(along ? 2 : -2) * cross(gradient[a], gradient[b]);
  }
  return curl;
}

}  // namespace

MatrixRows curl_curl(const LocalMesh& mesh) {
  if (mesh.dimension() == 2) return p1_stiffness(mesh);
  const std::vector<int> edges = edges_of_cells(mesh.part());
  return assemble_from_cells<Edge>(mesh, {edges, 6}, [&](int cell, int i) {
    const std::array<Vec3, 6> curl = curls(mesh, edges, cell);
    const Vec3 of_row = mesh.geometry().cell_volume[cell] * curl[i];
    return [curl, of_row](int j) { return dot(of_row, curl[j]); };
  });
}

}  // namespace solenoid
