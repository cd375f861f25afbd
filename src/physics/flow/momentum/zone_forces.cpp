#include "physics/flow/momentum/zone_forces.hpp"

#include <cmath>

#include "base/error.hpp"
#include "base/partial_sum.hpp"
#include "parallel/backend.hpp"
#include "physics/flow/zones/fan_curve.hpp"
#include "physics/flow/zones/zone_cells.hpp"

namespace solenoid {

namespace {

/// This rank's part of the sum of V u.d over cells.
PartialSum sum_along(const DeviceArray<int>& cells, const ExpectedVelocity& velocity, const Vec3& direction) {
  const auto V = velocity.now.mesh().cell_volume();
  const auto now = velocity.now.view(), before = velocity.before.view();
  const real older = velocity.older;
  const int* const cell = cells.data();
  return reduce_sum(
      static_cast<int>(cells.size()), SOLENOID_KERNEL(int k) {
        const Index<Cell> c{cell[k]};
        return V[c] * dot((1 - older) * now[c] + older * before[c], direction);
      });
}

void add_in_cells(const DeviceArray<int>& cells, const Vec3& acceleration, Field<Cell, Vec3>& force) {
  const int* const cell = cells.data();
  const auto f = force.view();
  forall(
      static_cast<int>(cells.size()), SOLENOID_KERNEL(int k) { f[Index<Cell>{cell[k]}] += acceleration; });
}

void add_in_cells(const DeviceArray<int>& cells, const DeviceArray<Vec3>& accelerations, Field<Cell, Vec3>& force) {
  const int* const cell = cells.data();
  const Vec3* const a = accelerations.data();
  const auto f = force.view();
  forall(
      static_cast<int>(cells.size()), SOLENOID_KERNEL(int k) { f[Index<Cell>{cell[k]}] += a[k]; });
}

ZoneDrive drive_of(const FlowZone& zone, const Fan& fan, real sum) {
  const real flux = sum / fan.thickness;
  const real jump = fan.pressure_jump.at(Vec3{within_curve(fan.pressure_jump, flux), 0, 0}, 0);
  return {zone.name, true, flux, jump, jump * flux};
}

ZoneDrive drive_of(const FlowZone& zone, const ActuatorDisk& disk, real sum, real volume, int dimension) {
  const real there = sum / volume, upstream = there / (1 - disk.induction());
  const real thrust = disk.thrust_coefficient * disk.area(dimension) * std::abs(upstream) * upstream / 2;
  return {zone.name, false, upstream, thrust, -thrust * there};
}

}  // namespace

ZoneForces::ZoneForces(const LocalMesh& mesh, const std::vector<FlowZone>& zones, real time, const MemoryOf& /*scope*/)
    : mesh_(mesh) {
  for (const FlowZone& zone : zones) {
    if (!zone.has_force()) continue;
    const CellsOfZone all = cells_of_zone(zone, mesh);
    std::vector<int> cells;
    std::vector<Vec3> centres;
    for (int c = 0; c < mesh.owned<Cell>(); ++c) {
      if (!all.marks[c]) continue;
      cells.push_back(c);
      centres.push_back(mesh.geometry().cell_centre[c]);
    }
    parts_.push_back({zone, std::move(centres), DeviceArray<int>(cells), all.volume});
  }
  for (Part& one : parts_) {
    if (one.zone.acceleration) sample(one, time);
  }
}

void ZoneForces::sample(Part& part, real time) const {
  const Coefficient<Vec3>& given = *part.zone.acceleration;
  if (part.acceleration && (!given.depends_on_time() || time == part.time_of_acceleration)) return;
  mesh_.comm().guard([&] {
    const std::vector<Vec3> values = given.at(part.centres, time);
    for (std::size_t c = 0; c < values.size(); ++c) {
      require_input(mesh_.dimension() == 3 || values[c].z == 0, [&] {
        return message("[zone.{}]: its acceleration has a z-component, {} m/s^2 at {}: a 2D flow has none",
                       part.zone.name, values[c].z, text_of_place(part.centres[c], 2));
      });
    }
    part.acceleration = DeviceArray<Vec3>(values);
  });
  part.time_of_acceleration = time;
}

void ZoneForces::add_to(Field<Cell, Vec3>& force, const ExpectedVelocity& velocity, real time) {
  const std::vector<ZoneDrive> drives = this->drives(velocity);
  auto drive = drives.begin();
  for (Part& part : parts_) {
    if (part.zone.acceleration) {
      sample(part, time);
      add_in_cells(part.cells, *part.acceleration, force);
    }
    if (const auto& fan = part.zone.fan) {
      add_in_cells(part.cells, (drive++->force / fan->thickness) * fan->direction, force);
    }
    if (const auto& disk = part.zone.disk) {
      add_in_cells(part.cells, (-(drive++)->force / part.volume) * disk->direction, force);
    }
  }
}

/// Of fans and disks, of V u.d over all ranks.
std::vector<real> ZoneForces::sums_along(const ExpectedVelocity& velocity) const {
  std::vector<PartialSum> sums;
  for (const Part& part : parts_) {
    if (part.zone.fan) sums.push_back(sum_along(part.cells, velocity, part.zone.fan->direction));
    if (part.zone.disk) sums.push_back(sum_along(part.cells, velocity, part.zone.disk->direction));
  }
  return totals(mesh_.comm(), sums);
}

std::vector<ZoneDrive> ZoneForces::drives(const ExpectedVelocity& velocity) const {
  const std::vector<real> sums = sums_along(velocity);
  std::vector<ZoneDrive> drives;
  mesh_.comm().guard([&] {
    auto sum = sums.begin();
    for (const Part& part : parts_) {
      if (part.zone.fan) drives.push_back(drive_of(part.zone, *part.zone.fan, *sum++));
      if (part.zone.disk) {
        drives.push_back(drive_of(part.zone, *part.zone.disk, *sum++, part.volume, mesh_.dimension()));
      }
    }
  });
  return drives;
}

}  // namespace solenoid
