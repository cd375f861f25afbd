#include "case/zone_case.hpp"

#include <cmath>

#include "base/error.hpp"
#include "case/box_case.hpp"
#include "case/rotating_frame_case.hpp"
#include "case/scalar_tables.hpp"

namespace solenoid {

namespace {

constexpr const char* contents =
    "`darcy`, `forchheimer`, `acceleration`, `fan`, `actuator_disk`, `rotating`, `porosity`, `conductivity`, `heat` or "
    "`sources`";

real radius_of(TomlSection& section) { return static_cast<real>(section.real("radius", positive)); }

ZonePlace read_cylinder(TomlSection section) {
  const std::optional<Vec3> from = section.vector("from"), to = section.vector("to");
  if (from && to && norm(*to - *from) == 0) section.wrong("to", "another point than `from`: the ends of the axis");
  return ZoneCylinder{from.value_or(Vec3{}), to.value_or(Vec3{}), radius_of(section)};
}

ZonePlace read_zone_place(TomlSection& section) {
  const std::string shape = section.one_of({"region", "box", "cylinder", "ball"});
  if (shape == "box") {
    const Box box = read_box(section.table(shape)).value_or(Box{{}, {}});
    return ZoneBox{box.low, box.high};
  }
  if (shape == "cylinder") return read_cylinder(section.table(shape));
  if (shape == "ball") {
    TomlSection ball = section.table(shape);
    const Vec3 centre = ball.vector("centre").value_or(Vec3{});
    return ZoneBall{centre, radius_of(ball)};
  }
  return ZoneRegion{section.optional_text("region").value_or("")};
}

/// Of length 1 and at right angles, the third by the first two.
std::array<Vec3, 3> read_axes(TomlSection& section) {
  constexpr real round_off = 1e-6;
  std::array<Vec3, 3> axes = PorousBody{}.axes;
  const std::vector<Vec3> given = section.optional_points("axes");
  if (given.empty()) return axes;
  const bool are_two = given.size() == 2 && norm(given[0]) > 0 && norm(given[1]) > 0;
  if (!are_two || std::abs(dot(given[0], given[1])) > round_off * norm(given[0]) * norm(given[1])) {
    section.wrong("axes", "two directions at right angles, the first two of three");
    return axes;
  }
  axes[0] = given[0] / norm(given[0]);
  const Vec3 second = given[1] - dot(given[1], axes[0]) * axes[0];
  axes[1] = second / norm(second);
  axes[2] = cross(axes[0], axes[1]);
  return axes;
}

std::optional<PorousBody> read_porous(TomlSection& section) {
  PorousBody body;
  const auto per_axis = [&](const char* key) {
    const auto [x, y, z] = section.per_axis(key, not_negative, 0.0);
    return Vec3{static_cast<real>(x), static_cast<real>(y), static_cast<real>(z)};
  };
  body.darcy = per_axis("darcy");
  body.forchheimer = per_axis("forchheimer");
  body.axes = read_axes(section);
  const bool is_porous = section.has("darcy") || section.has("forchheimer");
  if (!is_porous) section.refuse("axes", "belongs to `darcy` and `forchheimer`");
  return is_porous ? std::optional<PorousBody>(body) : std::nullopt;
}

/// Of length 1.
Vec3 read_direction(TomlSection& section) {
  const std::optional<Vec3> given = section.vector("direction");
  if (given && norm(*given) > 0) return *given / norm(*given);
  if (given) section.wrong("direction", "a direction other than (0, 0, 0)");
  return Vec3{1, 0, 0};
}

std::optional<Fan> read_fan(std::optional<TomlSection> section) {
  if (!section) return std::nullopt;
  constexpr NumberRange number_or_curve{"a number, or an expression of Q in quotes", [](double) { return true; }};
  const std::optional<Formula> curve = section->formula_of("pressure_jump", FormulaArguments::flux);
  const Formula jump = curve ? *curve : Formula(section->real("pressure_jump", number_or_curve));
  const auto thickness = static_cast<real>(section->real("thickness", positive));
  return Fan{given(jump), read_direction(*section), thickness};
}

std::optional<ActuatorDisk> read_disk(std::optional<TomlSection> section) {
  if (!section) return std::nullopt;
  constexpr NumberRange of_theory{"a number greater than 0 and less than 1, beyond which momentum theory has no wake",
                                  [](double x) { return x > 0 && x < 1; }};
  const auto thrust = static_cast<real>(section->real("thrust_coefficient", of_theory));
  const auto diameter = static_cast<real>(section->real("diameter", positive));
  return ActuatorDisk{thrust, diameter, read_direction(*section)};
}

/// A number or an expression of t, divided by `unit`.
Coefficient<real> read_supply(TomlSection& section, const std::string& key, real unit) {
  const Coefficient<real> supply = given(section.formula(key, any_number, 0.0));
  if (supply.depends_on_place()) section.wrong(key, "a number or an expression of t alone: that of the whole zone");
  return unit == 1 ? supply : by_heat_capacity(supply, unit);
}

std::optional<ZoneHeat> read_heat(TomlSection& section, const std::vector<ScalarSetup>& scalars) {
  const ScalarSetup* const temperature = !scalars.empty() && scalars[0].is_temperature ? &scalars[0] : nullptr;
  const real unit = temperature ? temperature->heat_capacity : 1;
  ZoneHeat heat;
  bool is_there = section.has("porosity");
  if (scalars.empty()) {
    section.refuse("porosity", "is for heat and scalars: a flow with [temperature] or a [[scalar]]");
    section.refuse("sources", "is for scalars: a flow with a [[scalar]]");
  } else {
    const NumberRange share{"a number above 0 and up to 1", [](double x) { return x > 0 && x <= 1; }};
    if (const auto porosity = section.optional_real("porosity", share)) heat.porosity = static_cast<real>(*porosity);
  }
  if (temperature) {
    if (is_there) heat.solid_capacity = static_cast<real>(section.real("solid_heat_capacity", positive)) / unit;
    if (!is_there) section.refuse("solid_heat_capacity", "belongs to `porosity`");
    if (const auto conductivity = section.optional_real("conductivity", positive)) {
      heat.conductivity = static_cast<real>(*conductivity) / unit;
      is_there = true;
    }
    is_there = is_there || section.has("heat");
    heat.heat = read_supply(section, "heat", unit);
  } else {
    for (const char* key : {"solid_heat_capacity", "conductivity", "heat"})
      section.refuse(key, "is for heat: a flow with [temperature]");
  }
  if (scalars.empty()) return std::nullopt;
  if (std::optional<TomlSection> sources = section.optional_table("sources")) {
    if (scalars.size() == 1 && temperature) section.refuse("sources", "is for scalars: a flow with a [[scalar]]");
    is_there = true;
    for (const ScalarSetup& scalar : scalars) {
      if (!scalar.is_temperature) heat.sources[scalar.name] = read_supply(*sources, scalar.name, 1);
    }
  }
  return is_there ? std::optional<ZoneHeat>(heat) : std::nullopt;
}

}  // namespace

std::vector<FlowZone> read_flow_zones(TomlSection& root, const std::vector<ScalarSetup>& scalars) {
  std::vector<FlowZone> zones;
  if (!root.has("zone")) return zones;
  if (!root.has_table("zone")) {
    root.wrong("zone", "tables [zone.NAME], which a flow has; [[zone]] belongs to water waves, [waves]");
    return zones;
  }
  TomlSection all = root.table("zone");
  for (auto& [name, section] : all.named_tables("a table [zone.NAME] for each zone")) {
    FlowZone zone{name, read_zone_place(section), read_porous(section)};
    if (const auto acceleration = section.optional_expressions("acceleration"))
      zone.acceleration = given(*acceleration);
    zone.fan = read_fan(section.optional_table("fan"));
    zone.disk = read_disk(section.optional_table("actuator_disk"));
    zone.rotating = read_rotating_frame(section, "rotating");
    zone.heat = read_heat(section, scalars);
    if (!zone.porous && !zone.has_force() && !zone.rotating && !zone.heat)
      all.fault(name, message("nothing stands in [zone.{}]: expected {}", name, contents));
    zones.push_back(std::move(zone));
  }
  return zones;
}

}  // namespace solenoid
