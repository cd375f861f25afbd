/// The tables of water waves in the case file.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "case/case_words.hpp"
#include "case/depth_file.hpp"
#include "case/earlier_result.hpp"
#include "case/formula.hpp"
#include "case/physics_tables.hpp"
#include "physics/waves/irregular_sea.hpp"
#include "physics/waves/water_waves_setup.hpp"

namespace solenoid {

namespace {

const WordSet<VerticalProfile> vertical_profiles{
    {{"cosh", VerticalProfile::cosh}, {"parabolic", VerticalProfile::parabolic}}, {}};

constexpr NumberRange share{"a number from 0 to 1", [](double x) { return x >= 0 && x <= 1; }};
constexpr NumberRange share_of_limit{"a number greater than 0 and up to 0.95",
                                     [](double x) { return x > 0 && x <= stable_share; }};

const WordSet<HeightMeaning> height_meanings{
    {{"regular", HeightMeaning::regular}, {"significant", HeightMeaning::significant}}, {}};

/// A number, a formula, or { file = "bay.asc" } beside the case.
Coefficient<real> read_depth(TomlSection& waves, const std::filesystem::path& folder) {
  if (!waves.has_table("depth")) {
    const Formula depth = waves.formula("depth", positive);
    refuse_time(waves, "depth", depth, "an expression without t: the bottom does not move");
    return given(depth);
  }
  TomlSection section = waves.table("depth");
  const std::string file = section.text("file");
  const std::optional<double> level = section.optional_real("level", any_number);
  if (file.empty()) return {};
  try {
    const CaseText text = read_case_text(folder / file);
    if (section.text("checksum", text.checksum) != text.checksum) {
      section.wrong("checksum", message("\"{}\", that of {}, or none", text.checksum, file));
    }
    return DepthFile(text, file, level).depth();
  } catch (const Error& error) {
    section.wrong("file", std::string("depths (") + error.what() + ")");
    return {};
  }
}

/// The velocity of a flow in the plane: of its last output, or the mean of one of its averages.
class CurrentOfResult {
 public:
  CurrentOfResult(std::shared_ptr<const EarlierResult> result, std::string average, std::string subject)
      : result_(std::move(result)), average_(std::move(average)), subject_(std::move(subject)) {}

  void operator()(std::span<const Vec3> points, real /*time*/, std::span<Vec3> values) const {
    const int dimension = result_->dimension();
    require_input(dimension == 2, [&] {
      return message("{}: {}: is a flow on tetrahedra, expected one on triangles, in the plane of the water's surface",
                     subject_, result_->name());
    });
    if (average_.empty()) return result_->velocity(points, values);
    constexpr int components = 3;
    std::vector<real> parts(components * points.size());
    const bool is_there = result_->average_at(average_, "velocity", AverageArray::mean, points, components, parts);
    require_input(is_there, [&] {
      return message(
          "{}: {}: has no mean velocity in an average \"{}\": expected the result of a flow with \"velocity\" among "
          "the "
          "`fields` of that [[average]]",
          subject_, result_->name(), average_);
    });
    for (std::size_t i = 0; i < points.size(); ++i) {
      values[i] = {parts[components * i], parts[components * i + 1], parts[components * i + 2]};
    }
  }

 private:
  std::shared_ptr<const EarlierResult> result_;
  std::string average_, subject_;
};

/// Reads `velocity`: three numbers or formulas, or { result = "../river" } beside the case.
void read_current(TomlSection& waves, const std::filesystem::path& file, WaterWavesSetup& setup) {
  if (!waves.has_table("velocity")) {
    const auto velocity = waves.optional_expressions("velocity");
    if (!velocity) return;
    const auto moving =
        std::find_if(velocity->begin(), velocity->end(), [](const Formula& of) { return of.depends_on_time(); });
    if (moving != velocity->end()) waves.wrong("velocity", "expressions without t: the current is steady");
    setup.current = given(*velocity);
    return;
  }
  TomlSection section = waves.table("velocity");
  const std::string result = section.text("result");
  const std::string average = section.optional_text("average").value_or("");
  if (has_control_character(result)) section.wrong("result", "a path without control characters");
  if (result.empty() || has_control_character(result)) return;
  const std::string subject = file.string() + ": `velocity` in [waves]";
  const auto earlier = std::make_shared<const EarlierResult>(file.parent_path(), result, subject);
  const Dependence on_place{.on_place = true};
  setup.current = {CurrentOfResult(earlier, average, subject), on_place, "of " + result};
  setup.beyond_its_result = {
      [earlier](std::span<const Vec3> points, real, std::span<real> values) { earlier->distance(points, values); },
      on_place};
}

constexpr double degree = std::numbers::pi / 180;

IncomingWave read_incoming(TomlSection wave) {
  const double height = wave.real("height", positive), period = wave.real("period", positive),
               direction = degree * wave.real("direction", any_number, 0.0),
               phase = degree * wave.real("phase", any_number, 0.0);
  return {static_cast<real>(height / 2), static_cast<real>(2 * std::numbers::pi / period),
          Vec3{static_cast<real>(std::cos(direction)), static_cast<real>(std::sin(direction)), 0},
          static_cast<real>(phase)};
}

constexpr NumberRange peakedness{"a number from 1 to 10", [](double x) { return x >= 1 && x <= 10; }};
constexpr NumberRange spreading_exponent{"a number from 0 to 1000", [](double x) { return x >= 0 && x <= 1000; }};

IrregularSea read_spectrum(TomlSection& section) {
  IrregularSea sea;
  sea.height = static_cast<real>(section.real("height", positive));
  sea.frequency = static_cast<real>(2 * std::numbers::pi / section.real("period", positive));
  sea.peakedness = static_cast<real>(section.real("peakedness", peakedness, 3.3));
  sea.direction = static_cast<real>(degree * section.real("direction", any_number, 0.0));
  sea.spreading = static_cast<real>(section.real("spreading", spreading_exponent, 0.0));
  sea.components = section.integer("components", 1, sea.components, 10'000);
  sea.seed = section.integer("seed", 0, 1);
  return sea;
}

/// Adds the directions of its waves to the list.
WaterSide read_side(TomlSection& side, bool is_open, const std::string& patch, std::vector<StatedDirection>& stated) {
  WaterSide read{1, is_open, {}};
  if (!is_open) {
    read.reflection = static_cast<real>(side.real("reflection", share, 1.0));
    return read;
  }
  read.reflection = 0;
  for (const TomlSection& wave : side.tables("incoming")) {
    read.incoming.push_back(read_incoming(wave));
    stated.push_back({patch, message("[[boundary.{}.incoming]]", patch), read.incoming.back().direction});
  }
  if (auto spectrum = side.optional_table("spectrum")) {
    const IrregularSea sea = read_spectrum(*spectrum);
    stated.push_back(
        {patch, message("[boundary.{}.spectrum]", patch), Vec3{std::cos(sea.direction), std::sin(sea.direction), 0}});
    const std::vector<IncomingWave> waves = waves_of(sea);
    read.incoming.insert(read.incoming.end(), waves.begin(), waves.end());
  }
  return read;
}

std::vector<ZoneOfCase> read_zones(std::vector<TomlSection> sections, const std::map<std::string, WaterSide>& sides) {
  const std::vector<std::string> patches = names_of(sides);
  std::vector<ZoneOfCase> zones;
  for (TomlSection& section : sections) {
    const std::vector<std::string> names = section.names("patches", 1, std::max<std::size_t>(patches.size(), 2));
    const auto is_known = [&](const std::string& name) { return sides.contains(name); };
    const auto has_other_waves = [&](const std::string& name) {
      return sides.at(name).incoming != sides.at(names.front()).incoming;
    };
    if (!std::all_of(names.begin(), names.end(), is_known)) {
      section.wrong("patches", message("groups of [boundary]: \"{}\"", joined(patches, "\", \"")));
    } else if (std::any_of(names.begin(), names.end(), has_other_waves)) {
      section.wrong("patches", "groups with the same incoming waves: a [[zone]] for each of the others");
    }
    zones.push_back({names, static_cast<real>(section.real("width", positive))});
  }
  return zones;
}

/// The direction of an angle [degrees] counterclockwise from the x-axis.
Coefficient<Vec3> direction_of(const Formula& angle) {
  return {[angle](std::span<const Vec3> points, real time, std::span<Vec3> directions) {
            for (std::size_t i = 0; i < points.size(); ++i) {
              const double turned = degree * angle(points[i], time);
              directions[i] = {static_cast<real>(std::cos(turned)), static_cast<real>(std::sin(turned)), 0};
            }
          },
          {false, angle.depends_on_time()},
          angle.text()};
}

constexpr NumberRange rounding_share{"a number greater than 0 and up to 1", [](double x) { return x > 0 && x <= 1; }};

std::vector<Ship> read_ships(std::vector<TomlSection> sections) {
  std::vector<Ship> ships;
  for (TomlSection& section : sections) {
    Ship ship;
    ship.name = read_name(section, ships, "ship");
    ship.length = static_cast<real>(section.real("length", positive));
    ship.beam = static_cast<real>(section.real("beam", positive));
    ship.draught = static_cast<real>(section.real("draught", positive));
    ship.rounding = static_cast<real>(section.real("rounding", rounding_share, 0.5));
    ship.ramp = static_cast<real>(section.real("ramp", not_negative, 0.0));
    ship.density = static_cast<real>(section.real("density", positive, 1025.0));
    const auto at = section.expressions("position");
    for (const Formula& component : at) {
      if (component.depends_on_place()) section.wrong("position", "expressions of t alone");
    }
    ship.position = given(at);
    const Formula heading = section.formula("heading", any_number, 0.0);
    if (heading.depends_on_place()) section.wrong("heading", "an expression of t alone");
    ship.heading = direction_of(heading);
    ships.push_back(ship);
  }
  return ships;
}

}  // namespace

std::unique_ptr<ModelSetup> read_water_waves_case(TomlSection& root, const std::filesystem::path& file) {
  auto setup = std::make_unique<WaterWavesSetup>();
  setup->file = file.string();
  TomlSection waves = root.table("waves");
  setup->depth = read_depth(waves, file.parent_path());
  read_current(waves, file, *setup);
  setup->sea.frequency = static_cast<real>(2 * std::numbers::pi / waves.real("period", positive));
  setup->sea.profile = waves.word("profile", vertical_profiles, "cosh").value_or(VerticalProfile::cosh);
  setup->sea.gravity = static_cast<real>(waves.real("gravity", positive, 9.81));
  setup->height = waves.word("height", height_meanings, "regular").value_or(HeightMeaning::regular);
  setup->height_from = static_cast<real>(waves.real("height_from", not_negative, 0.0));
  setup->time =
      read_equal_steps(root.required_table("time", "`end`, and `step` or `cfl`"), share_of_limit,
                       "is not for [waves]: its steps are of one length, by Stoermer and Verlet, and do not settle");
  if (setup->height_from >= setup->time->end) {
    waves.wrong("height_from", message("a time before the `end` of the run in [time], {} s", setup->time->end));
  }
  const WordSet<bool> sides{{{"quay", false}, {"open", true}}, boundary_types_beside("waves")};
  setup->sides = read_boundary<WaterSide>(root, sides, [&](TomlSection& side, bool is_open, const std::string& patch) {
    return read_side(side, is_open, patch, setup->directions);
  });
  setup->zones = read_zones(root.tables("zone"), setup->sides);
  setup->ships = read_ships(root.tables("ship"));
  TomlSection initial = root.table("initial");
  setup->elevation = given(initial.formula("elevation", any_number, 0.0));
  setup->potential = given(initial.formula("potential", any_number, 0.0));
  TomlSection solver = root.table("solver");
  setup->elliptic = read_solver(solver, setup->elliptic);
  refuse_solvers_beside("waves", solver);
  return setup;
}

}  // namespace solenoid
