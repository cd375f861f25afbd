#include "bench/systems.hpp"

#include <cmath>

#include "operators/face_matrices.hpp"
#include "operators/nedelec.hpp"
#include "operators/p1.hpp"
#include "operators/two_point.hpp"
#include "solve/prescribed_nodes.hpp"

namespace solenoid {

MatrixRows pressure_matrix(const LocalMesh& mesh) {
  Field<Face> conductance(mesh, inner_conductance(mesh));
  return two_point_laplacian(mesh, conductance);
}

MatrixRows heat_matrix(const LocalMesh& mesh) { return p1_stiffness(mesh); }

MatrixRows potential_matrix(const LocalMesh& mesh) { return curl_curl(mesh); }

MatrixRows momentum_system_matrix(const LocalMesh& mesh) {
  real volume = 0;
  for (int c = 0; c < mesh.owned<Cell>(); ++c) volume += mesh.geometry().cell_volume[c];
  const real mean = mesh.comm().sum(volume) / static_cast<real>(mesh.global_count<Cell>());
  const real size = std::pow(mean, real{1} / mesh.dimension());
  return momentum_matrix(mesh, 1, size * size);
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
SystemKind<Face> momentum_system() { return {"momentum", momentum_system_matrix, all_unknown<Face>, false}; }

}  // namespace solenoid
