#include "physics/flow/zones/flow_zone.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.hpp"

namespace solenoid {

namespace {

bool is_in(const ZoneBox& box, const Vec3& x, int dimension) {
  const bool is_across = x.x >= box.low.x && x.x <= box.high.x && x.y >= box.low.y && x.y <= box.high.y;
  return is_across && (dimension == 2 || (x.z >= box.low.z && x.z <= box.high.z));
}

bool is_in(const ZoneCylinder& cylinder, const Vec3& x) {
  const Vec3 axis = cylinder.to - cylinder.from, from = x - cylinder.from;
  const real square = dot(axis, axis), along = dot(from, axis);
  if (along < 0 || along > square) return false;
  return dot(from, from) * square - along * along <= cylinder.radius * cylinder.radius * square;
}

bool is_in(const ZoneBall& ball, const Vec3& x, int dimension) {
  Vec3 from = x - ball.centre;
  if (dimension == 2) from.z = 0;
  return dot(from, from) <= ball.radius * ball.radius;
}

/// The same fan's, whose flux and jump are in other units.
Coefficient<real> jump_seen(const Coefficient<real>& jump, real unit_of_jump, real unit_of_flux) {
  return {[=](std::span<const Vec3> fluxes, real, std::span<real> values) {
            for (std::size_t i = 0; i < values.size(); ++i) {
              values[i] = unit_of_jump * jump.at(Vec3{fluxes[i].x / unit_of_flux, 0, 0}, 0);
            }
          },
          jump.depends(), jump.text()};
}

}  // namespace

real ActuatorDisk::induction() const { return (1 - std::sqrt(1 - thrust_coefficient)) / 2; }

real ActuatorDisk::area(int dimension) const {
  return dimension == 2 ? diameter : std::numbers::pi_v<real> * diameter * diameter / 4;
}

std::string FlowZone::text_of_place(int dimension) const {
  const auto at = [&](const Vec3& x) { return solenoid::text_of_place(x, dimension); };
  if (const auto* const group = std::get_if<ZoneRegion>(&place)) return message("group \"{}\"", group->group);
  if (const auto* const box = std::get_if<ZoneBox>(&place)) {
    return message("box from {} to {} m", at(box->low), at(box->high));
  }
  if (const auto* const cylinder = std::get_if<ZoneCylinder>(&place)) {
    return message("cylinder from {} to {} m of radius {:.6g} m", at(cylinder->from), at(cylinder->to),
                   cylinder->radius);
  }
  const ZoneBall& ball = std::get<ZoneBall>(place);
  return message("ball of radius {:.6g} m around {} m", ball.radius, at(ball.centre));
}

std::optional<real> FlowZone::volume_of_shape(int dimension) const {
  if (const auto* const box = std::get_if<ZoneBox>(&place)) {
    const Vec3 size = box->high - box->low;
    return size.x * size.y * (dimension == 2 ? 1 : size.z);
  }
  constexpr real pi = std::numbers::pi_v<real>;
  if (const auto* const cylinder = std::get_if<ZoneCylinder>(&place)) {
    return pi * cylinder->radius * cylinder->radius * norm(cylinder->to - cylinder->from);
  }
  const auto* const ball = std::get_if<ZoneBall>(&place);
  if (!ball) return std::nullopt;
  const real across = pi * ball->radius * ball->radius;
  return dimension == 2 ? across : across * ball->radius * 4 / 3;
}

FlowZone FlowZone::seen(const Frame& frame, int dimension) const {
  FlowZone other = *this;
  const real metre = frame.factor("m");
  if (auto* const box = std::get_if<ZoneBox>(&other.place)) {
    Box seen;
    seen.include(frame.place(box->low));
    seen.include(frame.place(box->high));
    *box = {seen.low, seen.high};
  } else if (auto* const cylinder = std::get_if<ZoneCylinder>(&other.place)) {
    *cylinder = {frame.place(cylinder->from), frame.place(cylinder->to), metre * cylinder->radius};
  } else if (auto* const ball = std::get_if<ZoneBall>(&other.place)) {
    *ball = {frame.place(ball->centre), metre * ball->radius};
  }
  if (other.porous) {
    other.porous->darcy = frame.factor("1/m^2") * porous->darcy;
    other.porous->forchheimer = frame.factor("1/m") * porous->forchheimer;
    for (Vec3& axis : other.porous->axes) axis = frame.turned(axis);
  }
  other.acceleration = frame.seen(acceleration, "m/s^2");
  if (fan) {
    other.fan = {jump_seen(fan->pressure_jump, frame.factor("m^2/s^2"), frame.factor(unit_of_flux(dimension))),
                 frame.turned(fan->direction), metre * fan->thickness};
  }
  if (rotating) other.rotating = rotating->seen(frame);
  if (heat) {
    const std::string of_flux = unit_of_flux(dimension);
    if (heat->conductivity) other.heat->conductivity = frame.factor("m^2/s") * *heat->conductivity;
    other.heat->heat = frame.seen(heat->heat, "K " + of_flux);
    for (auto& [scalar, source] : other.heat->sources) source = frame.seen(source, of_flux);
  }
  if (disk) other.disk = {disk->thrust_coefficient, metre * disk->diameter, frame.turned(disk->direction)};
  return other;
}

std::vector<char> cells_of(const FlowZone& zone, const ZoneCells& cells) {
  const std::span<const Vec3> at = cells.centroids;
  std::vector<char> marks(at.size(), 0);
  const auto mark = [&](const auto& holds) {
    for (std::size_t c = 0; c < marks.size(); ++c) marks[c] = holds(c) ? 1 : 0;
  };
  if (const auto* const of_mesh = std::get_if<ZoneRegion>(&zone.place)) {
    const auto found = std::find(cells.regions.begin(), cells.regions.end(), of_mesh->group);
    const int region = static_cast<int>(found - cells.regions.begin());
    if (!cells.region.empty()) mark([&](std::size_t c) { return cells.region[c] == region; });
  } else if (const auto* const box = std::get_if<ZoneBox>(&zone.place)) {
    mark([&](std::size_t c) { return is_in(*box, at[c], cells.dimension); });
  } else if (const auto* const cylinder = std::get_if<ZoneCylinder>(&zone.place)) {
    mark([&](std::size_t c) { return is_in(*cylinder, at[c]); });
  } else {
    mark([&](std::size_t c) { return is_in(std::get<ZoneBall>(zone.place), at[c], cells.dimension); });
  }
  return marks;
}

std::vector<real> zone_numbers(const std::vector<FlowZone>& zones, const ZoneCells& cells) {
  std::vector<real> numbers(cells.centroids.size(), 0);
  for (std::size_t k = 0; k < zones.size(); ++k) {
    const std::vector<char> marks = cells_of(zones[k], cells);
    for (std::size_t c = 0; c < marks.size(); ++c) {
      if (marks[c]) numbers[c] = static_cast<real>(k + 1);
    }
  }
  return numbers;
}

}  // namespace solenoid
