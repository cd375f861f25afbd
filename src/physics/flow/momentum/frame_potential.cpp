#include "physics/flow/momentum/frame_potential.hpp"

#include "field/assign.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

real mean_over_face(const MeshPart& part, int face, const std::function<real(const Vec3&)>& function) {
  const std::span<const int> corners = part.face_points_of(face);
  const Vec3 a = part.points[corners[0]], b = part.points[corners[1]], c = part.points[corners.back()];
  if (part.dimension == 2) return (function(a) + 4 * function((a + b) / 2) + function(b)) / 6;
  return (function((a + b) / 2) + function((b + c) / 2) + function((c + a) / 2)) / 3;
}

namespace {

void add_at_faces(const BoundaryField<real>& potential, BoundaryField<real>& pressure) {
  const real* const phi = potential.data();
  real* const p = pressure.data();
  forall(
      pressure.size(), SOLENOID_KERNEL(int i) { p[i] += phi[i]; });
}

}  // namespace

FramePotential::FramePotential(const LocalMesh& mesh, const ClosedParts& closed,
                               const std::function<real(int cell, const Vec3& place)>& potential)
    : in_cells_(mesh), at_faces_(mesh), over_faces_(mesh) {
  std::vector<real> in_cells;
  for (int c = 0; c < mesh.owned<Cell>(); ++c) in_cells.push_back(potential(c, mesh.geometry().cell_centre[c]));
  in_cells_.from_host(in_cells);
  closed.remove_means(in_cells_);
  const std::vector<real> centred = in_cells_.to_host();
  std::vector<real> at_centres, means;
  for (const BoundaryFace& b : mesh.boundary()) {
    const auto of_cell = [&](const Vec3& x) { return potential(b.cell, x); };
    const real shift = b.is_owned ? centred[b.cell] - in_cells[b.cell] : 0;
    at_centres.push_back(b.is_owned ? of_cell(mesh.geometry().face_centre[b.face]) + shift : 0);
    means.push_back(b.is_owned ? mean_over_face(mesh.part(), b.face, of_cell) + shift : 0);
  }
  at_faces_.from_host(at_centres);
  over_faces_.from_host(means);
}

void FramePotential::add_to(Field<Cell>& pressure) const { pressure = pressure + in_cells_; }

void FramePotential::add_to(BoundaryField<real>& pressure) const { add_at_faces(at_faces_, pressure); }

void FramePotential::add_means_to(BoundaryField<real>& pressure) const { add_at_faces(over_faces_, pressure); }

}  // namespace solenoid
