#include "operators/two_point.hpp"

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

}  // namespace solenoid
