/// The tables of a flow in the case file.
#include <algorithm>

#include "base/error.hpp"
#include "base/user_text.hpp"
#include "case/case_words.hpp"
#include "case/earlier_result.hpp"
#include "case/flow_boundary_case.hpp"
#include "case/formula.hpp"
#include "case/physics_tables.hpp"
#include "case/rotating_frame_case.hpp"
#include "case/scalar_tables.hpp"
#include "case/turbulence_case.hpp"
#include "case/viscosity_case.hpp"
#include "case/zone_case.hpp"
#include "physics/scalar/scalar_flow.hpp"

namespace solenoid {

namespace {

const std::array<Formula, 3> at_rest;

const WordSet<FlowMethod> flow_methods{{{"exact", FlowMethod::exact}, {"classical", FlowMethod::classical}}, {}};
const WordSet<ConvectionForm> convection_forms{{{"auto", ConvectionForm::automatic},
                                                {"rotational", ConvectionForm::rotational},
                                                {"divergence", ConvectionForm::divergence},
                                                {"central", ConvectionForm::central},
                                                {"skew", ConvectionForm::skew},
                                                {"upwind", ConvectionForm::upwind},
                                                {"none", ConvectionForm::none}},
                                               {}};
const WordSet<bool> balances{{{"none", false}, {"inlets", true}}, {}};
const WordSet<DiffusionForm> diffusion_forms{{{"auto", DiffusionForm::automatic},
                                              {"rotational", DiffusionForm::rotational},
                                              {"stress", DiffusionForm::stress},
                                              {"face-average", DiffusionForm::face_average}},
                                             {}};

/// Reads the tables [[periodic]].
std::vector<PeriodicPatches> read_pairs(std::vector<TomlSection> sections) {
  std::vector<PeriodicPatches> pairs;
  const auto drive = [](TomlSection& section, const std::string& key) -> std::optional<Coefficient<real>> {
    const std::optional<Formula> formula = section.optional_formula(key, any_number);
    if (!formula) return std::nullopt;
    if (given(*formula).depends_on_place()) section.wrong(key, "a number or an expression of t alone");
    return given(*formula);
  };
  for (TomlSection& section : sections) {
    const std::vector<std::string> patches = section.names("patches", 2, 2);
    section.exclusive("mass_flux", "pressure_drop", false);
    const PairDrive driven{drive(section, "mass_flux"), drive(section, "pressure_drop")};
    if (patches.size() == 2) pairs.push_back({patches[0], patches[1], driven});
  }
  return pairs;
}

/// Reads [flow] into `settings`; returns the body force.
Coefficient<Vec3> read_flow(TomlSection& section, bool is_open, const std::vector<ScalarSetup>& scalars,
                            FlowStepSettings& settings) {
  settings.method = section.word("method", flow_methods, "exact").value_or(settings.method);
  read_viscosity(section, scalars, settings);
  WordSet<ConvectionForm> forms = convection_forms;
  if (is_open) {
    std::erase_if(forms.words, [](const auto& word) { return word.second == ConvectionForm::rotational; });
    forms.refused.push_back(
        {"rotational", "is for flows between walls: at an opening it would hold the total pressure"});
  }
  settings.convection = section.word("convection", forms, "auto").value_or(settings.convection);
  settings.diffusion = section.word("diffusion", diffusion_forms, "auto").value_or(settings.diffusion);
  if (settings.diffusion == DiffusionForm::face_average && settings.method == FlowMethod::exact) {
    section.wrong("diffusion", "\"rotational\": \"face-average\" is for method = \"classical\"");
  }
  const bool is_of_stress =
      settings.diffusion == DiffusionForm::stress || settings.diffusion == DiffusionForm::automatic;
  if (settings.viscosity_varies() && !is_of_stress) {
    section.wrong("diffusion", "\"auto\" or \"stress\": no other friction has a viscosity that varies");
  }
  const NumberRange share{"a number from 0 to 1", [](double x) { return x >= 0 && x <= 1; }};
  settings.upwind = static_cast<real>(section.real("upwind", share, 0.0));
  const bool may_be_skew =
      settings.convection == ConvectionForm::skew || settings.convection == ConvectionForm::automatic;
  if (settings.upwind > 0 && !may_be_skew) {
    section.wrong("upwind", "0: upwind dissipation belongs to convection = \"skew\"");
  }
  constexpr int most_passes = 10;
  settings.passes = section.integer("passes", 1, settings.passes, most_passes);
  if (settings.passes > 1 && settings.method == FlowMethod::exact) {
    section.wrong("passes", "1: the exact method has no pressure to correct; more are for method = \"classical\"");
  }
  return given(section.expressions("body_force", at_rest));
}

void read_solvers(TomlSection solver, FlowStepSettings& settings, std::vector<ScalarSetup>& scalars) {
  settings.potential = read_solver(solver, settings.potential);
  if (settings.method == FlowMethod::exact) {
    solver.refuse("momentum", "belongs to method = \"classical\"");
  } else {
    settings.momentum = read_solver(solver, settings.momentum, {"auto", "jacobi", "none"});
  }
  settings.pressure = read_solver(solver, settings.pressure);
  settings.vorticity = read_solver(solver, settings.vorticity);
  read_scalar_solvers(solver, scalars);
  const bool has_temperature = !scalars.empty() && scalars.front().is_temperature;
  refuse_solvers_beside("flow", solver, has_temperature ? "heat" : "");
}

const WordSet<bool> clocks{{{"zero", false}, {"continue", true}}, {}};

/// Reads `velocity`, `spectrum` or `result` of [initial] into `setup`, and `time`; returns the earlier run, or nullptr.
std::shared_ptr<const EarlierResult> read_initial(TomlSection section, const std::filesystem::path& file,
                                                  FlowSetup& setup) {
  section.exclusive("velocity", "result", false);
  section.exclusive("spectrum", section.has("velocity") ? "velocity" : "result", false);
  setup.initial_velocity = given(section.expressions("velocity", at_rest));
  const RotatingFrame* const frame = setup.settings.frame ? &*setup.settings.frame : nullptr;
  const bool is_random = section.optional_text("spectrum").has_value();
  const std::optional<Formula> spectrum = section.formula_of("spectrum", FormulaArguments::wave_number);
  const int seed = section.integer("seed", 0, 1);
  if (spectrum) setup.random = {given(*spectrum), seed};
  if (!is_random && section.has("seed")) section.wrong("seed", "no seed without a `spectrum`");
  const auto result = section.optional_text("result");
  const bool goes_on = section.word("time", clocks, "zero").value_or(false);
  if (!result && goes_on) section.wrong("time", "\"zero\": the clock of an earlier run belongs to `result`");
  if (is_random) section.refuse("seen_from", "belongs to `velocity` or `result`");
  if (!result) {
    if (!is_random) setup.initial_velocity = read_seen_from(section, frame, setup.initial_velocity);
    return nullptr;
  }
  if (has_control_character(*result)) {
    section.wrong("result", "a path without control characters");
    return nullptr;
  }
  const auto earlier =
      std::make_shared<const EarlierResult>(file.parent_path(), *result, file.string() + ": `result` in [initial]");
  const Dependence on_place{.on_place = true};
  setup.initial_velocity = {
      [earlier](std::span<const Vec3> points, real, std::span<Vec3> values) { earlier->velocity(points, values); },
      on_place, "of " + *result};
  setup.initial_velocity = read_seen_from(section, frame, setup.initial_velocity);
  setup.earlier = {
      earlier,
      {[earlier](std::span<const Vec3> points, real, std::span<real> values) { earlier->distance(points, values); },
       on_place},
      goes_on};
  if (goes_on) setup.time->begin = static_cast<real>(earlier->time_if_there());
  return earlier;
}

/// What zones that turn do not go with.
void require_rotating_zones_alone(TomlSection& root, TomlSection& flow, const std::vector<ScalarSetup>& scalars,
                                  const FlowStepSettings& settings) {
  const bool has_fluxes =
      settings.convection == ConvectionForm::automatic || settings.convection == ConvectionForm::divergence ||
      settings.convection == ConvectionForm::central || settings.convection == ConvectionForm::upwind;
  if (!has_fluxes) {
    flow.wrong("convection", "\"auto\", \"divergence\", \"central\" or \"upwind\" beside [zone.NAME] with `rotating`");
  }
  if (settings.frame) flow.wrong("frame", "no frame of the whole flow beside [zone.NAME] with `rotating`");
  constexpr const char* text =
      "beside [zone.NAME] with `rotating`: what the flow carries would cross the walls that turn; leave it out, or let "
      "all of the flow turn, `frame` in [flow]";
  if (!scalars.empty()) {
    const char* const key = scalars.front().is_temperature ? "temperature" : "scalar";
    root.fault(key, message("`{}` {}", key, text));
  }
  if (root.has("tracer")) root.fault("tracer", message("`tracer` {}", text));
}

TimeSettings flow_time(TomlSection section) {
  TimeSettings time;
  time.end = read_end(section);
  section.exclusive("step", "cfl", true);
  section.exclusive("step", "step_max", false);
  time.step.step = read_step(section, "step", time.end);
  time.step.cfl = static_cast<real>(section.optional_real("cfl", courant_number).value_or(0));
  time.step.step_max = read_step(section, "step_max", time.end);
  time.scheme = section.word("scheme", time_schemes, "second-order").value_or(time.scheme);
  time.steady_tolerance = static_cast<real>(section.real("steady_tolerance", not_negative, 0.0));
  return time;
}

/// A factor on the velocity that the frame sees would also be one on the solid rotation in it.
void refuse_scaled_rotation(TomlSection& root, TomlSection& flow) {
  if (!root.has_table("boundary")) return;
  for (auto& [patch, group] : root.table("boundary").named_tables("a table for each group")) {
    if (!group.has("seen_from") || group.optional_text("seen_from") != "rest") continue;
    if (group.optional_text("type") != "inlet") continue;
    flow.wrong("balance",
               message("\"none\": [boundary.{}] is seen from rest, and with the inflow \"inlets\" would scale "
                       "the rotation that the frame sees there; give the balanced velocity, or a `flow_rate`",
                       patch));
  }
}

}  // namespace

std::unique_ptr<ModelSetup> read_flow_case(TomlSection& root, const std::filesystem::path& file) {
  FlowSetup setup;
  setup.file = file.string();
  TomlSection flow = root.required_table("flow", "`viscosity`" + or_else_than("flow"));
  setup.time = flow_time(root.required_table("time", "`end`, and `step` or `cfl`"));
  setup.settings.scheme = setup.time->scheme;
  std::vector<ScalarSetup> scalars = read_scalars(root, setup.settings.scheme);
  setup.periodic = read_pairs(root.tables("periodic"));
  setup.settings.frame = read_rotating_frame(flow, "frame");
  const RotatingFrame* const frame = setup.settings.frame ? &*setup.settings.frame : nullptr;
  for (const ScalarSetup& scalar : scalars) {
    if (!frame || !scalar.buoyancy) continue;
    const Vec3 &gravity = scalar.buoyancy->gravity, &rate = frame->rate;
    constexpr real round_off = 1e-6;
    if (norm(cross(gravity, rate)) <= round_off * norm(gravity) * norm(rate)) continue;
    flow.wrong("frame", "an axis along `gravity` in [temperature]: another weight would turn in the frame");
  }
  if (setup.periodic.empty() || root.has_table("boundary"))
    setup.boundary = read_flow_boundary(root, setup.file, scalars, frame);
  const bool is_open = std::any_of(setup.boundary.begin(), setup.boundary.end(),
                                   [](const auto& of_patch) { return !std::holds_alternative<Wall>(of_patch.second); });
  setup.body_force = read_flow(flow, is_open, scalars, setup.settings);
  for (const auto& [patch, condition] : setup.boundary) {
    const InletRate* const rate = given_rate(condition);
    if (!setup.settings.viscosity_varies() || !rate || rate->shape != ProfileShape::developed) continue;
    flow.wrong("viscosity", message("a number, for profile = \"developed\" in [boundary.{}] is that of one viscosity, "
                                    "or there \"uniform\" or an expression",
                                    patch));
  }
  for (const auto& [patch, condition] : setup.boundary) {
    if (!setup.settings.viscosity_varies() || !given_wall_law(condition)) continue;
    flow.wrong("viscosity", message("a number: wall = \"log-law\" in [boundary.{}] is that of one viscosity", patch));
  }
  read_turbulence(root.table("turbulence"), setup.settings);
  setup.settings.zones = read_flow_zones(root, scalars);
  if (setup.settings.has_rotating_zone()) require_rotating_zones_alone(root, flow, scalars, setup.settings);
  setup.settings.scales_inlets = flow.word("balance", balances, "none").value_or(false);
  const bool has_outlet = std::any_of(setup.boundary.begin(), setup.boundary.end(), [](const auto& of_patch) {
    return std::holds_alternative<Outlet>(of_patch.second);
  });
  if (setup.settings.scales_inlets && has_outlet)
    flow.wrong("balance", "\"none\": the outlet takes the rest of the inflow");
  for (const auto& [patch, condition] : setup.boundary) {
    const auto* const inlet = std::get_if<Inlet>(&condition);
    if (setup.settings.scales_inlets && inlet && inlet->turbulence && !inlet->turbulence->speed) {
      flow.wrong("balance", message("\"none\", or `speed` in the turbulence of [boundary.{}], whose mean velocity it "
                                    "changes",
                                    patch));
    }
  }
  if (setup.settings.scales_inlets && frame) refuse_scaled_rotation(root, flow);
  const TomlSection initial =
      needs_start(scalars) ? root.required_table("initial", "`temperature`") : root.table("initial");
  read_scalar_starts(initial, read_initial(initial, file, setup), scalars);
  if (setup.settings.of_temperature) relate_viscosity(flow, initial, scalars.front(), setup.settings);
  read_solvers(root.table("solver"), setup.settings, scalars);
  if (scalars.empty()) return std::make_unique<FlowSetup>(std::move(setup));
  auto carrying = std::make_unique<ScalarFlowSetup>();
  carrying->file = setup.file;
  carrying->time = setup.time;
  carrying->flow = std::move(setup);
  carrying->scalars = std::move(scalars);
  return carrying;
}

}  // namespace solenoid
