#include "physics/flow/momentum/face_average_friction.hpp"

#include <utility>

#include "mesh/incidence.hpp"
#include "operators/assemble.hpp"
#include "operators/finite_volumes.hpp"
#include "operators/interpolation.hpp"
#include "parallel/backend.hpp"
#include "physics/flow/boundary/boundary_velocity.hpp"

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
void compute_differences(const Field<Face>& conductance, Exchanged<Cell, Vec3> velocity, Field<Face, Vec3>& stress) {
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

/// Subtracts from them the share of moving walls, whose velocity is per owned boundary face.
void subtract_walls(const Field<Face>& conductance, const DeviceArray<Vec3>& velocity, Field<Face, Vec3>& stress) {
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

FaceAverageFriction::FaceAverageFriction(const LocalMesh& mesh, const FlowBoundaries& boundaries,
                                         const MemoryOf& /*scope*/)
    : mesh_(mesh),
      conductance_(mesh, conductances(mesh, boundaries)),
      walls_(std::vector<Vec3>(static_cast<std::size_t>(mesh.boundary().owned().count))),
      momentum_(mesh) {
  halo(conductance_);
  const std::vector<real> of_faces = conductance_.all_to_host();
  const CellsOfFaces cells(mesh.part());
  const IncidenceRows& faces = mesh.D.host();
  std::vector<int> place_of_face(mesh.total<Face>(), -1), beyond, at_walls, walls_begin{0}, walls;
  int place = 0;
  for (const BoundaryFace& b : mesh.boundary()) {
    if (b.is_owned) place_of_face[b.face] = place++;
  }
  std::vector<real> of_slots;
  for (int c = 0; c < mesh.owned<Cell>(); ++c) {
    for (int k = faces.offset[c]; k < faces.offset[c + 1]; ++k) {
      beyond.push_back(cells.across(faces.index[k], c));
      of_slots.push_back(of_faces[faces.index[k]]);
      if (of_slots.back() > 0 && place_of_face[faces.index[k]] >= 0) walls.push_back(place_of_face[faces.index[k]]);
    }
    if (static_cast<int>(walls.size()) == walls_begin.back()) continue;
    at_walls.push_back(c);
    walls_begin.push_back(static_cast<int>(walls.size()));
  }
  cell_at_walls_ = DeviceArray<int>(at_walls);
  walls_begin_ = DeviceArray<int>(walls_begin);
  wall_ = DeviceArray<int>(walls);
  beyond_ = DeviceArray<int>(beyond);
  conductance_of_slot_ = DeviceArray<real>(of_slots);
}

std::vector<real> FaceAverageFriction::conductance_of_cells() const {
  const std::vector<real> of_slots = conductance_of_slots();
  const IncidenceRows& faces = mesh_.D.host();
  std::vector<real> sums;
  for (int c = 0; c < mesh_.owned<Cell>(); ++c) {
    real sum = 0;
    for (int k = faces.offset[c]; k < faces.offset[c + 1]; ++k) sum += of_slots[k];
    sums.push_back(sum);
  }
  Field<Cell> of_cells(mesh_, sums);
  halo(of_cells);
  return of_cells.all_to_host();
}

Field<Cell, Vec3>& FaceAverageFriction::add_to_mass(Scalar<> alpha, Scalar<> nu, Exchanged<Cell, Vec3> velocity) {
  const auto V = mesh_.cell_volume();
  const int sides = mesh_.dimension() + 1, count = momentum_.owned(), slots = sides * count;
  const int* const beyond = beyond_.data();
  const real* const conductance = conductance_of_slot_.data();
  const auto u = velocity.view();
  const auto sum = momentum_.view();
  count_traffic(static_cast<std::int64_t>((sides * (sizeof(int) + sizeof(real)) + sizeof(real)) * count));
  count_gathered(velocity.field());
  count_owned(momentum_);
  forall(
      count, SOLENOID_KERNEL(int i) {
        constexpr int ahead = 64;
        const Index<Cell> c{i};
        const Vec3 own = u[c];
        Vec3 taken{};
        for (int k = sides * i; k < sides * (i + 1); ++k) {
          if (k + ahead < slots) start_to_fetch(u.data[beyond[k + ahead] < 0 ? 0 : beyond[k + ahead]]);
          const int other = beyond[k];
          taken += conductance[k] * (other < 0 ? own : own - u[Index<Cell>{other}]);
        }
        sum[c] = alpha * own + (nu / V[c]) * taken;
      });
  return momentum_;
}

void FaceAverageFriction::set(std::span<const Vec3> velocity) {
  std::vector<Vec3> of_faces;
  for (int i = 0; i < mesh_.boundary().size(); ++i) {
    if (mesh_.boundary()[i].is_owned) of_faces.push_back(mean_on_face(mesh_, velocity, i));
  }
  walls_.from_host(of_faces);
}

void FaceAverageFriction::compute_stresses(Exchanged<Cell, Vec3> velocity) {
  if (!stress_) stress_.emplace(mesh_);
  compute_differences(conductance_, velocity, *stress_);
  subtract_walls(conductance_, walls_, *stress_);
}

void FaceAverageFriction::apply(Exchanged<Face> flux, Field<Face>& along_faces) {
  if (!cells_) cells_.emplace(mesh_);
  interpolate(flux, *cells_);
  apply(halo(*cells_), along_faces);
}

void FaceAverageFriction::apply(Exchanged<Cell, Vec3> velocity, Field<Face>& along_faces) {
  integrate(halo(add_to_mass(0, 1, velocity)), along_faces);
}

const Field<Cell, Vec3>& FaceAverageFriction::in_cells(Exchanged<Cell, Vec3> velocity) {
  add_to_mass(0, 1, velocity);
  const int *const at_walls = cell_at_walls_.data(), *const begin = walls_begin_.data(), *const wall = wall_.data();
  const int* const face = mesh_.boundary().owned().face;
  const Vec3* const of_walls = walls_.data();
  const auto w = std::as_const(conductance_).view();
  const auto V = mesh_.cell_volume();
  const auto taken = momentum_.view();
  forall(
      static_cast<int>(cell_at_walls_.size()), SOLENOID_KERNEL(int i) {
        const Index<Cell> c{at_walls[i]};
        Vec3 given{};
        for (int k = begin[i]; k < begin[i + 1]; ++k) given += w[Index<Face>{face[wall[k]]}] * of_walls[wall[k]];
        taken[c] -= given / V[c];
      });
  return momentum_;
}

void FaceAverageFriction::compute(Exchanged<Cell, Vec3> velocity, Field<Face>& along_faces) {
  in_cells(velocity);
  integrate(halo(momentum_), along_faces);
}

std::vector<real> FaceAverageFriction::diagonal() const {
  const std::vector<real> of_cells = conductance_of_cells(), of_faces = conductance_.to_host();
  const IncidenceRows& cells = mesh_.G.host();
  const Geometry& geometry = mesh_.geometry();
  std::vector<real> diagonal;
  for (int f = 0; f < mesh_.owned<Face>(); ++f) {
    real sum = 0;
    Vec3 column[2];  // of J, up to the sign
    for (int k = cells.offset[f]; k < cells.offset[f + 1]; ++k) {
      const int c = cells.index[k];
      Vec3& own = column[k - cells.offset[f]];
      own = (geometry.centre_seen(mesh_.part(), f, c) - geometry.cell_centre[c]) / geometry.cell_volume[c];
      sum += of_cells[c] * dot(own, own);
    }
    diagonal.push_back(sum + 2 * of_faces[f] * dot(column[0], column[1]));
  }
  return diagonal;
}

FaceAverageFriction::Powers FaceAverageFriction::powers(Exchanged<Cell, Vec3> velocity) {
  compute_stresses(velocity);
  const auto w = std::as_const(conductance_).view();
  const auto stress = std::as_const(*stress_).view();
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

void FaceAverageFriction::compute_tractions(Exchanged<Cell, Vec3> velocity, real viscosity,
                                            BoundaryField<Vec3>& tractions) {
  compute_stresses(velocity);
  const BoundaryView faces = mesh_.boundary().owned();
  const auto cells = mesh_.G.view();
  const auto stress = std::as_const(*stress_).view();
  Vec3* const result = tractions.data();
  forall(
      faces.count, SOLENOID_KERNEL(int i) {
        const Index<Face> f{faces.face[i]};
        const real area = norm(faces.outward_area[i]);
        result[faces.place[i]] = (-viscosity * (*cells[f].begin()).sign / area) * stress[f];
      });
}

}  // namespace solenoid
