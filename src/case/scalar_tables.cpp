#include "case/scalar_tables.hpp"

#include <algorithm>
#include <cctype>

#include "case/case_words.hpp"
#include "case/formula.hpp"
#include "physics/flow/flow_model.hpp"

namespace solenoid {

Coefficient<real> by_heat_capacity(const Coefficient<real>& source, double heat_capacity) {
  const auto capacity = static_cast<real>(heat_capacity);
  if (const auto& constant = source.constant()) return Coefficient<real>(*constant / capacity);
  return {[source, capacity](std::span<const Vec3> points, real time, std::span<real> values) {
            source.evaluate(points, time, values);
            for (real& value : values) value /= capacity;
          },
          source.depends()};
}

namespace {

const WordSet<ScalarConvection> forms{{{"central", ScalarConvection::central},
                                       {"upwind", ScalarConvection::upwind},
                                       {"limited", ScalarConvection::limited}},
                                      {}};

/// Reads the tables [region.NAME] of solids; `heat_capacity`: of the fluid [J/(m^3 K)].
std::vector<SolidRegion> read_regions(TomlSection& root, double heat_capacity) {
  std::vector<SolidRegion> solids;
  if (!root.has_table("region")) return solids;
  for (auto& [name, section] : root.table("region").named_tables("a table [region.NAME] for each solid")) {
    if (!section.flag("solid", false)) {
      constexpr const char* why = "is for solids: `solid = true`; the fluid's heat stands in [temperature]";
      for (const char* key : {"conductivity", "heat_capacity", "source"}) section.refuse(key, why);
      continue;
    }
    SolidRegion solid;
    solid.name = name;
    solid.conductivity = static_cast<real>(section.real("conductivity", positive) / heat_capacity);
    solid.heat_capacity = static_cast<real>(section.real("heat_capacity", positive) / heat_capacity);
    solid.source = by_heat_capacity(given(section.formula("source", any_number, 0.0)), heat_capacity);
    solids.push_back(solid);
  }
  return solids;
}

ScalarSetup read_temperature(TomlSection& root) {
  TomlSection section = root.table("temperature");
  ScalarSetup scalar;
  scalar.name = "temperature";
  scalar.is_temperature = true;
  scalar.diffusivity = static_cast<real>(section.real("diffusivity", positive));
  const double heat_capacity = section.real("heat_capacity", positive, 1.0);
  scalar.heat_capacity = static_cast<real>(heat_capacity);
  scalar.solids = read_regions(root, heat_capacity);
  scalar.settings.convection = section.word("convection", forms, "central").value_or(ScalarConvection::central);
  scalar.source = given(section.formula("source", any_number, 0.0));
  if (const auto expansion = section.optional_real("expansion", any_number)) {
    BuoyancySettings buoyancy;
    buoyancy.expansion = static_cast<real>(*expansion);
    buoyancy.reference = static_cast<real>(section.real("reference", any_number));
    buoyancy.gravity = section.vector("gravity", Vec3{0, real{-9.81}, 0});
    scalar.buoyancy = buoyancy;
  } else {
    constexpr const char* why = "is for buoyancy: give `expansion` too";
    section.refuse("reference", why);
    section.refuse("gravity", why);
  }
  const auto length = section.optional_real("nusselt_length", positive),
             difference = section.optional_real("nusselt_difference", positive);
  if (length && !difference) section.wrong("nusselt_length", "`nusselt_difference` beside it");
  if (difference && !length) section.wrong("nusselt_difference", "`nusselt_length` beside it");
  if (length && difference) scalar.nusselt = {static_cast<real>(*length), static_cast<real>(*difference)};
  return scalar;
}

/// Whether tables, columns or entries of a flow already use this word.
bool is_taken(const std::string& name) {
  static const std::string words =
      " age area averages backflow balance case cfl dissipation dt energy force forces form global_id heat id "
      "length memory mesh momentum nusselt partition phases potential probe program rank region residual result "
      "run s scalar solvers step steps temperature time topology tracers traffic type wall_seconds x y z "
      "energy_budget flow_rate kinetic_energy max_divergence pressure_drop iterations ";
  if (words.find(" " + name + " ") != std::string::npos) return true;
  const std::vector<QuantityInfo> quantities = flow_quantities();
  return std::any_of(quantities.begin(), quantities.end(), [&](const QuantityInfo& info) {
    return info.field == name || info.name == name ||
           std::find(info.columns.begin(), info.columns.end(), name) != info.columns.end();
  });
}

/// Whether keys and columns derived from the two names, such as NAME_flux and NAME_min, may coincide.
bool clash(const std::string& name, const std::string& other) {
  return name == other || name.starts_with(other + "_") || other.starts_with(name + "_");
}

bool is_word(const std::string& name) {
  const auto is_part = [](char c) {
    return std::islower(static_cast<unsigned char>(c)) || std::isdigit(static_cast<unsigned char>(c)) || c == '_';
  };
  return !name.empty() && std::islower(static_cast<unsigned char>(name[0])) && name.size() <= 40 &&
         std::all_of(name.begin(), name.end(), is_part);
}

/// nullopt if its name is unusable: keys are derived from it.
std::optional<ScalarSetup> read_scalar(TomlSection& section, const std::vector<ScalarSetup>& before) {
  ScalarSetup scalar;
  scalar.name = section.text("name");
  const auto clashes = [&](const ScalarSetup& other) { return clash(scalar.name, other.name); };
  const bool is_possible = is_word(scalar.name),
             is_free = !is_taken(scalar.name) && !clash(scalar.name, "temperature") && !clash(scalar.name, "heat") &&
                       std::none_of(before.begin(), before.end(), clashes);
  if (section.has("name") && !is_possible) {
    section.wrong("name", "a word of up to 40 small letters, digits and _, such as \"dye\"");
  } else if (is_possible && !is_free) {
    section.wrong("name", "a name that nothing else in the flow has, nor begins with before a _");
  }
  scalar.diffusivity = static_cast<real>(section.real("diffusivity", not_negative));
  scalar.settings.convection = section.word("convection", forms, "limited").value_or(ScalarConvection::limited);
  scalar.source = given(section.formula("source", any_number, 0.0));
  if (!is_possible || !is_free) return std::nullopt;
  scalar.settings.solver.name = scalar.name;
  return scalar;
}

}  // namespace

std::vector<ScalarSetup> read_scalars(TomlSection& root, TimeScheme scheme) {
  std::vector<ScalarSetup> scalars;
  if (root.has_table("temperature")) {
    scalars.push_back(read_temperature(root));
  } else {
    root.refuse("region", "is for solids in a flow with [temperature]");
  }
  for (TomlSection& section : root.tables("scalar")) {
    if (auto scalar = read_scalar(section, scalars)) scalars.push_back(std::move(*scalar));
  }
  for (ScalarSetup& scalar : scalars) scalar.settings.scheme = scheme;
  return scalars;
}

namespace {

/// The default initial value; nullopt for a temperature without a reference.
std::optional<double> usual_start(const ScalarSetup& scalar) {
  if (scalar.buoyancy) return scalar.buoyancy->reference;
  return scalar.is_temperature ? std::nullopt : std::optional<double>(0);
}

}  // namespace

bool needs_start(const std::vector<ScalarSetup>& scalars) {
  return std::any_of(scalars.begin(), scalars.end(), [](const ScalarSetup& scalar) { return !usual_start(scalar); });
}

void read_scalar_starts(TomlSection initial, const std::shared_ptr<const EarlierResult>& earlier,
                        std::vector<ScalarSetup>& scalars) {
  for (ScalarSetup& scalar : scalars) {
    if (!earlier) {
      scalar.initial = given(initial.formula(scalar.name, any_number, usual_start(scalar)));
      continue;
    }
    const std::optional<Formula> own = initial.optional_formula(scalar.name, any_number);
    const std::optional<double> usual = usual_start(scalar);
    scalar.initial = own     ? given(*own)
                     : usual ? Coefficient<real>(static_cast<real>(*usual))
                             : earlier->without(scalar.name);
    scalar.start = {earlier,
                    {[earlier, name = scalar.name, instead = scalar.initial](std::span<const Vec3> points, real time,
                                                                             std::span<real> values) {
                       if (!earlier->has_scalar(name)) return instead.evaluate(points, time, values);
                       earlier->scalar(name, points, values);
                     },
                     Dependence{.on_place = true}, "of " + earlier->name()}};
  }
}

void read_scalar_condition(TomlSection& group, ScalarSide side, const std::string& patch, const std::string& file,
                           ScalarSetup& scalar) {
  const std::string& name = scalar.name;
  const std::string flux = name + "_flux", transfer = name + "_transfer", ambient = name + "_ambient";
  if (side == ScalarSide::wall) {
    group.exclusive(name, flux, false);
    group.exclusive(name, transfer, false);
    if (const auto value = group.optional_formula(name, any_number)) {
      scalar.boundary[patch] = scalar.given_value(given(*value));
    }
    const auto inward = group.optional_formula(flux, any_number);
    const auto coefficient = group.optional_formula(transfer, not_negative);
    if (inward && coefficient) {
      group.wrong(transfer, "`" + flux + "` or `" + transfer + "`, not both");
    } else if (inward) {
      scalar.boundary[patch] = scalar.given_flux(given(*inward));
    } else if (coefficient) {
      const LowerBound bound{true, file + ": `" + transfer + "` in [boundary." + patch + "]"};
      scalar.boundary[patch] = scalar.exchange(given(*coefficient, bound), given(group.formula(ambient, any_number)));
    } else {
      group.refuse(ambient, "belongs to `" + transfer + "`");
    }
    return;
  }
  for (const std::string& key : {flux, transfer, ambient}) group.refuse(key, "is for walls");
  if (side == ScalarSide::symmetry) {
    group.refuse(name, "is not for a plane of symmetry: nothing goes through it");
    return;
  }
  const auto value = side == ScalarSide::outlet ? group.optional_formula(name, any_number)
                                                : std::optional(group.formula(name, any_number));
  const BoundaryKind kind = side == ScalarSide::inlet ? BoundaryKind::value : BoundaryKind::inflow;
  if (value) scalar.boundary[patch] = scalar.entering_value(given(*value), kind);
}

void read_scalar_solvers(TomlSection& solver, std::vector<ScalarSetup>& scalars) {
  SolveControl usual = ScalarSettings().solver;
  for (ScalarSetup& scalar : scalars) {
    if (scalar.is_temperature) scalar.settings.solver = read_solver(solver, scalar.settings.solver);
  }
  const bool has_others =
      std::any_of(scalars.begin(), scalars.end(), [](const ScalarSetup& scalar) { return !scalar.is_temperature; });
  if (!has_others) {
    solver.refuse("scalar", "belongs to a [[scalar]], of which there is none");
    return;
  }
  usual.name = "scalar";
  const SolveControl control = read_solver(solver, usual);
  for (ScalarSetup& scalar : scalars) {
    if (scalar.is_temperature) continue;
    scalar.settings.solver = control;
    scalar.settings.solver.name = scalar.name;
  }
}

}  // namespace solenoid
