#include "physics/wave/wave_setup.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "physics/wave/wave_model.hpp"

namespace solenoid {

std::string WaveSetup::condition_on(const std::string& patch) const { return boundary.at(patch).in_words(); }

std::vector<QuantityInfo> WaveSetup::quantities() const {
  std::vector<QuantityInfo> infos;
  for (const auto& [name, unit] : {std::pair("displacement", "m"), std::pair("rate", "m/s")}) {
    infos.push_back(
        {.field = name, .name = name, .unit = unit, .at = ValuesAt::nodes, .columns = {name}, .on_patches = true});
  }
  return infos;
}

std::vector<std::string> WaveSetup::faults(const GlobalMesh& mesh, const Domain&) const {
  std::vector<std::string> faults = region_faults(speed, mesh, file);
  const std::vector<std::string> of_source = region_faults(source, mesh, file);
  faults.insert(faults.end(), of_source.begin(), of_source.end());
  return faults;
}

WaveProblem WaveSetup::problem(const std::vector<std::string>& regions, const std::vector<std::string>& patches) const {
  WaveProblem problem{{speed, regions}, {source, regions}, {}, displacement, rate};
  for (const std::string& patch : patches) problem.boundary.push_back(boundary.at(patch));
  return problem;
}

std::optional<StepForecast> WaveSetup::forecast(const GlobalMesh& mesh) const {
  if (!region_faults(speed, mesh, file).empty()) return std::nullopt;
  const Geometry geometry(mesh);
  const OnRegions c(speed, mesh.regions);
  std::vector<std::vector<int>> cells_of(mesh.regions.size() + 1);
  for (int k = 0; k < mesh.cells(); ++k) cells_of[mesh.cell_region[k] + 1].push_back(k);
  StepForecast forecast;
  real crossed = 0;  // cells in a second
  for (std::size_t r = 0; r < cells_of.size(); ++r) {
    std::vector<Vec3> centres;
    for (const int k : cells_of[r]) centres.push_back(geometry.cell_centre[k]);
    const std::vector<real> speeds = c.in(static_cast<int>(r) - 1).at(centres, 0);
    for (std::size_t i = 0; i < speeds.size(); ++i) {
      const int k = cells_of[r][i];
      const real here = speeds[i] / size_of_cell(geometry.cell_volume[k], mesh.dimension);
      if (here > crossed) crossed = here, forecast.cell = k;
      forecast.speed = std::max(forecast.speed, speeds[i]);
    }
  }
  forecast.step = std::min(time->step.step > 0 ? time->step.step : time->step.cfl / crossed, time->end);
  forecast.cfl = forecast.step * crossed;
  forecast.count = std::ceil(time->end / forecast.step);
  return forecast;
}

std::unique_ptr<Model> WaveSetup::model(const LocalMesh& mesh, std::optional<MeshPart>) const {
  return std::make_unique<WaveModel>(*this, mesh);
}

std::unique_ptr<ModelSetup> WaveSetup::transformed(const Frame& frame, int) const {
  auto other = std::make_unique<WaveSetup>(*this);
  other->time = frame.seen(*time);
  other->speed = speed.transformed(frame, "m/s");
  other->source = source.transformed(frame, "m/s^2");
  for (auto& [patch, condition] : other->boundary) condition = condition.transformed(frame);
  other->displacement = frame.seen(displacement, "m");
  other->rate = frame.seen(rate, "m/s");
  return other;
}

}  // namespace solenoid
