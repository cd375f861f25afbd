#include "operators/p1.hpp"

#include "operators/assemble.hpp"

namespace solenoid {

namespace {

CellTable nodes_of_cells(const LocalMesh& mesh) { return {mesh.part().cell_nodes, mesh.part().corners()}; }

}  // namespace

MatrixRows p1_stiffness(const LocalMesh& mesh) {
  return assemble_from_cells<Node>(mesh, nodes_of_cells(mesh), [&](int cell, int i) {
    const Vec3 gradient = shape_gradient(mesh.part(), mesh.geometry(), cell, i);
    return [&mesh, cell, gradient](int j) {
      return mesh.geometry().cell_volume[cell] * dot(gradient, shape_gradient(mesh.part(), mesh.geometry(), cell, j));
    };
  });
}

MatrixRows p1_mass(const LocalMesh& mesh) {
  const int d = mesh.dimension();
  return assemble_from_cells<Node>(mesh, nodes_of_cells(mesh), [&mesh, d](int cell, int i) {
    return [volume = mesh.geometry().cell_volume[cell], d, i](int j) {
      return volume * (i == j ? 2 : 1) / ((d + 1) * (d + 2));
    };
  });
}

std::vector<real> p1_lumped_mass(const LocalMesh& mesh) {
  const CellTable nodes = nodes_of_cells(mesh);
  const SlotsInCells slots(mesh.part(), nodes, mesh.owned<Node>());
  std::vector<real> mass(mesh.owned<Node>());
  for (int n = 0; n < mesh.owned<Node>(); ++n) {
    real sum = 0;
    for (const int slot : slots[n]) sum += mesh.geometry().cell_volume[slot / nodes.per_cell];
    mass[n] = sum / (mesh.dimension() + 1);
  }
  return mass;
}

}  // namespace solenoid
