#include "physics/boundary_faces.hpp"

#include <algorithm>

#include "parallel/backend.hpp"

namespace solenoid {

BoundaryFaces::BoundaryFaces(const LocalMesh& mesh, const FlowBoundaries& boundaries)
    : mesh_(mesh), boundaries_(boundaries) {
  std::vector<int> open;
  std::vector<char> is_outlet;
  for (const BoundaryFace& b : mesh.boundary()) {
    is_open_.push_back(boundaries.outlet(b.patch) != nullptr);
    if (!b.is_owned) continue;
    if (is_open_.back()) open.push_back(static_cast<int>(is_outlet.size()));
    is_outlet.push_back(is_open_.back());
  }
  has_open_ = mesh.comm().sum(static_cast<std::int64_t>(open.size())) > 0;
  velocity_ = DeviceArray<Vec3>(is_outlet.size());
  pressure_ = DeviceArray<real>(open.size());
  open_ = DeviceArray<int>(open);
  is_outlet_ = DeviceArray<char>(is_outlet);
}

std::vector<Vec3> BoundaryFaces::mean_velocities(real time) const {
  const MeshPart& part = mesh_.part();
  const Boundary& faces = mesh_.boundary();
  std::vector<std::vector<std::size_t>> of_patch(part.patches.size());
  for (std::size_t i = 0; i < is_open_.size(); ++i) of_patch[faces[i].patch].push_back(i);
  std::vector<Vec3> mean(is_open_.size());
  for (std::size_t p = 0; p < of_patch.size(); ++p) {
    if (!boundaries_.lets_given_flux_pass(static_cast<int>(p))) continue;
    std::vector<Vec3> places;
    for (const std::size_t i : of_patch[p]) {
      const std::span<const int> ends = part.face_nodes_of(faces[i].face);
      const Vec3 a = part.points[ends[0]], b = part.points[ends[1]];
      places.insert(places.end(), {a, (a + b) / 2, b});
    }
    const std::vector<Vec3> u = boundaries_.velocity(static_cast<int>(p))->at(places, time);
    for (std::size_t k = 0; k < of_patch[p].size(); ++k) {
      mean[of_patch[p][k]] = (u[3 * k] + 4 * u[3 * k + 1] + u[3 * k + 2]) / 6;
    }
  }
  return mean;
}

void BoundaryFaces::sample(real time) {
  const std::vector<Vec3> mean = mean_velocities(time);
  const Boundary& faces = mesh_.boundary();
  std::vector<Vec3> velocity;
  std::vector<real> pressure;
  for (int i = 0; i < faces.size(); ++i) {
    if (!faces[i].is_owned) continue;
    velocity.push_back(mean[i]);
    const Outlet* const outlet = boundaries_.outlet(faces[i].patch);
    if (outlet) pressure.push_back(outlet->pressure.at(mesh_.geometry().face_centre[faces[i].face], time));
  }
  velocity_.from_host(velocity);
  pressure_.from_host(pressure);
}

std::vector<real> BoundaryFaces::fluxes(real time) const {
  const std::vector<Vec3> mean = mean_velocities(time);
  std::vector<real> flux;
  for (int i = 0; i < mesh_.boundary().size(); ++i) {
    const BoundaryFace& b = mesh_.boundary()[i];
    flux.push_back(static_cast<real>(b.orientation) * dot(mean[i], b.outward_area));
  }
  return flux;
}

void BoundaryFaces::add_pressure(Field<Face>& integral) const {
  const BoundaryView faces = mesh_.boundary().owned();
  const auto cells = mesh_.G.view();
  const auto sum = integral.view();
  const int* const open = open_.data();
  const real* const pressure = pressure_.data();
  forall(
      static_cast<int>(open_.size()), SOLENOID_KERNEL(int k) {
        const Index<Face> f{faces.face[open[k]]};
        sum[f] -= (*cells[f].begin()).sign * pressure[k];  // G = -D^T
      });
}

void BoundaryFaces::take_pressure(BoundaryField<real>& pressure) const {
  const BoundaryView faces = mesh_.boundary().owned();
  const int* const open = open_.data();
  const real* const given = pressure_.data();
  real* const result = pressure.data();
  forall(
      static_cast<int>(open_.size()), SOLENOID_KERNEL(int k) { result[faces.place[open[k]]] = given[k]; });
}

void BoundaryFaces::carry_momentum(const Field<Face>& flux, const Field<Cell, Vec3>& velocity,
                                   Field<Face, Vec3>& momentum) const {
  const BoundaryView faces = mesh_.boundary().owned();
  const auto cells = mesh_.G.view();
  const auto U = flux.view();
  const auto u = velocity.view();
  const auto carried = momentum.view();
  const char* const is_outlet = is_outlet_.data();
  const Vec3* const given = velocity_.data();
  forall(
      faces.count, SOLENOID_KERNEL(int i) {
        const Index<Face> f{faces.face[i]};
        if (!is_outlet[i]) {
          carried[f] = U[f] * given[i];
          return;
        }
        const bool enters = (*cells[f].begin()).sign * U[f] > 0;
        carried[f] = (enters ? U[f] / 2 : U[f]) * u[Index<Cell>{faces.cell[i]}];
      });
}

}  // namespace solenoid
