#include "operators/p1.hpp"

#include <algorithm>

namespace solenoid {

namespace {

/// A corner of a cell at a node: where the node finds its share of the cell.
struct Corner {
  int cell, corner;
};

/// The corners at each owned node, ascending in the cells' global ids.
std::vector<std::vector<Corner>> corners_at_nodes(const LocalMesh& mesh) {
  const MeshPart& part = mesh.part();
  std::vector<std::vector<Corner>> at(mesh.owned<Node>());
  for (int slot = 0; slot < static_cast<int>(part.cell_nodes.size()); ++slot) {
    const int n = part.cell_nodes[slot];
    if (n < mesh.owned<Node>()) at[n].push_back({slot / part.corners(), slot % part.corners()});
  }
  const auto& id = part.cell_numbering.global_id;
  for (auto& corners : at) {
    std::sort(corners.begin(), corners.end(),
              [&](const Corner& a, const Corner& b) { return id[a.cell] < id[b.cell]; });
  }
  return at;
}

/// Gathers rows node by node: entry(cell, i, j) is the cell's share of the coefficient between its corners i and j.
template <class Entry>
MatrixRows assemble(const LocalMesh& mesh, const Entry& entry) {
  const MeshPart& part = mesh.part();
  const auto& id = part.node_numbering.global_id;
  MatrixRows rows;
  struct Coefficient {
    std::int64_t id;
    int column;
    real value;
  };
  std::vector<Coefficient> row;
  for (const auto& corners : corners_at_nodes(mesh)) {
    for (const auto [cell, i] : corners) {
      for (int j = 0; j < part.corners(); ++j) {
        const int n = part.cell_nodes[cell * part.corners() + j];
        const real value = entry(cell, i, j);
        const auto known = std::find_if(row.begin(), row.end(), [&](const Coefficient& c) { return c.column == n; });
        if (known != row.end()) {
          known->value += value;
        } else {
          row.push_back({id[n], n, value});
        }
      }
    }
    std::sort(row.begin(), row.end(), [](const Coefficient& a, const Coefficient& b) { return a.id < b.id; });
    for (const Coefficient& c : row) {
      rows.column.push_back(c.column);
      rows.value.push_back(c.value);
    }
    rows.offset.push_back(static_cast<int>(rows.column.size()));
    row.clear();
  }
  return rows;
}

}  // namespace

MatrixRows p1_stiffness(const LocalMesh& mesh) {
  return assemble(mesh, [&](int cell, int i, int j) {
    return mesh.geometry().cell_volume[cell] * dot(shape_gradient(mesh.part(), mesh.geometry(), cell, i),
                                                   shape_gradient(mesh.part(), mesh.geometry(), cell, j));
  });
}

MatrixRows p1_mass(const LocalMesh& mesh) {
  const int d = mesh.dimension();
  return assemble(mesh, [&](int cell, int i, int j) {
    return mesh.geometry().cell_volume[cell] * (i == j ? 2 : 1) / ((d + 1) * (d + 2));
  });
}

std::vector<real> p1_lumped_mass(const LocalMesh& mesh) {
  std::vector<real> mass;
  for (const auto& corners : corners_at_nodes(mesh)) {
    real sum = 0;
    for (const Corner& c : corners) sum += mesh.geometry().cell_volume[c.cell];
    mass.push_back(sum / (mesh.dimension() + 1));
  }
  return mass;
}

}  // namespace solenoid
