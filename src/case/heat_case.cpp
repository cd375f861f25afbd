/// The tables of heat conduction in the case file.
#include "case/case_words.hpp"
#include "case/formula.hpp"
#include "case/physics_tables.hpp"
#include "physics/heat/heat_setup.hpp"

namespace solenoid {

namespace {

constexpr const char* no_time =
    "an expression without t, for a steady state has no time (or a transient run: add [time])";

void read_heat(TomlSection section, HeatSetup& setup) {
  const bool transient = setup.time.has_value();
  const auto read = [&](const std::string& key, bool is_positive, std::optional<double> fallback = {}) {
    return read_property(section, {setup.file, "heat", key, is_positive, transient ? nullptr : no_time}, fallback);
  };
  setup.conductivity = read("conductivity", true);
  if (transient || section.has("heat_capacity")) {
    setup.heat_capacity = read("heat_capacity", true);
  } else {
    section.optional_real("heat_capacity", positive);
  }
  setup.source = read("source", false, 0.0);
}

TimeSettings heat_time(TomlSection section) {
  constexpr const char* why = "belongs to [flow]; heat conduction takes a `step` in s";
  TimeSettings time;
  time.end = read_end(section);
  const bool by_cfl = section.refuse("cfl", why);
  time.step.step = read_step(section, "step", time.end, !by_cfl);
  section.refuse("step_max", why);
  time.scheme = section.word("scheme", time_schemes, "second-order").value_or(time.scheme);
  time.steady_tolerance = static_cast<real>(section.real("steady_tolerance", not_negative, 0.0));
  return time;
}

}  // namespace

std::unique_ptr<ModelSetup> read_heat_case(TomlSection& root, const std::filesystem::path& file) {
  auto setup = std::make_unique<HeatSetup>();
  setup->file = file.string();
  const bool transient = root.has("time");
  if (transient) setup->time.emplace();
  read_heat(root.table("heat"), *setup);
  if (transient) setup->time = heat_time(root.table("time"));
  const WordSet<NodalBoundary> conditions{{{"temperature", given_temperature()},
                                           {"flux", given_heat_flux()},
                                           {"insulated", insulated()},
                                           {"convection", heat_exchange()}},
                                          boundary_types_beside("heat")};
  setup->boundary = read_conditions(root, conditions, setup->file, transient ? nullptr : no_time);
  if (transient) {
    TomlSection initial = root.required_table("initial", "`temperature`");
    setup->initial_temperature = given(initial.formula("temperature", any_number));
  } else {
    root.refuse("initial", "belongs to a transient run: add [time], or leave it out, for a steady state has no past");
  }
  TomlSection solver = root.table("solver");
  setup->heat = read_solver(solver, setup->heat);
  refuse_solvers_beside("heat", solver);
  return setup;
}

}  // namespace solenoid
