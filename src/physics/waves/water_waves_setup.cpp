#include "physics/waves/water_waves_setup.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "mesh/local_mesh.hpp"
#include "physics/waves/resolution.hpp"
#include "physics/waves/water_waves_model.hpp"

namespace solenoid {

std::string WaterWavesSetup::condition_on(const std::string& patch) const {
  const WaterSide& side = sides.at(patch);
  if (!side.is_open) return message("quay, reflects {:g} of a wave", side.reflection);
  if (side.incoming.empty()) return "open";
  return message("open, {} wave{} come{} in", side.incoming.size(), side.incoming.size() > 1 ? "s" : "",
                 side.incoming.size() > 1 ? "" : "s");
}

std::vector<QuantityInfo> WaterWavesSetup::quantities() const {
  std::vector<QuantityInfo> infos{
      {.field = "elevation", .name = "elevation", .unit = "m", .columns = {"elevation"}, .on_patches = true},
      {.field = "velocity",
       .name = "velocity",
       .unit = "m/s",
       .at = ValuesAt::cells,
       .components = 3,
       .columns = {"u", "v", "w"}},
      {.field = "depth", .name = "depth", .unit = "m", .at = ValuesAt::cells, .columns = {"depth"}},
      {.field = "wave_height", .name = "wave_height", .unit = "m", .columns = {"wave_height"}, .on_patches = true}};
  if (current) {
    infos.push_back({.field = "current",
                     .name = "current",
                     .unit = "m/s",
                     .at = ValuesAt::cells,
                     .components = 3,
                     .columns = {"current_x", "current_y", "current_z"}});
  }
  return infos;
}

std::vector<std::string> WaterWavesSetup::faults(const GlobalMesh& mesh, const Domain&) const {
  if (mesh.dimension != 2) {
    return {
        message("{}: [waves] is for triangles in the plane of the still surface, and the mesh has tetrahedra; give the "
                "depth as `depth`",
                file)};
  }
  std::map<std::string, real> longest;  // face of each patch [m]
  std::vector<bool> enters(directions.size(), false);
  const Geometry geometry(mesh);
  for (int f = 0; f < mesh.faces(); ++f) {
    if (mesh.face_patch[f] < 0) continue;
    const std::string& patch = mesh.patches[mesh.face_patch[f]];
    longest[patch] = std::max(longest[patch], geometry.face_area[f]);
    const std::span<const int> cells = mesh.face_cells_of(f);
    const Vec3 out = geometry.face_centre[f] - geometry.cell_centre[std::max(cells[0], cells[1])];
    const Vec3 normal = dot(out, geometry.face_normal[f]) > 0 ? geometry.face_normal[f] : -geometry.face_normal[f];
    constexpr real round_off = 1e-9;
    for (std::size_t k = 0; k < directions.size(); ++k) {
      if (directions[k].patch == patch && dot(directions[k].direction, normal) < -round_off) enters[k] = true;
    }
  }
  std::vector<std::string> faults;
  for (std::size_t k = 0; k < directions.size(); ++k) {
    if (enters[k]) continue;
    const Vec3& d = directions[k].direction;
    faults.push_back(
        message("{}: `direction` in {} is {:.4g} degrees, out of the domain or along all of `{}`: nothing comes in; "
                "waves travel along it, counterclockwise from the x-axis",
                file, directions[k].table, std::atan2(d.y, d.x) * 180 / std::numbers::pi, directions[k].patch));
  }
  for (const ZoneOfCase& zone : zones) {
    real of_zone = 0;
    for (const std::string& patch : zone.patches) of_zone = std::max(of_zone, longest[patch]);
    constexpr real round_off = 1e-6;
    if (zone.width >= (1 - round_off) * of_zone) continue;
    faults.push_back(
        message("{}: `width` in [[zone]] along {} is {:g} m, and faces there are up to {:.3g} m long: take 1 to 1.5 "
                "wave lengths, or refine the mesh",
                file, name_list(zone.patches), zone.width, of_zone));
  }
  return faults;
}

std::string WaterWavesSetup::fault_of_step(real longest) const {
  const real step = time->step.step;
  if (step <= stable_share * longest) return "";
  return message(
      "`step` in [time] is {:g} s: steps of more than {:.3g} s may be unstable on this mesh; take {:.2g} s, or `cfl = "
      "0.7`, a share of {:.3g} s",
      step, stable_share * longest, 0.7 * longest, longest);
}

WaterProblem WaterWavesSetup::problem(const std::vector<std::string>& patches) const {
  WaterProblem problem{sea, depth, {}, elevation, potential, {}, ships, current};
  for (const std::string& patch : patches) problem.sides.push_back(sides.at(patch));
  for (const ZoneOfCase& zone : zones) {
    ZoneSettings& settings = problem.zones.emplace_back();
    settings.width = zone.width;
    settings.waves = sides.at(zone.patches.front()).incoming;
    for (const std::string& patch : zone.patches) {
      settings.patches.push_back(static_cast<int>(std::find(patches.begin(), patches.end(), patch) - patches.begin()));
    }
  }
  return problem;
}

namespace {

/// On the depths along a patch where waves come in; "" if they vary little.
std::string warning_of_side(const GlobalMesh& mesh, const std::string& patch, const Sea& sea,
                            const std::vector<real>& depth) {
  constexpr real most = 1.1;
  const auto number = [&](real h) { return model_wave(sea.frequency, h, sea.gravity, integrals_of(sea, h)).number; };
  Extremes along;
  for (int f = 0; f < mesh.faces(); ++f) {
    if (mesh.face_patch[f] < 0 || mesh.patches[mesh.face_patch[f]] != patch) continue;
    const std::span<const int> cells = mesh.face_cells_of(f);
    along.include(depth[std::max(cells[0], cells[1])]);
  }
  if (along.low > along.high || number(along.low) <= most * number(along.high)) return "";
  return message(
      "the depth along `{}`, where waves come in, is {:.3g} to {:.3g} m, and wave numbers vary by {:.0f} %: the waves "
      "come in with that of the mean depth; let them in over even depth",
      patch, along.low, along.high, 100 * (number(along.low) / number(along.high) - 1));
}

/// On a ship that never meets the mesh, or meets it where cells are large; else "".
std::string warning_of_ship(const GlobalMesh& mesh, const Geometry& geometry, const Ship& ship, real end) {
  constexpr int places = 1000;
  constexpr real least = 3;  // cells in its beam, four nodes
  const real reach = ship.length / 2;
  Box box;
  for (const Vec3& x : mesh.points) box.include(x);
  for (int i = 0; i <= places; ++i) {
    const Vec3 at = ship.position.at(Vec3{}, end * i / places);
    if (at.x < box.low.x - reach || at.x > box.high.x + reach || at.y < box.low.y - reach ||
        at.y > box.high.y + reach) {
      continue;
    }
    const auto distance = [&](const Vec3& x) { return (x.x - at.x) * (x.x - at.x) + (x.y - at.y) * (x.y - at.y); };
    const auto nearest = std::min_element(geometry.cell_centre.begin(), geometry.cell_centre.end(),
                                          [&](const Vec3& a, const Vec3& b) { return distance(a) < distance(b); });
    const real cells = ship.beam / side_of(geometry.cell_volume[nearest - geometry.cell_centre.begin()]);
    if (cells >= least) return "";
    return message(
        "the beam of the ship \"{}\" is {:.2g} cells, expected {:g} and more: refine the mesh along its path",
        ship.name, cells, least);
  }
  return message("the ship \"{}\" never meets the mesh, ({:.4g}, {:.4g}) to ({:.4g}, {:.4g}): check its `position`",
                 ship.name, box.low.x, box.low.y, box.high.x, box.high.y);
}

/// On a current that crosses a quay, through which no wave goes; else "".
std::string warning_of_quays(const GlobalMesh& mesh, const Geometry& geometry, const std::vector<Vec3>& of_cells,
                             const std::map<std::string, WaterSide>& sides) {
  constexpr real most = 0.1;  // of the largest speed
  real fastest = 0, across = 0;
  for (const Vec3& u : of_cells) fastest = std::max(fastest, norm(u));
  std::string patch;
  for (int f = 0; f < mesh.faces(); ++f) {
    if (mesh.face_patch[f] < 0 || sides.at(mesh.patches[mesh.face_patch[f]]).is_open) continue;
    const std::span<const int> cells = mesh.face_cells_of(f);
    const real through = std::abs(dot(of_cells[std::max(cells[0], cells[1])], geometry.face_normal[f]));
    if (through > across) across = through, patch = mesh.patches[mesh.face_patch[f]];
  }
  if (across <= most * fastest) return "";
  return message(
      "the current of `velocity` in [waves] crosses the quay `{}` with up to {:.3g} m/s, where nothing can go through: "
      "take a current along quays, or make it an `open` side",
      patch, across);
}

/// On parts of the mesh beyond that of the result; else "".
std::string warning_of_result(const GlobalMesh& mesh, const Geometry& geometry, const Coefficient<real>& beyond) {
  constexpr real least = 0.01;  // of the area
  const std::vector<real> distance = beyond.at(geometry.cell_centre, 0);
  real all = 0, outside = 0;
  for (int c = 0; c < mesh.cells(); ++c) {
    all += geometry.cell_volume[c];
    if (distance[c] > side_of(geometry.cell_volume[c])) outside += geometry.cell_volume[c];
  }
  if (outside <= least * all) return "";
  return message(
      "{:.3g} % of the mesh lie outside that of the `result` of `velocity` in [waves] and have the current at its "
      "nearest point",
      100 * outside / all);
}

}  // namespace

std::optional<StepForecast> WaterWavesSetup::forecast(const GlobalMesh& mesh) const {
  const auto has_side = [&](const std::string& patch) { return sides.contains(patch); };
  if (mesh.dimension != 2 || !std::all_of(mesh.patches.begin(), mesh.patches.end(), has_side)) return std::nullopt;
  const Geometry geometry(mesh);
  const std::vector<real> depths = depth.at(geometry.cell_centre, 0);
  if (*std::min_element(depths.begin(), depths.end()) <= 0) return std::nullopt;
  const std::vector<Vec3> of_current = current ? current->at(geometry.cell_centre, 0) : std::vector<Vec3>();
  const Resolution found(sea, depths, geometry.cell_volume, of_current);
  const Comm alone(MPI_COMM_SELF);
  const LocalMesh whole(alone, distribute(alone, mesh, std::vector<int>(mesh.cells(), 0), 1));
  const real longest = WaterWaves(whole, problem(mesh.patches), elliptic, 0).longest_step();
  const std::string fault = fault_of_step(longest);
  require_input(fault.empty(), [&] { return fault; });
  StepForecast forecast;
  forecast.subject = "waves";
  forecast.step = std::min(time->step.step > 0 ? time->step.step : time->step.cfl * longest, time->end);
  forecast.count = std::ceil(time->end / forecast.step);
  forecast.cfl = forecast.step / longest;
  forecast.speed = found.speed;
  forecast.cell = found.cell;
  forecast.meaning = found.text();
  forecast.figures = found.figures();
  std::vector<std::string> warnings{found.warning(), found.warning_of_current()};
  if (current) warnings.push_back(warning_of_quays(mesh, geometry, of_current, sides));
  if (beyond_its_result) warnings.push_back(warning_of_result(mesh, geometry, *beyond_its_result));
  for (const auto& [patch, side] : sides) {
    if (!side.incoming.empty()) warnings.push_back(warning_of_side(mesh, patch, sea, depths));
  }
  for (const Ship& ship : ships) warnings.push_back(warning_of_ship(mesh, geometry, ship, time->end));
  std::erase(warnings, "");
  forecast.warning = joined(warnings, "; ");
  return forecast;
}

std::unique_ptr<Model> WaterWavesSetup::model(const LocalMesh& mesh, std::optional<MeshPart>) const {
  return std::make_unique<WaterWavesModel>(*this, mesh);
}

std::unique_ptr<ModelSetup> WaterWavesSetup::transformed(const Frame& frame, int) const {
  auto other = std::make_unique<WaterWavesSetup>(*this);
  other->time = frame.seen(*time);
  other->sea.gravity *= frame.factor("m/s^2");
  other->sea.frequency *= frame.factor("1/s");
  other->depth = frame.seen(depth, "m");
  other->current = frame.seen(current, "m/s");
  other->beyond_its_result = frame.seen(beyond_its_result, "m");
  other->elevation = frame.seen(elevation, "m");
  other->potential = frame.seen(potential, "m^2/s");
  for (ZoneOfCase& zone : other->zones) zone.width *= frame.factor("m");
  for (Ship& ship : other->ships) {
    for (real Ship::*of : {&Ship::length, &Ship::beam, &Ship::draught}) ship.*of *= frame.factor("m");
    ship.ramp *= frame.factor("s");
    ship.density *= frame.factor("kg/m^3");
    ship.position = frame.seen(ship.position, "m");
    ship.heading = frame.seen(ship.heading, "1");
    if (frame.mirrors()) ship.port = -ship.port;
  }
  for (StatedDirection& stated : other->directions) stated.direction = frame.turned(stated.direction);
  other->height_from *= frame.factor("s");
  for (auto& [patch, side] : other->sides) {
    for (IncomingWave& wave : side.incoming) {
      wave.amplitude *= frame.factor("m");
      wave.frequency *= frame.factor("1/s");
      wave.direction = frame.turned(wave.direction);
    }
  }
  return other;
}

}  // namespace solenoid
