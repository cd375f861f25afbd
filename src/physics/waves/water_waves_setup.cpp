#include "physics/waves/water_waves_setup.hpp"

#include <algorithm>
#include <cmath>

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
  return {{.field = "elevation", .name = "elevation", .unit = "m", .columns = {"elevation"}, .on_patches = true},
          {.field = "velocity",
           .name = "velocity",
           .unit = "m/s",
           .at = ValuesAt::cells,
           .components = 3,
           .columns = {"u", "v", "w"}},
          {.field = "depth", .name = "depth", .unit = "m", .at = ValuesAt::cells, .columns = {"depth"}},
          {.field = "wave_height", .name = "wave_height", .unit = "m", .columns = {"wave_height"}, .on_patches = true}};
}

std::vector<std::string> WaterWavesSetup::faults(const GlobalMesh& mesh, const Domain&) const {
  if (mesh.dimension == 2) return {};
  return {
      message("{}: [waves] is for triangles in the plane of the still surface, and the mesh has tetrahedra; give the "
              "depth as `depth`",
              file)};
}

WaterProblem WaterWavesSetup::problem(const std::vector<std::string>& patches) const {
  WaterProblem problem{sea, depth, {}, elevation, potential, {}, ships};
  for (const std::string& patch : patches) problem.sides.push_back(sides.at(patch));
  for (const ZoneOfCase& zone : zones) {
    ZoneSettings& settings = problem.zones.emplace_back();
    settings.width = zone.width;
    for (const std::string& patch : zone.patches) {
      const std::vector<IncomingWave>& incoming = sides.at(patch).incoming;
      settings.patches.push_back(static_cast<int>(std::find(patches.begin(), patches.end(), patch) - patches.begin()));
      settings.waves.insert(settings.waves.end(), incoming.begin(), incoming.end());
    }
  }
  return problem;
}

std::optional<StepForecast> WaterWavesSetup::forecast(const GlobalMesh& mesh) const {
  const auto has_side = [&](const std::string& patch) { return sides.contains(patch); };
  if (mesh.dimension != 2 || !std::all_of(mesh.patches.begin(), mesh.patches.end(), has_side)) return std::nullopt;
  const Geometry geometry(mesh);
  const std::vector<real> depths = depth.at(geometry.cell_centre, 0);
  if (*std::min_element(depths.begin(), depths.end()) <= 0) return std::nullopt;
  const Resolution found(sea, depths, geometry.cell_volume);
  const Comm alone(MPI_COMM_SELF);
  const LocalMesh whole(alone, distribute(alone, mesh, std::vector<int>(mesh.cells(), 0), 1));
  const real longest = WaterWaves(whole, problem(mesh.patches), elliptic, 0).longest_step();
  StepForecast forecast;
  forecast.subject = "waves";
  forecast.step = std::min(time->step.step > 0 ? time->step.step : time->step.cfl * longest, time->end);
  forecast.count = std::ceil(time->end / forecast.step);
  forecast.cfl = forecast.step / longest;
  forecast.speed = found.speed;
  forecast.cell = found.cell;
  forecast.meaning = found.text();
  forecast.figures = found.figures();
  forecast.warning = found.warning();
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
