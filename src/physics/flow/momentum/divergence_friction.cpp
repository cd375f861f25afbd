#include "physics/flow/momentum/divergence_friction.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <vector>

namespace solenoid {

namespace {

Eigen::Vector3d from_centre_to_centre(const LocalMesh& mesh, const std::array<int, 2>& slots) {
  const MeshPart& part = mesh.part();
  const int corners = part.corners();
  const auto arm = [&](int slot) {
    const int c = slot / corners;
    return mesh.geometry().centre_seen(part, part.cell_faces[slot], c) - mesh.geometry().cell_centre[c];
  };
  const Vec3 along = arm(slots[0]) - arm(slots[1]);
  return {along.x, along.y, along.z};
}

}  // namespace

Field<Cell> divergence_friction(const LocalMesh& mesh, const Field<Face>& conductance, real factor) {
  constexpr int rings = 3;
  constexpr real enough = 3;
  const real ordinary = mesh.dimension() == 2 ? real{3.5} : 0;
  const MeshPart& part = mesh.part();
  Field<Face> metric(mesh);
  metric.copy_from(conductance);
  halo(metric);
  const std::vector<real> weight = metric.all_to_host();
  std::vector<std::array<int, 2>> slots(part.faces(), {-1, -1});
  for (int slot = 0; slot < static_cast<int>(part.cell_faces.size()); ++slot) {
    std::array<int, 2>& of = slots[part.cell_faces[slot]];
    of[of[0] < 0 ? 0 : 1] = slot;
  }
  std::vector<real> of_cells;
  for (int c = 0; c < mesh.owned<Cell>(); ++c) {
    Eigen::Matrix3d T = Eigen::Matrix3d::Zero();
    for (int k = 0; k < part.corners(); ++k) {
      const int f = part.cell_faces[c * part.corners() + k];
      if (slots[f][1] < 0) continue;
      const Eigen::Vector3d along = from_centre_to_centre(mesh, slots[f]);
      T += static_cast<double>(weight[f] / (2 * mesh.geometry().cell_volume[c])) * along * along.transpose();
    }
    Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver;
    of_cells.push_back(static_cast<real>(solver.computeDirect(T, Eigen::EigenvaluesOnly).eigenvalues()[2]));
  }
  Field<Cell> friction(mesh, of_cells);
  for (int ring = 0; ring < rings; ++ring) {
    halo(friction);
    const std::vector<real> all = friction.all_to_host();
    for (int c = 0; c < mesh.owned<Cell>(); ++c) {
      for (int k = 0; k < part.corners(); ++k) {
        for (const int slot : slots[part.cell_faces[c * part.corners() + k]]) {
          if (slot >= 0) of_cells[c] = std::max(of_cells[c], all[slot / part.corners()]);
        }
      }
    }
    friction.from_host(of_cells);
  }
  for (std::size_t c = 0; c < of_cells.size(); ++c) {
    const real weight_of_cell = of_cells[c] > ordinary ? std::max(real{1}, enough * of_cells[c]) : 1;
    of_cells[c] = factor * weight_of_cell / mesh.geometry().cell_volume[c];
  }
  friction.from_host(of_cells);
  return friction;
}

Field<Cell> largest_around(const Field<Cell>& values, int rings) {
  const LocalMesh& mesh = values.mesh();
  const MeshPart& part = mesh.part();
  Field<Cell> largest(mesh);
  largest.copy_from(values);
  Field<Node> at_nodes(mesh);
  std::vector<real> of_nodes(mesh.owned<Node>()), of_cells(mesh.owned<Cell>());
  for (int ring = 0; ring < rings; ++ring) {
    halo(largest);
    const std::vector<real> all = largest.all_to_host();
    std::vector<char> is_met(of_nodes.size(), 0);
    for (int c = 0; c < part.cells(); ++c) {
      for (const int n : part.cell_nodes_of(c)) {
        if (n >= mesh.owned<Node>()) continue;
        of_nodes[n] = is_met[n] ? std::max(of_nodes[n], all[c]) : all[c];
        is_met[n] = 1;
      }
    }
    at_nodes.from_host(of_nodes);
    halo(at_nodes);
    const std::vector<real> nodes = at_nodes.all_to_host();
    for (int c = 0; c < mesh.owned<Cell>(); ++c) {
      of_cells[c] = all[c];
      for (const int n : part.cell_nodes_of(c)) of_cells[c] = std::max(of_cells[c], nodes[n]);
    }
    largest.from_host(of_cells);
  }
  return largest;
}

}  // namespace solenoid
