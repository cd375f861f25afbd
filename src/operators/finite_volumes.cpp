#include "operators/finite_volumes.hpp"

#include "operators/assemble.hpp"

namespace solenoid {

std::vector<real> inner_conductance(const LocalMesh& mesh) {
  std::vector<real> conductance(mesh.owned<Face>(), 0);
  for (int f = 0; f < mesh.owned<Face>(); ++f) {
    if (mesh.part().face_patch[f] < 0) conductance[f] = mesh.geometry().face_area[f] / mesh.dual_length()[f];
  }
  return conductance;
}

MatrixRows two_point_laplacian(const LocalMesh& mesh, Field<Face>& conductance) {
  halo(conductance);
  const std::vector<real> weight = conductance.all_to_host();
  const CellsOfFaces cells(mesh.part());
  const IncidenceRows& faces = mesh.D.host();
  MatrixBuilder matrix(mesh.numbering<Cell>());
  for (int c = 0; c < mesh.owned<Cell>(); ++c) {
    real diagonal = 0;
    for (int k = faces.offset[c]; k < faces.offset[c + 1]; ++k) {
      const int f = faces.index[k], other = cells.across(f, c);
      if (other >= 0) matrix.add(other, -weight[f]);
      diagonal += weight[f];
    }
    matrix.add(c, diagonal == 0 ? 1 : diagonal);  // 1: a cell with walls only
    matrix.end_row();
  }
  return matrix.take();
}

namespace {

CellTable faces_of_cells(const LocalMesh& mesh) { return {mesh.part().cell_faces, mesh.part().corners()}; }

/// +1 if the normal of side k points out of the cell.
real sign_of(const MeshPart& part, int cell, int k) {
  const auto& id = part.node_numbering.global_id;
  return static_cast<real>(part.face_sign(cell, k, [&](int a, int b) { return id[a] < id[b]; }));
}

/// J by slot of the cells' faces, halo included: +-(x_f - x_c) / V_c [1/m^2].
std::vector<Vec3> interpolation_arms(const LocalMesh& mesh) {
  const MeshPart& part = mesh.part();
  const Geometry& geometry = mesh.geometry();
  std::vector<Vec3> arms(part.cell_faces.size());
  for (int slot = 0; slot < static_cast<int>(arms.size()); ++slot) {
    const int c = slot / part.corners();
    const Vec3 arm = geometry.centre_seen(part, part.cell_faces[slot], c) - geometry.cell_centre[c];
    arms[slot] = (sign_of(part, c, slot % part.corners()) / geometry.cell_volume[c]) * arm;
  }
  return arms;
}

/// total += factor * matrix; the pattern of `total` contains that of `matrix`.
void add_scaled(MatrixRows& total, real factor, const MatrixRows& matrix) {
  for (int i = 0; i < matrix.rows(); ++i) {
    int place = total.offset[i];
    for (int k = matrix.offset[i]; k < matrix.offset[i + 1]; ++k) {
      while (total.column[place] != matrix.column[k]) ++place;  // both ascend in the columns' global ids
      total.value[place] += factor * matrix.value[k];
    }
  }
}

}  // namespace

MatrixRows rt0_mass(const LocalMesh& mesh) {
  const MeshPart& part = mesh.part();
  const int d = part.dimension;
  return assemble_from_cells<Face>(mesh, faces_of_cells(mesh), [&, d](int cell, int i) {
    const real volume = mesh.geometry().cell_volume[cell];
    std::array<Vec3, 4> b{};
    std::array<real, 4> sign{};
    real squares = 0;
    for (int k = 0; k <= d; ++k) {
      b[k] = part.points[part.cell_points_of(cell)[k]] - mesh.geometry().cell_centre[cell];
      sign[k] = sign_of(part, cell, k);
      squares += dot(b[k], b[k]);
    }
    return
        [=](int j) { return sign[i] * sign[j] * (dot(b[i], b[j]) + squares / ((d + 1) * (d + 2))) / (d * d * volume); };
  });
}

MatrixRows divergence_product(const LocalMesh& mesh, Field<Cell>& weight) {
  const MeshPart& part = mesh.part();
  halo(weight);
  const std::vector<real> of_cells = weight.all_to_host();
  return assemble_from_cells<Face>(mesh, faces_of_cells(mesh), [&](int cell, int i) {
    const real factor = sign_of(part, cell, i) * of_cells[cell];
    return [&, cell, factor](int j) { return factor * sign_of(part, cell, j); };
  });
}

MatrixRows face_diffusion(const LocalMesh& mesh, Field<Face>& conductance) {
  halo(conductance);
  const std::vector<real> weight = conductance.all_to_host();
  const CellTable faces = faces_of_cells(mesh);
  const SlotsInCells slots(mesh.part(), faces, mesh.owned<Face>());
  const CellsOfFaces cells(mesh.part());
  const std::vector<Vec3> arms = interpolation_arms(mesh);
  MatrixBuilder matrix(mesh.numbering<Face>());
  const auto add = [&](int cell, const Vec3& factor) {  // factor . (J U)_cell
    for (int slot = cell * faces.per_cell; slot < (cell + 1) * faces.per_cell; ++slot) {
      matrix.add(faces.entities[slot], dot(factor, arms[slot]));
    }
  };
  // One halo layer is enough: each side of a cell at an owned face has a node of that face, and so has the cell across
  // it.
  for (int f = 0; f < mesh.owned<Face>(); ++f) {
    for (const int slot : slots[f]) {
      const int c = slot / faces.per_cell;
      real diagonal = 0;
      for (int k = c * faces.per_cell; k < (c + 1) * faces.per_cell; ++k) {
        const int g = faces.entities[k], other = cells.across(g, c);
        if (other >= 0) add(other, -weight[g] * arms[slot]);
        diagonal += weight[g];
      }
      add(c, diagonal * arms[slot]);
    }
    matrix.end_row();
  }
  return matrix.take();
}

MatrixRows momentum_matrix(const LocalMesh& mesh, real mass_factor, real viscosity, Field<Face>& conductance) {
  MatrixRows matrix = face_diffusion(mesh, conductance);
  for (real& value : matrix.value) value *= viscosity;
  add_scaled(matrix, mass_factor, rt0_mass(mesh));
  return matrix;
}

MatrixRows momentum_matrix(const LocalMesh& mesh, real mass_factor, real viscosity) {
  Field<Face> conductance(mesh, inner_conductance(mesh));
  return momentum_matrix(mesh, mass_factor, viscosity, conductance);
}

}  // namespace solenoid
