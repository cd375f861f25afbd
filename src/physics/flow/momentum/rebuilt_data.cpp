/// What the momentum of a rebuilt velocity is given: the velocity of the boundary, and the viscosity of cells.
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "mesh/incidence.hpp"
#include "parallel/backend.hpp"
#include "physics/flow/boundary/boundary_velocity.hpp"
#include "physics/flow/boundary/outlet_inflow.hpp"
#include "physics/flow/momentum/rebuilt_momentum.hpp"

namespace solenoid {

namespace {

/// Of each of mesh.boundary(), its place among the owned ones.
std::vector<std::size_t> places_among_owned(const LocalMesh& mesh) {
  std::vector<std::size_t> places;
  std::size_t owned = 0;
  for (const BoundaryFace& b : mesh.boundary()) places.push_back(b.is_owned ? owned++ : 0);
  return places;
}

}  // namespace

std::vector<Vec3> RebuiltMomentum::entering_by_area(const FlowBoundaries& boundaries) const {
  const std::vector<Vec3> momentum = entering_momentum(mesh_, boundaries);
  const std::vector<std::size_t> owned_place = places_among_owned(mesh_);
  std::vector<Vec3> by_area;
  for (const int place : tables_.boundary_places) {
    by_area.push_back(momentum[owned_place[place]] / norm(mesh_.boundary()[place].outward_area));
  }
  return by_area;
}

std::vector<Vec3> RebuiltMomentum::drift_of_entering(const FlowBoundaries& boundaries) const {
  const std::vector<Vec3> drift = entering_drift(mesh_, boundaries);
  const std::vector<std::size_t> owned_place = places_among_owned(mesh_);
  std::vector<Vec3> of_faces;
  for (const int place : tables_.boundary_places) of_faces.push_back(drift[owned_place[place]]);
  return of_faces;
}

void RebuiltMomentum::set_penalties() {
  std::vector<real> penalty, average;
  for (int f = 0; f < mesh_.owned<Face>(); ++f) {
    const FaceKind kind = tables_.kinds[f];
    const real gamma = kind == FaceKind::inside ? gamma_inside : kind == FaceKind::sticking ? gamma_at_walls : 0;
    penalty.push_back(gamma * mesh_.geometry().face_area[f] / mesh_.dual_length()[f]);
    average.push_back(gamma > 0 ? theta / (kind == FaceKind::inside ? 2 : 1) : 0);
  }
  penalty_by_viscosity_.from_host(penalty);
  average_by_viscosity_.from_host(average);
}

void RebuiltMomentum::set(std::span<const Vec3> velocity) {
  std::vector<Vec3> values;
  for (const auto& sources : tables_.sources) {
    Vec3 sum;
    for (const auto& [place, weight] : sources) sum += weight * velocity[place];
    values.push_back(sum);
  }
  given_velocity_.from_host(values);
  values.clear();
  for (const int place : tables_.boundary_places) values.push_back(mean_on_face(mesh_, velocity, place));
  boundary_velocity_.from_host(values);
}

void RebuiltMomentum::set_viscosity(Exchanged<Cell> viscosity) {
  if (&viscosity.field() != &viscosity_) {
    viscosity_.copy_from(viscosity.field());
    halo(viscosity_);
  }
  const auto nu = std::as_const(viscosity_).view();
  const auto cells = mesh_.G.view();
  const auto by_penalty = std::as_const(penalty_by_viscosity_).view(),
             by_average = std::as_const(average_by_viscosity_).view();
  const auto penalty = penalty_.view(), average = average_.view();
  forall(
      mesh_.owned<Face>(), SOLENOID_KERNEL(int i) {
        const Index<Face> f{i};
        real sum = 0, product = 1;
        int sides = 0;
        for (const auto [c, sign, slot] : cells[f]) sum += nu[c], product *= nu[c], ++sides;
        const real of_face = sides < 2 ? product : sum > 0 ? 2 * product / sum : 0;
        penalty[f] = of_face * by_penalty[f];
        average[f] = of_face * by_average[f];
      });
  halo(average_);
}

void RebuiltMomentum::set_eddies(const EddyViscosity& model) {
  require_on_all_ranks(mesh_.dimension() == 3, [] { return "eddies are modelled in space alone"; });
  std::vector<real> lengths;
  for (int c = 0; c < mesh_.owned<Cell>(); ++c) {
    const real volume = mesh_.geometry().cell_volume[c];
    const int eights = static_cast<int>(std::floor(std::ilogb(volume) / real{3}));  // the same digits in any unit
    lengths.push_back(std::ldexp(model.squared_length(std::ldexp(volume, -3 * eights)), 2 * eights));
  }
  eddies_.emplace(Eddies{model, DeviceArray<real>(lengths), Field<Cell>(mesh_), Field<Face>(mesh_)});
}

}  // namespace solenoid
