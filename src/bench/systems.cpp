#include "bench/systems.hpp"

#include <cmath>

#include "operators/face_matrices.hpp"
#include "operators/nedelec.hpp"
#include "operators/p1.hpp"
#include "operators/two_point.hpp"

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
  const MeshPart& part = mesh.part();
  const int corners = mesh.dimension();
  std::vector<real> on_boundary(mesh.owned<Node>(), 0);
  for (int f : mesh.boundary_faces()) {
    for (int k = 0; k < corners; ++k) {
      const int node = part.face_nodes[corners * f + k];
      if (node < mesh.owned<Node>()) on_boundary[node] = 1;
    }
  }
  Field<Node> marked(mesh, on_boundary);
  halo(marked);
  std::vector<int> role;
  for (real mark : marked.all_to_host()) role.push_back(mark > 0 ? Space<Node>::prescribed : Space<Node>::free);
  return role;
}

}  // namespace solenoid
