#include "case/flow_boundary_case.hpp"

#include <array>
#include <optional>

#include "case/case_words.hpp"
#include "case/formula.hpp"
#include "case/physics_tables.hpp"
#include "case/rotating_frame_case.hpp"
#include "physics/flow/momentum/hydrostatic_pressure.hpp"

namespace solenoid {

namespace {

const std::array<Formula, 3> wall_at_rest;

enum class FlowCondition { wall, inlet, outlet, opening, symmetry, farfield };

ScalarSide side_of(FlowCondition type) {
  switch (type) {
    case FlowCondition::wall:
      return ScalarSide::wall;
    case FlowCondition::inlet:
      return ScalarSide::inlet;
    case FlowCondition::outlet:
    case FlowCondition::opening:
      return ScalarSide::outlet;
    case FlowCondition::farfield:
      return ScalarSide::farfield;
    case FlowCondition::symmetry:
      break;
  }
  return ScalarSide::symmetry;
}

const WordSet<bool> outlet_forms{{{"natural", true}}, {{"convective", not_available}}};

/// Reads `profile`: a word, or a formula of place.
void read_profile(TomlSection& group, InletRate& rate) {
  constexpr const char* expected = "\"uniform\", \"developed\" or an expression of x, y, z in quotes";
  const std::string profile = group.text("profile", "uniform");
  if (profile == "developed") rate.shape = ProfileShape::developed;
  if (profile == "uniform" || profile == "developed") return;
  if (group.letters("profile")) return group.wrong("profile", expected);
  rate.shape = ProfileShape::formula;
  rate.formula = given(group.formula("profile", any_number));
  if (rate.formula.depends_on_time()) group.wrong("profile", std::string(expected) + ", without t");
}

/// Reads `recycle`, the distance of a plane.
void read_recycling(TomlSection& group, InletRate& rate) {
  const std::optional<double> distance = group.optional_real("recycle", positive);
  if (!distance) return;
  group.refuse("turbulence", "is not for inlets with `recycle`: what passes the plane has its own");
  rate.recycled_from = static_cast<real>(*distance);
}

/// Reads `turbulence`; beside a mean velocity that depends on time, eddies need a `speed` of their own.
std::optional<TurbulentInflow> read_turbulent_inflow(TomlSection& group, bool depends_on_time) {
  std::optional<TomlSection> found = group.optional_table("turbulence");
  if (!found) return std::nullopt;
  TomlSection& section = *found;
  TurbulentInflow inflow{given(section.formula("intensity", not_negative)),
                         static_cast<real>(section.real("length", positive))};
  if (inflow.intensity.depends_on_time()) section.wrong("intensity", "a number or an expression of x, y, z, without t");
  const std::optional<double> speed =
      depends_on_time ? section.real("speed", positive) : section.optional_real("speed", positive);
  if (speed) inflow.speed = static_cast<real>(*speed);
  inflow.seed = section.integer("seed", 1, inflow.seed);
  return inflow;
}

Inlet read_inlet(TomlSection& group, const RotatingFrame* frame) {
  group.exclusive("velocity", "flow_rate", true);
  const std::optional<Formula> flow_rate = group.optional_formula("flow_rate", any_number);
  if (!flow_rate) {
    for (const char* const key : {"profile", "recycle"}) group.refuse(key, "belongs to `flow_rate`");
    const auto velocity = group.has("velocity") ? given(group.expressions("velocity")) : Coefficient<Vec3>{};
    return Inlet{read_seen_from(group, frame, velocity), {}, read_turbulent_inflow(group, velocity.depends_on_time())};
  }
  group.refuse("seen_from", "belongs to `velocity`: a flow rate is that through the patch, which turns with the frame");
  InletRate rate{given(*flow_rate)};
  if (rate.rate.depends_on_place()) group.wrong("flow_rate", "a number or an expression of t alone");
  read_profile(group, rate);
  read_recycling(group, rate);
  return Inlet{{}, rate, read_turbulent_inflow(group, rate.rate.depends_on_time())};
}

constexpr NumberRange share_of_flux{"a number from 0 to 1", [](double x) { return x >= 0 && x <= 1; }};

Windkessel read_windkessel(TomlSection section) {
  return {.proximal = static_cast<real>(section.real("proximal", positive)),
          .capacitance = static_cast<real>(section.real("capacitance", positive)),
          .distal = static_cast<real>(section.real("distal", positive)),
          .initial = static_cast<real>(section.real("initial", any_number, 0.0))};
}

/// A pressure, or that of a fluid at rest outside with the temperature that enters.
Coefficient<real> read_pressure(TomlSection& group, const char* key, std::optional<double> fallback,
                                const std::string& patch, const std::vector<ScalarSetup>& scalars) {
  const std::optional<std::string> word = group.letters(key);
  if (!word) return given(group.formula(key, any_number, fallback));
  if (group.text(key) != "hydrostatic") {
    group.wrong(key, "\"hydrostatic\", a number or an expression of x, y, z, t in quotes");
    return {};
  }
  const ScalarSetup* const temperature = scalars.empty() || !scalars.front().buoyancy ? nullptr : &scalars.front();
  if (group.has_table("temperature")) {
    group.wrong(key, "a number or an expression beside a file of `temperature`, which does not say what is below it");
    return {};
  }
  if (temperature && temperature->boundary.contains(patch)) {
    return hydrostatic_pressure(*temperature->buoyancy, temperature->boundary.at(patch).f());
  }
  group.wrong(key, temperature ? "`temperature` beside \"hydrostatic\": that of the fluid outside"
                               : "\"hydrostatic\" of a flow with `expansion` in [temperature] alone, else a number");
  return {};
}

/// Reads `direction`, that of entering fluid.
void read_direction(TomlSection& group, Outlet& outlet) {
  const auto direction = group.optional_expressions("direction");
  if (!direction) return;
  outlet.inflow = OutletInflow::directed;
  outlet.direction = given(*direction);
  if (outlet.direction->depends_on_time())
    group.wrong("direction", "three numbers or expressions of x, y, z, without t");
}

Outlet read_opening(TomlSection& group, const std::string& patch, const std::vector<ScalarSetup>& scalars,
                    const RotatingFrame* frame) {
  Outlet opening{read_pressure(group, "total_pressure", {}, patch, scalars)};
  opening.inflow = OutletInflow::directed;
  read_direction(group, opening);
  read_seen_from(group, frame, opening);
  return opening;
}

Outlet read_outlet(TomlSection& group, const std::string& patch, const std::vector<ScalarSetup>& scalars) {
  group.word("form", outlet_forms, "natural");
  Outlet outlet{read_pressure(group, "pressure", 0.0, patch, scalars)};
  constexpr std::array keys{"flow_rate", "share", "resistance", "windkessel"};
  for (std::size_t k = 1; k < keys.size(); ++k) {
    for (std::size_t j = 0; j < k; ++j) group.exclusive(keys[j], keys[k], false);
  }
  if (const auto rate = group.optional_formula("flow_rate", any_number)) {
    outlet.behind = OutletRate{given(*rate)};
    if (rate->depends_on_place()) group.wrong("flow_rate", "a number or an expression of t alone");
  }
  if (const auto share = group.optional_real("share", share_of_flux)) {
    outlet.behind = OutletShare{static_cast<real>(*share)};
  }
  if (const auto resistance = group.optional_real("resistance", positive)) {
    outlet.behind = Windkessel{.proximal = static_cast<real>(*resistance)};
  }
  if (group.has("windkessel")) outlet.behind = read_windkessel(group.table("windkessel"));
  read_direction(group, outlet);
  return outlet;
}

const WordSet<bool> wall_laws{{{"no-slip", false}, {"log-law", true}}, {}};

/// Reads a wall, and the law of one that is not resolved.
FlowBoundary read_wall(TomlSection& group, const std::vector<ScalarSetup>& scalars, const RotatingFrame* frame) {
  const bool has_law = group.word("wall", wall_laws, "no-slip").value_or(false);
  if (!has_law) {
    group.refuse("roughness", "belongs to wall = \"log-law\"");
    return read_wall_velocity(group, frame, given(group.expressions("velocity", wall_at_rest)));
  }
  group.refuse("seen_from", "is not for wall = \"log-law\": such a wall turns with the frame");
  group.refuse("velocity", "is not for wall = \"log-law\": such a wall is at rest");
  for (const ScalarSetup& scalar : scalars) {
    for (const std::string& key : {scalar.name, scalar.name + "_transfer"}) {
      if (group.has(key)) {
        group.wrong(key, "`" + scalar.name + "_flux` on a wall with wall = \"log-law\", whose layer is not resolved");
      }
    }
  }
  return Symmetry{WallLaw{static_cast<real>(group.real("roughness", not_negative, 0.0))}};
}

FlowBoundary read_condition(TomlSection& group, FlowCondition type, const std::string& patch,
                            const std::vector<ScalarSetup>& scalars, const RotatingFrame* frame) {
  const bool is_inlet = type == FlowCondition::inlet, is_outlet = type == FlowCondition::outlet;
  for (const char* const key : {"profile", "recycle", "turbulence"}) {
    if (!is_inlet && group.has(key)) group.refuse(key, "is for inlets");
  }
  if (!is_inlet && !is_outlet && group.has("flow_rate")) group.refuse("flow_rate", "is for inlets and outlets");
  const bool lets_in = is_outlet || type == FlowCondition::opening;
  if (!lets_in && group.has("direction")) group.refuse("direction", "is for outlets and openings");
  if (type != FlowCondition::wall) {
    for (const char* const key : {"wall", "roughness"}) {
      if (group.has(key)) group.refuse(key, "is for walls");
    }
  }
  if (!is_inlet && type != FlowCondition::wall && type != FlowCondition::opening) {
    group.refuse("seen_from", "is for walls, for the velocity of inlets, and for openings");
  }
  switch (type) {
    case FlowCondition::wall:
      return read_wall(group, scalars, frame);
    case FlowCondition::inlet:
      return read_inlet(group, frame);
    case FlowCondition::farfield:
      return Farfield{given(group.expressions("velocity"))};
    case FlowCondition::outlet:
      return read_outlet(group, patch, scalars);
    case FlowCondition::opening:
      return read_opening(group, patch, scalars, frame);
    case FlowCondition::symmetry:
      break;
  }
  return Symmetry{};
}

}  // namespace

std::map<std::string, FlowBoundary> read_flow_boundary(TomlSection& root, const std::string& file,
                                                       std::vector<ScalarSetup>& scalars, const RotatingFrame* frame) {
  WordSet<FlowCondition> types{{{"wall", FlowCondition::wall},
                                {"inlet", FlowCondition::inlet},
                                {"outlet", FlowCondition::outlet},
                                {"opening", FlowCondition::opening},
                                {"symmetry", FlowCondition::symmetry},
                                {"farfield", FlowCondition::farfield}},
                               {}};
  for (const RefusedWord& word : boundary_types_beside("flow")) types.refused.push_back(word);
  return read_boundary<FlowBoundary>(root, types,
                                     [&](TomlSection& group, FlowCondition type, const std::string& patch) {
                                       for (ScalarSetup& scalar : scalars)
                                         read_scalar_condition(group, side_of(type), patch, file, scalar);
                                       FlowBoundary condition = read_condition(group, type, patch, scalars, frame);
                                       auto* const outlet = std::get_if<Outlet>(&condition);
                                       if (outlet && frame) outlet->pressure = frame->reduced(outlet->pressure);
                                       return condition;
                                     });
}

}  // namespace solenoid
