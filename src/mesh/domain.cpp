#include "mesh/domain.hpp"

#include "mesh/disjoint_sets.hpp"

namespace solenoid {

Domain examine_domain(const GlobalMesh& mesh) {
  Domain domain;
  DisjointSets cells(mesh.cells()), nodes(mesh.nodes());
  std::vector<char> on_boundary(mesh.nodes(), 0);
  const int d = mesh.dimension;
  for (int f = 0; f < mesh.faces(); ++f) {
    const int first = mesh.face_cells[2 * f], second = mesh.face_cells[2 * f + 1];
    if (second >= 0) {
      cells.join(first, second);
      continue;
    }
    for (int k = 0; k < d; ++k) {
      on_boundary[mesh.face_nodes[f * d + k]] = 1;
      nodes.join(mesh.face_nodes[f * d], mesh.face_nodes[f * d + k]);
    }
  }
  std::vector<int> part_of_root(mesh.cells(), -1);
  for (int c = 0; c < mesh.cells(); ++c) {
    int& part = part_of_root[cells.lowest(c)];
    if (part < 0) {
      part = domain.parts();
      domain.part_cells.push_back(0);
    }
    domain.part_of_cell.push_back(part);
    ++domain.part_cells[part];
  }
  for (int n = 0; n < mesh.nodes(); ++n) domain.boundary_pieces += on_boundary[n] && nodes.lowest(n) == n;

  if (d == 2) {
    domain.holes = domain.parts() - (mesh.nodes() - mesh.faces() + mesh.cells());
  } else {
    const int euler = mesh.nodes() - mesh.edges() + mesh.faces() - mesh.cells();
    domain.cavities = domain.boundary_pieces - domain.parts();
    domain.holes = domain.parts() + domain.cavities - euler;
  }
  return domain;
}

}  // namespace solenoid
