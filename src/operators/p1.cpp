#include "operators/p1.hpp"

#include "operators/assemble.hpp"

namespace solenoid {

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

MatrixRows p1_mass(const LocalMesh& mesh) {
  const int d = mesh.dimension();
  return assemble_from_cells<Node>(mesh, nodes_of_cells(mesh), [&mesh, d](int cell, int i) {
    return [volume = mesh.geometry().cell_volume[cell], d, i](int j) {
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

}  // namespace solenoid
