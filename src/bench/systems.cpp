#include "bench/systems.hpp"

#include <cmath>

#include "operators/finite_volumes.hpp"
#include "operators/mean_mass.hpp"
#include "operators/nedelec.hpp"
#include "operators/p1.hpp"
#include "solve/prescribed_nodes.hpp"

namespace solenoid {

MatrixRows pressure_matrix(const LocalMesh& mesh) {
  Field<Face> conductance(mesh, inner_conductance(mesh));
  return two_point_laplacian(mesh, conductance);
}

MatrixRows heat_matrix(const LocalMesh& mesh) { return p1_stiffness(mesh); }

MatrixRows potential_matrix(const LocalMesh& mesh) { return curl_curl(mesh); }

namespace {

/// Of the mean cell [m].
real mean_size(const LocalMesh& mesh) {
  real volume = 0;
  for (int c = 0; c < mesh.owned<Cell>(); ++c) volume += mesh.geometry().cell_volume[c];
  const real mean = mesh.comm().sum(volume) / static_cast<real>(mesh.global_count<Cell>());
  return std::pow(mean, real{1} / mesh.dimension());
}

}  // namespace

MatrixRows momentum_system_matrix(const LocalMesh& mesh) {
  const real size = mean_size(mesh);
  return momentum_matrix(mesh, 1, size * size);
}

MatrixRows elliptic_matrix(const LocalMesh& mesh) {
  const real depth = 3 * mean_size(mesh);
  const std::vector<real> third(static_cast<std::size_t>(mesh.total<Cell>()), depth / 3);
  MatrixRows matrix = p1_stiffness(mesh, std::vector<real>(third.size(), 2 * depth * depth * depth / 15));
  const MatrixRows mass = mean_mass(mesh, third);
  for (std::size_t k = 0; k < mass.value.size(); ++k) matrix.value[k] += mass.value[k];
  return matrix;
}

MatrixRows identity_where_prescribed(const MatrixRows& rows, const std::vector<int>& role) {
  MatrixRows left;
  for (int i = 0; i < rows.rows(); ++i) {
    const bool is_prescribed = role[i] == Space<Node>::prescribed;
    for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) {
      const int column = rows.column[k];
      if (column != i && (is_prescribed || role[column] == Space<Node>::prescribed)) continue;
      left.column.push_back(column);
      left.value.push_back(is_prescribed ? 1 : rows.value[k]);
    }
    left.offset.push_back(static_cast<int>(left.column.size()));
  }
  return left;
}

std::vector<int> fixed_on_boundary(const LocalMesh& mesh) {
  return prescribed_on(mesh, [](int) { return true; });
}

template <class L>
static std::vector<int> all_unknown(const LocalMesh& mesh) {
  return std::vector<int>(mesh.total<L>(), Space<L>::free);
}

SystemKind<Cell> pressure_system() { return {"pressure", pressure_matrix, all_unknown<Cell>, true}; }
SystemKind<Node> heat_system() { return {"heat", heat_matrix, fixed_on_boundary, false}; }
SystemKind<Edge> potential_system() { return {"curl-curl", potential_matrix, all_unknown<Edge>, true}; }
SystemKind<Node> elliptic_system() { return {"elliptic", elliptic_matrix, all_unknown<Node>, false}; }
SystemKind<Face> momentum_system() { return {"momentum", momentum_system_matrix, all_unknown<Face>, false}; }

}  // namespace solenoid
