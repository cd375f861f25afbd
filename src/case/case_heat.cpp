#include "case/case_heat.hpp"

#include "case/case_words.hpp"

namespace solenoid {

namespace {
const WordSet<BoundaryType> thermal_types{{{"temperature", BoundaryType::temperature},
                                           {"flux", BoundaryType::flux},
                                           {"insulated", BoundaryType::insulated},
                                           {"convection", BoundaryType::convection}},
                                          {{"wall", belongs_to_flow},
                                           {"inlet", belongs_to_flow},
                                           {"outlet", belongs_to_flow},
                                           {"symmetry", belongs_to_flow}}};

/// Notes a fault where a steady state depends on time.
void check_time(TomlSection& section, const std::string& key, const Formula& formula, bool transient) {
  if (!transient && formula.depends_on_time()) {
    section.wrong(key, "an expression without t, for a steady state has no time (or a transient run: add [time])");
  }
}

Formula read_formula(TomlSection& section, const std::string& key, const NumberRange& range, bool transient,
                     std::optional<double> fallback = {}) {
  const Formula formula = section.formula(key, range, fallback);
  check_time(section, key, formula, transient);
  return formula;
}

MaterialSettings read_material(TomlSection& section, const std::string& key, const NumberRange& range, bool transient,
                               std::optional<double> fallback = {}) {
  MaterialSettings material;
  material.key = "`" + key + "` in [heat]";
  if (section.has_table(key)) {
    const std::string expected = "a value for each volume group of the mesh: { steel = 50.0, rubber = 0.2 }";
    TomlSection table = section.table(key);
    for (const auto& [region, formula] : table.formulas(range, expected)) {
      check_time(table, region, formula, transient);
      material.of_region[region] = formula;
    }
  } else {
    material.everywhere = read_formula(section, key, range, transient, fallback);
  }
  return material;
}
}  // namespace

HeatSettings read_heat(TomlSection section, bool transient) {
  HeatSettings heat;
  heat.conductivity = read_material(section, "conductivity", positive, transient);
  if (transient || section.has("heat_capacity")) {
    heat.heat_capacity = read_material(section, "heat_capacity", positive, transient);
  } else {
    section.optional_real("heat_capacity", positive);
  }
  heat.source = read_material(section, "source", any_number, transient, 0.0);
  return heat;
}

TimeSettings read_heat_time(TomlSection section) {
  constexpr const char* why = "belongs to [flow]; heat conduction takes a `step` in s";
  TimeSettings time;
  time.end = read_end(section);
  const bool by_cfl = section.refuse("cfl", why);
  time.step = by_cfl ? section.optional_real("step", positive) : section.real("step", positive);
  check_step(section, "step", time.step, time.end);
  section.refuse("step_max", why);
  time.scheme = section.word("scheme", time_schemes, "second-order").value_or(time.scheme);
  time.steady_tolerance = section.real("steady_tolerance", not_negative, 0.0);
  return time;
}

std::map<std::string, BoundarySettings> read_thermal_boundary(TomlSection section, const std::string& expected,
                                                              bool transient) {
  std::map<std::string, BoundarySettings> boundary;
  for (auto& [name, group] : section.named_tables(expected)) {
    const auto type = group.word("type", thermal_types);
    if (!type) {
      group.ignore_rest();  // which keys it takes depends on the type
      continue;
    }
    BoundarySettings& settings = boundary[name];
    settings.type = *type;
    if (*type == BoundaryType::temperature || *type == BoundaryType::flux) {
      settings.value = read_formula(group, "value", any_number, transient);
    } else if (*type == BoundaryType::convection) {
      settings.coefficient = read_formula(group, "coefficient", not_negative, transient);
      settings.value = read_formula(group, "ambient", any_number, transient);
    }
  }
  return boundary;
}

}  // namespace solenoid
