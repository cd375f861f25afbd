#include "physics/flow/momentum/wall_stress.hpp"

#include <limits>
#include <map>

#include "base/partial_sum.hpp"
#include "parallel/backend.hpp"
#include "physics/flow/momentum/reichardt_law.hpp"

namespace solenoid {

struct WallFaces {
  int count;
  const int *place, *cell;
  const Vec3* normal;
  const real *distance, *roughness, *area;
  real viscosity;

  SOLENOID_HD Vec3 along(int k, const Vec3& velocity) const { return velocity - dot(velocity, normal[k]) * normal[k]; }
  /// y u_tau / nu.
  SOLENOID_HD real y_plus(int k, const Vec3& velocity) const { return y_plus_at(k, norm(along(k, velocity))); }
  SOLENOID_HD real y_plus_at(int k, real speed) const {
    return ReichardtLaw{roughness[k]}.y_plus(speed * distance[k] / viscosity);
  }
  /// Along the flow.
  SOLENOID_HD Vec3 stress(int k, const Vec3& velocity) const {
    const Vec3 slip = along(k, velocity);
    const real speed = norm(slip);
    if (!(speed > 0)) return speed * slip;  // 0, or not a number
    const real u_tau = y_plus_at(k, speed) * viscosity / distance[k];
    return (u_tau * u_tau / speed) * slip;
  }
  /// d tau / d u [m/s].
  SOLENOID_HD real slope(int k, const Vec3& velocity) const {
    const real y = y_plus(k, velocity);
    if (!(y > 0)) return viscosity / distance[k];
    const ReichardtLaw::Value there = ReichardtLaw{roughness[k]}.at(y);
    return 2 * viscosity / distance[k] * y / (there.velocity + y * there.slope);
  }
};

WallStress::WallStress(const LocalMesh& mesh, const FlowBoundaries& boundaries, real viscosity,
                       const MemoryOf& /*scope*/)
    : mesh_(mesh), viscosity_(viscosity) {
  std::vector<int> places, cells;
  std::vector<Vec3> normals;
  std::vector<real> distances, roughnesses, areas;
  std::map<int, std::vector<int>> faces_of;
  PartialSum area;
  for (int i = 0; i < mesh.boundary().size(); ++i) {
    const BoundaryFace& b = mesh.boundary()[i];
    const WallLaw* const law = boundaries.wall_law(b.patch);
    if (!law || !b.is_owned) continue;
    const Vec3 to_wall = mesh.geometry().face_centre[b.face] - mesh.geometry().cell_centre[b.cell];
    faces_of[b.cell].push_back(static_cast<int>(places.size()));
    places.push_back(i), cells.push_back(b.cell), normals.push_back(b.outward_normal);
    distances.push_back(dot(to_wall, b.outward_normal));
    roughnesses.push_back(law->roughness / distances.back());
    areas.push_back(norm(b.outward_area));
    area += areas.back();
  }
  std::vector<int> wall_cells, offsets{0}, faces;
  for (const auto& [cell, of_cell] : faces_of) {
    wall_cells.push_back(cell);
    faces.insert(faces.end(), of_cell.begin(), of_cell.end());
    offsets.push_back(static_cast<int>(faces.size()));
  }
  place_ = DeviceArray<int>(places), cell_ = DeviceArray<int>(cells), normal_ = DeviceArray<Vec3>(normals);
  distance_ = DeviceArray<real>(distances), roughness_ = DeviceArray<real>(roughnesses);
  area_of_face_ = DeviceArray<real>(areas);
  wall_cell_ = DeviceArray<int>(wall_cells), offset_ = DeviceArray<int>(offsets), face_ = DeviceArray<int>(faces);
  stress_ = DeviceArray<Vec3>(places.size());
  area_ = total(mesh.comm(), area);
  is_there_ = area_ > 0;
}

WallFaces WallStress::walls() const {
  return {static_cast<int>(place_.size()),
          place_.data(),
          cell_.data(),
          normal_.data(),
          distance_.data(),
          roughness_.data(),
          area_of_face_.data(),
          viscosity_};
}

/// Sets the stress on each face, of a velocity extrapolated by the share `older`.
static void compute_stress(const WallFaces& on, const Field<Cell, Vec3>& velocity,
                           const Field<Cell, Vec3>& velocity_old, real older, DeviceArray<Vec3>& result) {
  const auto now = velocity.view(), old = velocity_old.view();
  Vec3* const stress = result.data();
  forall(
      on.count, SOLENOID_KERNEL(int k) {
        const Index<Cell> c{on.cell[k]};
        stress[k] = on.stress(k, (1 - older) * now[c] + older * old[c]);
      });
}

void WallStress::extrapolate(const TimeCoefficients& scheme, const Field<Cell, Vec3>& velocity,
                             const Field<Cell, Vec3>& velocity_old) {
  compute_stress(walls(), velocity, velocity_old, scheme.older, stress_);
}

void WallStress::set(const Field<Cell, Vec3>& velocity) { compute_stress(walls(), velocity, velocity, 0, stress_); }

void WallStress::add_to(Field<Cell, Vec3>& forcing) const {
  const auto V = mesh_.cell_volume();
  const int *const cell = wall_cell_.data(), *const offset = offset_.data(), *const face = face_.data();
  const Vec3* const stress = stress_.data();
  const real* const area = area_of_face_.data();
  const auto taken = forcing.view();
  forall(
      static_cast<int>(wall_cell_.size()), SOLENOID_KERNEL(int i) {
        const Index<Cell> c{cell[i]};
        Vec3 force{};
        for (int k = offset[i]; k < offset[i + 1]; ++k) force += area[face[k]] * stress[face[k]];
        taken[c] += force / V[c];
      });
}

void WallStress::add_to(BoundaryField<Vec3>& tractions) const {
  const WallFaces on = walls();
  const Vec3* const stress = stress_.data();
  Vec3* const result = tractions.data();
  forall(
      on.count, SOLENOID_KERNEL(int k) { result[on.place[k]] += stress[k]; });
}

real WallStress::power(const Field<Cell, Vec3>& velocity) const {
  const WallFaces on = walls();
  const Vec3* const stress = stress_.data();
  const auto u = velocity.view();
  return total(mesh_.comm(), reduce_sum(
                                 on.count, SOLENOID_KERNEL(int k) {
                                   return on.area[k] * dot(stress[k], u[Index<Cell>{on.cell[k]}]);
                                 }));
}

void WallStress::compute(const Field<Cell, Vec3>& velocity, BoundaryField<Vec3>& tractions) const {
  const WallFaces on = walls();
  const auto u = velocity.view();
  Vec3* const result = tractions.data();
  forall(
      on.count, SOLENOID_KERNEL(int k) { result[on.place[k]] = on.stress(k, u[Index<Cell>{on.cell[k]}]); });
}

real WallStress::rate(const Field<Cell, Vec3>& velocity) const {
  const WallFaces on = walls();
  const auto V = mesh_.cell_volume();
  const auto u = velocity.view();
  const int *const cell = wall_cell_.data(), *const offset = offset_.data(), *const face = face_.data();
  return mesh_.comm().max(reduce_max(
      static_cast<int>(wall_cell_.size()), 0, SOLENOID_KERNEL(int i) {
        const Index<Cell> c{cell[i]};
        real sum = 0;
        for (int k = offset[i]; k < offset[i + 1]; ++k) sum += on.area[face[k]] * on.slope(face[k], u[c]);
        return sum / V[c];
      }));
}

WallStress::Distances WallStress::in_wall_units(const Field<Cell, Vec3>& velocity) const {
  const WallFaces on = walls();
  const auto u = velocity.view();
  constexpr real least_of_none = std::numeric_limits<real>::lowest();
  const real least = reduce_max(
      on.count, least_of_none, SOLENOID_KERNEL(int k) { return -on.y_plus(k, u[Index<Cell>{on.cell[k]}]); });
  const real largest = reduce_max(
      on.count, 0, SOLENOID_KERNEL(int k) { return on.y_plus(k, u[Index<Cell>{on.cell[k]}]); });
  const auto sum = reduce_sum(
      on.count, SOLENOID_KERNEL(int k) { return on.area[k] * on.y_plus(k, u[Index<Cell>{on.cell[k]}]); });
  return {-mesh_.comm().max(least), total(mesh_.comm(), sum) / area_, mesh_.comm().max(largest)};
}

}  // namespace solenoid
