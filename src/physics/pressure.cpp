#include "physics/pressure.hpp"

#include "field/assign.hpp"

namespace solenoid {

namespace {

/// A_f / L_f of the owned faces, 0 on the boundary.
std::vector<real> inner_conductance(const LocalMesh& mesh) {
  std::vector<real> conductance(mesh.owned<Face>(), 0);
  for (int f = 0; f < mesh.owned<Face>(); ++f) {
    if (mesh.part().face_patch[f] < 0) conductance[f] = mesh.geometry().face_area[f] / mesh.dual_length()[f];
  }
  return conductance;
}

/// -D (A/L) G, a row per owned cell, columns ascending in their global ids.
MatrixRows assemble(const LocalMesh& mesh, Field<Face>& conductance) {
  halo(conductance);
  const std::vector<real> weight = conductance.all_to_host();
  const MeshPart& part = mesh.part();
  std::vector<std::vector<int>> cells_at(part.faces());
  for (int slot = 0; slot < static_cast<int>(part.cell_faces.size()); ++slot) {
    cells_at[part.cell_faces[slot]].push_back(slot / part.corners());
  }
  MatrixRows rows;
  const auto& id = part.cell_numbering.global_id;
  for (int c = 0; c < mesh.owned<Cell>(); ++c) {
    std::vector<std::pair<int, real>> row{{c, 0}};
    const IncidenceRows& faces = mesh.D.host();
    for (int k = faces.offset[c]; k < faces.offset[c + 1]; ++k) {
      const int f = faces.index[k];
      for (int other : cells_at[f]) {
        if (other != c) row.emplace_back(other, -weight[f]);
      }
      row.front().second += weight[f];
    }
    if (row.front().second == 0) row.front().second = 1;  // a cell between walls alone: p = 0 there
    std::sort(row.begin(), row.end(), [&](const auto& a, const auto& b) { return id[a.first] < id[b.first]; });
    for (const auto& [column, value] : row) {
      rows.column.push_back(column);
      rows.value.push_back(value);
    }
    rows.offset.push_back(static_cast<int>(rows.column.size()));
  }
  return rows;
}

}  // namespace

PressureRecovery::PressureRecovery(const LocalMesh& mesh, PreconditionerKind preconditioner)
    : mesh_(mesh),
      conductance_(mesh, inner_conductance(mesh)),
      right_side_(mesh),
      space_(mesh, std::vector<int>(mesh.total<Cell>(), Space<Cell>::free)),
      system_(space_, assemble(mesh, conductance_), preconditioner) {}

SolveReport PressureRecovery::solve(Field<Face>& residual, Field<Cell>& pressure, const SolveControl& control) {
  residual = conductance_ * residual;
  right_side_ = mesh_.D * halo(residual);
  const SolveReport report = system_.solve(right_side_, pressure, control);
  remove_mean(pressure);
  return report;
}

void remove_mean(Field<Cell>& values) {
  const LocalMesh& mesh = values.mesh();
  const auto V = mesh.cell_volume();
  const auto p = values.view();
  const Sums<2> sums = reduce_sums<2>(
      mesh.owned<Cell>(), SOLENOID_KERNEL(int i) {
        const Index<Cell> c{i};
        return Sums<2>{{V[c] * p[c], V[c]}};
      });
  const real mean = mesh.comm().sum(sums[0]) / mesh.comm().sum(sums[1]);
  forall(
      mesh.owned<Cell>(), SOLENOID_KERNEL(int i) { p[Index<Cell>{i}] -= mean; });
}

}  // namespace solenoid
