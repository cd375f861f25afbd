/// The tables of water waves in the case file.
#include <cmath>
#include <numbers>

#include "case/case_words.hpp"
#include "case/formula.hpp"
#include "case/physics_tables.hpp"
#include "physics/waves/water_waves_setup.hpp"

namespace solenoid {

namespace {

const WordSet<VerticalProfile> vertical_profiles{
    {{"cosh", VerticalProfile::cosh}, {"parabolic", VerticalProfile::parabolic}}, {}};

constexpr NumberRange share{"a number from 0 to 1", [](double x) { return x >= 0 && x <= 1; }};
constexpr NumberRange share_of_limit{"a number greater than 0 and less than 1",
                                     [](double x) { return x > 0 && x < 1; }};

TimeSettings water_waves_time(TomlSection section) {
  TimeSettings time;
  time.end = read_end(section);
  section.exclusive("step", "cfl", true);
  time.step.step = read_step(section, "step", time.end);
  time.step.cfl = static_cast<real>(section.optional_real("cfl", share_of_limit).value_or(0));
  for (const char* key : {"step_max", "scheme", "steady_tolerance"}) {
    section.refuse(key, "is not for [waves]: its steps are of one length, by Stoermer and Verlet, and do not settle");
  }
  return time;
}

IncomingWave read_incoming(TomlSection wave) {
  const double degree = std::numbers::pi / 180;
  const double height = wave.real("height", positive), period = wave.real("period", positive),
               direction = degree * wave.real("direction", any_number, 0.0),
               phase = degree * wave.real("phase", any_number, 0.0);
  return {static_cast<real>(height / 2), static_cast<real>(2 * std::numbers::pi / period),
          Vec3{static_cast<real>(std::cos(direction)), static_cast<real>(std::sin(direction)), 0},
          static_cast<real>(phase)};
}

WaterSide read_side(TomlSection& side, bool is_open) {
  WaterSide read{1, is_open, {}};
  if (!is_open) {
    read.reflection = static_cast<real>(side.real("reflection", share, 1.0));
    return read;
  }
  read.reflection = 0;
  for (const TomlSection& wave : side.tables("incoming")) read.incoming.push_back(read_incoming(wave));
  return read;
}

}  // namespace

std::unique_ptr<ModelSetup> read_water_waves_case(TomlSection& root, const std::filesystem::path& file) {
  auto setup = std::make_unique<WaterWavesSetup>();
  setup->file = file.string();
  TomlSection waves = root.table("waves");
  const Formula depth = waves.formula("depth", positive);
  refuse_time(waves, "depth", depth, "an expression without t: the bottom does not move");
  setup->depth = given(depth);
  setup->sea.frequency = static_cast<real>(2 * std::numbers::pi / waves.real("period", positive));
  setup->sea.profile = waves.word("profile", vertical_profiles, "cosh").value_or(VerticalProfile::cosh);
  setup->sea.gravity = static_cast<real>(waves.real("gravity", positive, 9.81));
  setup->time = water_waves_time(root.required_table("time", "`end`, and `step` or `cfl`"));
  const WordSet<bool> sides{{{"quay", false}, {"open", true}}, boundary_types_beside("waves")};
  setup->sides = read_boundary<WaterSide>(
      root, sides, [](TomlSection& side, bool is_open, const std::string&) { return read_side(side, is_open); });
  TomlSection initial = root.table("initial");
  setup->elevation = given(initial.formula("elevation", any_number, 0.0));
  setup->potential = given(initial.formula("potential", any_number, 0.0));
  TomlSection solver = root.table("solver");
  setup->elliptic = read_solver(solver, setup->elliptic);
  refuse_solvers_beside("waves", solver);
  return setup;
}

}  // namespace solenoid
