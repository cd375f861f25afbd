#include "physics/waves/water_waves_setup.hpp"

#include "base/error.hpp"
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
  return {{.field = "elevation", .name = "elevation", .unit = "m", .columns = {"elevation"}},
          {.field = "velocity",
           .name = "velocity",
           .unit = "m/s",
           .at = ValuesAt::cells,
           .components = 3,
           .columns = {"u", "v", "w"}},
          {.field = "depth", .name = "depth", .unit = "m", .at = ValuesAt::cells, .columns = {"depth"}}};
}

std::vector<std::string> WaterWavesSetup::faults(const GlobalMesh& mesh, const Domain&) const {
  if (mesh.dimension == 2) return {};
  return {
      message("{}: [waves] is for triangles in the plane of the still surface, and the mesh has tetrahedra; give the "
              "depth as `depth`",
              file)};
}

WaterProblem WaterWavesSetup::problem(const std::vector<std::string>& patches) const {
  WaterProblem problem{sea, depth, {}, elevation, potential};
  for (const std::string& patch : patches) problem.sides.push_back(sides.at(patch));
  return problem;
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
