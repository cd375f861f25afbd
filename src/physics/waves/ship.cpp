#include "physics/waves/ship.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include "base/partial_sum.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

namespace {

/// 1 up to 1 - rounding, falling as a cosine to 0 at 1.
SOLENOID_HD real share_of_draught(real place, real rounding) {
  const real beyond = (place < 0 ? -place : place) - (1 - rounding);
  if (beyond <= 0) return 1;
  if (beyond >= rounding) return 0;
  return (1 + std::cos(std::numbers::pi_v<real> * beyond / rounding)) / 2;
}

/// Of the hull at a place [m].
SOLENOID_HD real draught_at(const Hull& hull, const Vec3& x) {
  const Vec3 arm = x - hull.middle;
  return hull.draught * share_of_draught(dot(arm, hull.ahead) / hull.half_length, hull.rounding) *
         share_of_draught(dot(arm, hull.abeam) / hull.half_beam, hull.rounding);
}

}  // namespace

Hull::Hull(const Ship& ship, real time)
    : middle(ship.position.at(Vec3{}, time)),
      ahead(ship.heading.at(Vec3{}, time)),
      abeam{-ship.port * ahead.y, ship.port * ahead.x, 0},
      half_length(ship.length / 2),
      half_beam(ship.beam / 2),
      rounding(ship.rounding),
      draught(ship.draught) {
  if (time < ship.ramp) draught *= (1 - std::cos(std::numbers::pi_v<real> * time / ship.ramp)) / 2;
}

Fleet::Fleet(const LocalMesh& mesh, std::vector<Ship> ships, real gravity)
    : ships_(std::move(ships)), comm_(mesh.comm()), gravity_(gravity) {
  if (ships_.empty()) return;
  points_ = DeviceArray<Vec3>(mesh.part().points);
  centres_ = DeviceArray<Vec3>(mesh.geometry().cell_centre);
}

void Fleet::move_to(real time) {
  if (ships_.empty()) return;
  std::vector<Hull> hulls;
  comm_.guard([&] {
    for (const Ship& ship : ships_) hulls.emplace_back(ship, time);
  });
  hulls_ = std::move(hulls);
}

void Fleet::compute_pressure(Field<Node>& pressure) const {
  const Vec3* const points = points_.data();
  const auto values = pressure.view();
  bool is_first = true;
  for (const Hull& hull : hulls_) {
    const real g = gravity_, before = is_first ? 0 : 1;
    forall(
        pressure.owned(), SOLENOID_KERNEL(int i) {
          const Index<Node> n{i};
          values[n] = before * values[n] + g * draught_at(hull, points[i]);
        });
    is_first = false;
  }
}

std::vector<ShipForce> Fleet::forces(const Field<Cell, Vec3>& slope) const {
  const LocalMesh& mesh = slope.mesh();
  const auto grad = slope.view();
  const auto area = mesh.cell_volume();
  const Vec3* const centre = centres_.data();
  std::vector<ShipForce> forces;
  for (std::size_t k = 0; k < hulls_.size(); ++k) {
    const Ship& ship = ships_[k];
    const Hull hull = hulls_[k];
    const Sums<3> sums = totals(mesh.comm(), reduce_sums<3>(
                                                 mesh.owned<Cell>(), SOLENOID_KERNEL(int i) {
                                                   const Index<Cell> c{i};
                                                   const Vec3 force =
                                                       (-area[c] * draught_at(hull, centre[i])) * grad[c];
                                                   const Vec3 arm = centre[i] - hull.middle;
                                                   Sums<3> parts{};
                                                   parts[0] = dot(force, hull.ahead), parts[1] = dot(force, hull.abeam);
                                                   parts[2] = arm.x * force.y - arm.y * force.x;
                                                   return parts;
                                                 }));
    const real weight = ship.density * gravity_;
    forces.push_back({weight * sums[0], weight * sums[1], ship.port * weight * sums[2]});
  }
  return forces;
}

}  // namespace solenoid
