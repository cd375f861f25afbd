#include "case/viscosity_case.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace solenoid {

namespace {

using Kind = ViscosityLaw::Kind;

const WordSet<Kind> laws{
    {{"power-law", Kind::power}, {"carreau", Kind::carreau}, {"cross", Kind::cross}, {"bingham", Kind::bingham}}, {}};

/// Per key of the table, in the law that has it.
ViscosityLaw read_law(TomlSection& section, Kind kind) {
  const auto number = [&](const char* key, const NumberRange& range) {
    return static_cast<real>(section.real(key, range));
  };
  ViscosityLaw law{.kind = kind};
  switch (kind) {
    case Kind::power:
      law.zero = number("consistency", positive);
      law.exponent = number("exponent", positive);
      law.least = number("min", positive);
      law.most = number("max", positive);
      if (section.has("max") && law.most < law.least) section.wrong("max", "a number of at least that of `min`");
      break;
    case Kind::carreau:
    case Kind::cross:
      law.zero = number("zero", positive);
      law.infinite = number("infinite", not_negative);
      law.time = number("time", positive);
      law.exponent = number("exponent", not_negative);
      break;
    case Kind::bingham:
      law.infinite = number("plastic", positive);
      law.yield = number("yield_stress", not_negative);
      law.time = number("regularisation", positive);
      break;
  }
  return law;
}

const char* key_of_growth(Kind kind) { return kind == Kind::bingham ? "yield_stress" : "exponent"; }

/// The viscosity of the next step is extrapolated from the last two: stable up to a slope of 4/3 (docs/numerics.md).
void require_stable(const ViscosityLaw& law, TomlSection& section) {
  constexpr real most = 1.3, round_off = 1e-6;
  const char* const key = key_of_growth(law.kind);
  if (!section.has(key) || law.most < law.least) return;
  const auto [least, largest] = law.slopes();
  if (least < -round_off) {
    section.wrong(key, "a law whose stress, viscosity times shear rate, nowhere falls as the shear rate grows");
  } else if (largest > most + round_off) {
    section.wrong(key, message("a stress that grows as the shear rate to the power of {} at most, here it is {:.3g}: "
                               "steps with a fluid that thickens more are not stable",
                               most, largest));
  }
}

constexpr const char* viscosity_key = "viscosity";
constexpr real of_a_room = 293.15;  // [K]

/// The viscosity at a temperature [K]. Where that is not greater than 0 a fault is noted.
std::optional<real> viscosity_at(real temperature, const Coefficient<real>& viscosity, TomlSection& flow) {
  try {
    const real there = viscosity.at(Vec3{temperature, 0, 0}, 0);
    if (there > 0) return there;
    flow.wrong(viscosity_key,
               message("an expression of T that is greater than 0; at T = {:.6g} K it is {:.6g}", temperature, there));
  } catch (const Error& error) {
    flow.fault(viscosity_key, error.what());
  }
  return std::nullopt;
}

bool is_positive_at(const Coefficient<real>& viscosity, real temperature) {
  try {
    return viscosity.at(Vec3{temperature, 0, 0}, 0) > 0;
  } catch (const Error&) {
    return false;
  }
}

/// A temperature of positive viscosity, if possible one that the case has, else as near to a room's as there is [K].
std::optional<real> possible_temperature(const ScalarSetup& temperature, const Coefficient<real>& viscosity) {
  std::vector<real> tried;
  if (temperature.buoyancy) tried.push_back(temperature.buoyancy->reference);
  for (const auto& [patch, condition] : temperature.boundary) {
    for (const NodalBoundary::Function& function : condition.functions) {
      if (function.unit == temperature.unit() && function.value.constant()) tried.push_back(*function.value.constant());
    }
  }
  if (temperature.initial.constant()) tried.push_back(*temperature.initial.constant());
  constexpr real widest = 1e6, step = 1.005;
  for (real factor = 1; factor < widest; factor *= step) {
    tried.push_back(of_a_room * factor);
    tried.push_back(of_a_room / factor);
  }
  const auto found = std::find_if(tried.begin(), tried.end(), [&](real T) { return is_positive_at(viscosity, T); });
  return found == tried.end() ? std::nullopt : std::optional<real>(*found);
}

constexpr NumberRange number_or_law{"a number greater than 0, or a table { law = \"carreau\", ... }",
                                    [](double x) { return x > 0; }};
constexpr NumberRange number_law_or_formula{
    "a number greater than 0, a table { law = \"carreau\", ... }, or an expression of T in quotes",
    [](double x) { return x > 0; }};

}  // namespace

void read_viscosity(TomlSection& flow, const std::vector<ScalarSetup>& scalars, FlowStepSettings& settings) {
  const bool has_temperature = !scalars.empty() && scalars.front().is_temperature;
  if (flow.has_table(viscosity_key)) {
    TomlSection section = flow.table(viscosity_key);
    const std::optional<Kind> kind = section.word("law", laws);
    settings.viscosity = 1;
    if (!kind) return section.ignore_rest();
    const ViscosityLaw law = read_law(section, *kind);
    require_stable(law, section);
    settings.viscosity = law.constant();
    if (settings.viscosity > 0) return;
    settings.law = law;
    settings.viscosity = law.usual();
    return;
  }
  const std::optional<Formula> formula =
      has_temperature ? flow.formula_of(viscosity_key, FormulaArguments::temperature) : std::nullopt;
  if (!formula) {
    const NumberRange& expected = has_temperature ? number_law_or_formula : number_or_law;
    settings.viscosity = static_cast<real>(flow.real(viscosity_key, expected));
    return;
  }
  settings.viscosity = 1;
  if (formula->depends_on_place()) {
    settings.of_temperature = given(*formula);
  } else {
    settings.viscosity = viscosity_at(of_a_room, given(*formula), flow).value_or(1);
  }
}

void relate_viscosity(TomlSection& flow, const TomlSection& initial, const ScalarSetup& temperature,
                      FlowStepSettings& settings) {
  const Coefficient<real>& viscosity = *settings.of_temperature;
  const bool has_start = initial.has(temperature.name) || temperature.buoyancy;
  const std::optional<real>& first = temperature.initial.constant();
  if (!temperature.start && has_start && first && !viscosity_at(*first, viscosity, flow)) return;
  const std::optional<real> possible = possible_temperature(temperature, viscosity);
  if (!possible) {
    flow.wrong(viscosity_key,
               "an expression of T that is greater than 0 at the temperatures of the flow; it nowhere is");
    return;
  }
  settings.temperature = *possible;
  settings.viscosity = viscosity.at(Vec3{*possible, 0, 0}, 0);
}

}  // namespace solenoid
