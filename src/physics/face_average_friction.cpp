#include "physics/face_average_friction.hpp"

#include <utility>

#include "operators/convection.hpp"
#include "operators/face_matrices.hpp"
#include "operators/interpolation.hpp"
#include "operators/two_point.hpp"
#include "parallel/backend.hpp"
#include "physics/boundary_velocity.hpp"

namespace solenoid {

namespace {

std::vector<real> conductances(const LocalMesh& mesh, const FlowBoundaries& boundaries) {
  std::vector<real> values = inner_conductance(mesh);
  for (const BoundaryFace& b : mesh.boundary()) {
    if (!b.is_owned || !boundaries.no_slip_velocity(b.patch)) continue;
    values[b.face] = mesh.geometry().face_area[b.face] / mesh.dual_length()[b.face];
  }
  return values;
}

/// A/L (u_1 - u_2) on each face, from cell 1, which its normal leaves, to cell 2 or to a wall at rest.
void take_differences(const Field<Face>& conductance, Exchanged<Cell, Vec3> velocity, Field<Face, Vec3>& stress) {
  const auto cells = conductance.mesh().G.view();  // the sign of G is the opposite of D's
  const auto w = conductance.view();
  const auto u = velocity.view();
  const auto result = stress.view();
  forall(
      stress.owned(), SOLENOID_KERNEL(int i) {
        const Index<Face> f{i};
        Vec3 difference{};
        for (const auto [c, sign, k] : cells[f]) difference -= sign * u[c];
        result[f] = w[f] * difference;
      });
}

/// Of these what walls that move, at their velocities per owned boundary face, take off.
void take_off_walls(const Field<Face>& conductance, const DeviceArray<Vec3>& velocity, Field<Face, Vec3>& stress) {
  const LocalMesh& mesh = conductance.mesh();
  const BoundaryView faces = mesh.boundary().owned();
  const auto cells = mesh.G.view();
  const auto w = conductance.view();
  const auto result = stress.view();
  const Vec3* const u = velocity.data();
  forall(
      faces.count, SOLENOID_KERNEL(int i) {
        const Index<Face> f{faces.face[i]};
        result[f] += ((*cells[f].begin()).sign * w[f]) * u[i];
      });
}

}  // namespace

FaceAverageFriction::FaceAverageFriction(const LocalMesh& mesh, const FlowBoundaries& boundaries)
    : mesh_(mesh),
      conductance_(mesh, conductances(mesh, boundaries)),
      walls_(std::vector<Vec3>(static_cast<std::size_t>(mesh.boundary().owned().count))),
      stress_(mesh),
      cells_(mesh) {}

void FaceAverageFriction::set(std::span<const Vec3> velocity) {
  std::vector<Vec3> of_faces;
  for (int i = 0; i < mesh_.boundary().size(); ++i) {
    if (mesh_.boundary()[i].is_owned) of_faces.push_back(mean_on_face(mesh_, velocity, i));
  }
  walls_.from_host(of_faces);
}

void FaceAverageFriction::find_stresses(Exchanged<Cell, Vec3> velocity, Walls walls) {
  take_differences(conductance_, velocity, stress_);
  if (walls == Walls::as_they_move) take_off_walls(conductance_, walls_, stress_);
}

void FaceAverageFriction::apply(Exchanged<Face> flux, Field<Face>& along_faces) {
  interpolate(flux, cells_);
  find_stresses(halo(cells_), Walls::at_rest);
  divergence_convection(halo(stress_), cells_);
  integrate(halo(cells_), along_faces);
}

const Field<Cell, Vec3>& FaceAverageFriction::in_cells(Exchanged<Cell, Vec3> velocity) {
  find_stresses(velocity, Walls::as_they_move);
  divergence_convection(halo(stress_), cells_);
  return cells_;
}

void FaceAverageFriction::find(Exchanged<Cell, Vec3> velocity, Field<Face>& along_faces) {
  in_cells(velocity);
  integrate(halo(cells_), along_faces);
}

std::vector<real> FaceAverageFriction::diagonal() { return face_diffusion(mesh_, conductance_).diagonal(); }

FaceAverageFriction::Powers FaceAverageFriction::powers(Exchanged<Cell, Vec3> velocity) {
  find_stresses(velocity, Walls::as_they_move);
  const auto w = std::as_const(conductance_).view();
  const auto stress = std::as_const(stress_).view();
  const real dissipation = total(mesh_.comm(), reduce_sum(
                                                   mesh_.owned<Face>(), SOLENOID_KERNEL(int i) {
                                                     const Index<Face> f{i};
                                                     return w[f] > 0 ? dot(stress[f], stress[f]) / w[f] : 0;
                                                   }));
  const BoundaryView faces = mesh_.boundary().owned();
  const auto cells = mesh_.G.view();
  const Vec3* const of_walls = walls_.data();
  const real boundary = total(mesh_.comm(), reduce_sum(
                                                faces.count, SOLENOID_KERNEL(int i) {
                                                  const Index<Face> f{faces.face[i]};
                                                  return (*cells[f].begin()).sign * dot(stress[f], of_walls[i]);
                                                }));
  return {dissipation, boundary};
}

void FaceAverageFriction::find_tractions(Exchanged<Cell, Vec3> velocity, real viscosity,
                                         BoundaryField<Vec3>& tractions) {
  find_stresses(velocity, Walls::as_they_move);
  const BoundaryView faces = mesh_.boundary().owned();
  const auto cells = mesh_.G.view();
  const auto stress = std::as_const(stress_).view();
  Vec3* const result = tractions.data();
  forall(
      faces.count, SOLENOID_KERNEL(int i) {
        const Index<Face> f{faces.face[i]};
        const real area = norm(faces.outward_area[i]);
        result[faces.place[i]] = (-viscosity * (*cells[f].begin()).sign / area) * stress[f];
      });
}

}  // namespace solenoid
