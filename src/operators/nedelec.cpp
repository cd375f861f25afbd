#include "operators/nedelec.hpp"

#include <Eigen/Eigenvalues>

#include "operators/assemble.hpp"
#include "operators/p1.hpp"

namespace solenoid {

namespace {

/// The edge of a local cell between two of its corners.
int edge_between(const MeshPart& part, int cell, int a, int b) {
  int side = 0;  // opposite a corner other than a and b, so it contains both
  while (side == a || side == b) ++side;
  const int third = part.cell_nodes_of(cell)[0 + 1 + 2 + 3 - a - b - side];
  const int f = part.cell_faces_of(cell)[side];
  const std::span<const int> v = part.face_nodes_of(f);
  const int opposite = v[0] == third ? 1 : v[1] == third ? 2 : 0;  // of edges (0, 1), (1, 2), (0, 2)
  return part.face_edges_of(f)[opposite];
}

/// The functions phi_ab = lambda_a grad(lambda_b) - lambda_b grad(lambda_a) of a tetrahedron's edges, from a to b as in
/// `edge_ends`: grad(lambda) [1/m] of its corners, and per edge +1 if it points from a to b, else -1.
struct EdgeFunctions {
  std::array<Vec3, 4> gradient;
  std::array<real, 6> sign;

  EdgeFunctions(const LocalMesh& mesh, const std::vector<int>& cell_edges, int cell) {
    const MeshPart& part = mesh.part();
    for (int k = 0; k < 4; ++k) gradient[k] = shape_gradient(part, mesh.geometry(), cell, k);
    for (int e = 0; e < 6; ++e) {
      const int edge = row_of(cell_edges, cell, 6)[e];
      sign[e] = part.edge_nodes_of(edge)[0] == part.cell_nodes_of(cell)[edge_ends[e][0]] ? real{1} : real{-1};
    }
  }

  /// curl(phi_e) [1/m^2].
  Vec3 curl(int e) const { return 2 * sign[e] * cross(gradient[edge_ends[e][0]], gradient[edge_ends[e][1]]); }

  /// Twenty times the mean of phi_e.phi_f over the cell: the mean of lambda_i lambda_j is 1/20, for i = j twice that.
  real product(int e, int f) const {
    const auto [a, b] = edge_ends[e];
    const auto [c, d] = edge_ends[f];
    const auto term = [&](int i, int j, int of_i, int of_j) {
      return (i == j ? 2 : 1) * dot(gradient[of_i], gradient[of_j]);
    };
    return sign[e] * sign[f] * (term(a, c, b, d) - term(a, d, b, c) - term(b, c, a, d) + term(b, d, a, c));
  }
};

}  // namespace

std::vector<int> edges_of_cells(const MeshPart& part) {
  std::vector<int> edges;
  edges.reserve(static_cast<std::size_t>(part.cells()) * 6);
  for (int c = 0; c < part.cells(); ++c) {
    for (const auto [a, b] : edge_ends) edges.push_back(edge_between(part, c, a, b));
  }
  return edges;
}

MatrixRows curl_curl(const LocalMesh& mesh) {
  if (mesh.dimension() == 2) return p1_stiffness(mesh);
  const std::vector<int> edges = edges_of_cells(mesh.part());
  return assemble_from_cells<Edge>(mesh, {edges, 6}, [&](int cell, int i) {
    const EdgeFunctions functions(mesh, edges, cell);
    const Vec3 of_row = mesh.geometry().cell_volume[cell] * functions.curl(i);
    return [functions, of_row](int j) { return dot(of_row, functions.curl(j)); };
  });
}

MatrixRows curl_curl(const LocalMesh& mesh, const std::vector<Tensor>& weight) {
  if (mesh.dimension() == 2) {
    const std::vector<Vec3> gradients = shape_gradients(mesh.part(), mesh.geometry(), mesh.total<Cell>());
    return assemble_from_cells<Edge>(mesh, {mesh.part().cell_nodes, 3}, [&](int cell, int i) {
      const auto curl = [of_cell = &gradients[3 * static_cast<std::size_t>(cell)]](int k) {
        return Vec3{of_cell[k].y, -of_cell[k].x, 0};
      };
      const Vec3 of_row = mesh.geometry().cell_volume[cell] * (weight[cell] * curl(i));
      return [curl, of_row](int j) { return dot(of_row, curl(j)); };
    });
  }
  const std::vector<int> edges = edges_of_cells(mesh.part());
  return assemble_from_cells<Edge>(mesh, {edges, 6}, [&](int cell, int i) {
    const EdgeFunctions functions(mesh, edges, cell);
    const Vec3 of_row = mesh.geometry().cell_volume[cell] * (weight[cell] * functions.curl(i));
    return [functions, of_row](int j) { return dot(of_row, functions.curl(j)); };
  });
}

MatrixRows edge_mass(const LocalMesh& mesh) {
  if (mesh.dimension() == 2) return p1_mass(mesh);
  const std::vector<int> edges = edges_of_cells(mesh.part());
  return assemble_from_cells<Edge>(mesh, {edges, 6}, [&](int cell, int i) {
    const EdgeFunctions functions(mesh, edges, cell);
    const real factor = mesh.geometry().cell_volume[cell] / 20;
    return [functions, factor, i](int j) { return factor * functions.product(i, j); };
  });
}

std::vector<real> lower_edge_mass(const LocalMesh& mesh) {
  using Matrix = Eigen::Matrix<double, 6, 6>;
  const std::vector<int> edges = edges_of_cells(mesh.part());
  std::vector<real> shares;  // by slot of the cells' edges
  shares.reserve(edges.size());
  for (int c = 0; c < mesh.part().cells(); ++c) {
    const EdgeFunctions functions(mesh, edges, c);
    Matrix mass;
    for (int e = 0; e < 6; ++e) {
      for (int f = 0; f < 6; ++f) mass(e, f) = static_cast<double>(functions.product(e, f));
    }
    const Eigen::Matrix<double, 6, 1> diagonal = mass.diagonal(), scale = diagonal.cwiseSqrt().cwiseInverse();
    const Matrix scaled = scale.asDiagonal() * mass * scale.asDiagonal();
    const double least = Eigen::SelfAdjointEigenSolver<Matrix>(scaled, Eigen::EigenvaluesOnly).eigenvalues()[0];
    const auto factor = static_cast<real>(least) * mesh.geometry().cell_volume[c] / 20;
    for (int e = 0; e < 6; ++e) shares.push_back(factor * static_cast<real>(diagonal[e]));
  }
  const SlotsInCells slots(mesh.part(), {edges, 6}, mesh.owned<Edge>());
  std::vector<real> mass;
  for (int e = 0; e < mesh.owned<Edge>(); ++e) {
    real sum = 0;
    for (const int slot : slots[e]) sum += shares[slot];
    mass.push_back(sum);
  }
  return mass;
}

EdgeEnds::EdgeEnds(const LocalMesh& mesh) {
  require(mesh.dimension() == 3, [] { return "edges have ends in 3D only"; });
  const MeshPart& part = mesh.part();
  IncidenceRows ends;
  ends.reserve(part.edges(), part.edge_nodes.size());
  for (int e = 0; e < part.edges(); ++e) {
    const std::span<const int> v = part.edge_nodes_of(e);  // ascending in their global ids
    ends.add(v[0], -1);
    ends.add(v[1], 1);
    ends.end_row();
  }
  // Positions on a face; across a periodic pair they differ from those of the nodes.
  std::vector<Vec3> along(part.edges());
  for (int f = 0; f < part.faces(); ++f) {
    const std::span<const int> edges = part.face_edges_of(f), at = part.face_points_of(f);
    const auto leads = [&](int from, int to) { return part.points[at[to]] - part.points[at[from]]; };
    along[edges[0]] = leads(0, 1);
    along[edges[1]] = leads(1, 2);
    along[edges[2]] = leads(0, 2);
  }
  gradient_ = Incidence<Edge, Node>(first_rows(ends, mesh.owned<Edge>()));
  transposed_ = Incidence<Node, Edge>(transpose(ends, mesh.owned<Node>(), mesh.numbering<Edge>(), 1));
  along_ = DeviceArray<Vec3>(along);
}

std::size_t EdgeEnds::bytes_of_formulas() const { return bytes() + along_.size() * sizeof(Vec3); }

std::size_t EdgeEnds::bytes() const {
  const auto of_table = [](const IncidenceRows& rows) {
    return (rows.offset.size() + rows.index.size()) * sizeof(int);
  };
  return of_table(gradient_.host()) + of_table(transposed_.host()) + along_.size() * sizeof(Vec3);
}

}  // namespace solenoid
