#include "io/paraview/piece_locator.hpp"

#include <vtkCell.h>
#include <vtkCellLocator.h>
#include <vtkGenericCell.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkUnstructuredGrid.h>

#include <cmath>

namespace solenoid {

struct PieceLocator::Parts {
  vtkNew<vtkUnstructuredGrid> grid;
  vtkNew<vtkCellLocator> locator;
  vtkNew<vtkGenericCell> cell;
  std::vector<int> cells;  // of the piece, by cell of the grid
  bool is_plane = false;
  real height = 0;  // of the plane [m]
};

PieceLocator::PieceLocator(const ResultPiece& piece) : parts_(new Parts) {
  Parts& m = *parts_;
  if (piece.cells.empty()) return;
  m.is_plane = piece.dimension == 2;
  m.height = piece.points.front().z;
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  for (const Vec3& x : piece.points) points->InsertNextPoint(x.x, x.y, x.z);
  m.grid->SetPoints(points);
  m.grid->Allocate(piece.cell_count());
  const int type = m.is_plane ? VTK_TRIANGLE : VTK_TETRA;
  for (int c = 0; c < piece.cell_count(); ++c) {
    if (!piece.is_ghost.empty() && piece.is_ghost[c]) continue;
    m.cells.push_back(c);
    vtkIdType corners[4]{};
    for (int k = 0; k < piece.corners(); ++k) corners[k] = piece.cells[c * piece.corners() + k];
    m.grid->InsertNextCell(type, piece.corners(), corners);
  }
  if (m.cells.empty()) return;
  m.locator->SetDataSet(m.grid);
  m.locator->BuildLocator();
}

PieceLocator::~PieceLocator() = default;

PointInCell PieceLocator::nearest(const Vec3& x) const {
  Parts& m = *parts_;
  PointInCell found;
  if (m.cells.empty()) return found;
  const Vec3 place = m.is_plane ? Vec3{x.x, x.y, m.height} : x;
  double at[3] = {place.x, place.y, place.z}, closest[3], parametric[3], weights[4]{}, squared = 0;
  vtkIdType id = -1;
  int part = 0;
  m.locator->FindClosestPoint(at, closest, m.cell, id, part, squared);
  if (id < 0) return found;
  m.grid->GetCell(id, m.cell);
  double there[3];
  m.cell->EvaluatePosition(closest, there, part, parametric, squared, weights);
  found.cell = m.cells[static_cast<std::size_t>(id)];
  found.point = {real(closest[0]), real(closest[1]), real(closest[2])};
  found.distance = norm(place - found.point);
  for (int k = 0; k < 4; ++k) found.weight[k] = static_cast<real>(weights[k]);
  return found;
}

}  // namespace solenoid
