#include "run/observe/tracer_sink.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "base/output_file.hpp"
#include "io/paraview/vtk_writer.hpp"

namespace solenoid {

void TracerSink::open(const OutputFolder& folder) {
  folder_ = folder.in("tracers");
  mesh_.comm().guard([&] {
    if (mesh_.comm().is_root()) series_.emplace(folder_, tracers_.name(), "vtp");
  });
}

void TracerSink::write(int step, real time) {
  const Comm& comm = mesh_.comm();
  const std::vector<Vec3> velocities = velocities_();
  std::vector<std::int64_t> own_ids;
  std::vector<real> own;  // position, velocity and age of each
  for (std::size_t i = 0; i < velocities.size(); ++i) {
    const Tracer& tracer = tracers_.tracers()[i];
    const Vec3 &x = tracer.place, &u = velocities[i];
    own_ids.push_back(tracer.id);
    own.insert(own.end(), {x.x, x.y, x.z, u.x, u.y, u.z, time - tracer.born});
  }
  const std::vector<std::int64_t> ids = comm.gather_on_root(own_ids);
  const std::vector<real> all = comm.gather_on_root(own);
  comm.guard([&] {
    if (!comm.is_root()) return;
    std::vector<std::size_t> order(ids.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return ids[a] < ids[b]; });
    std::vector<Vec3> points;
    std::vector<std::int64_t> sorted;
    VtkArray velocity{"velocity", 3, {}}, age{"age", 1, {}};
    for (const std::size_t i : order) {
      const real* const row = all.data() + 7 * i;
      points.push_back({row[0], row[1], row[2]});
      sorted.push_back(ids[i]);
      velocity.values.insert(velocity.values.end(), row + 3, row + 6);
      age.values.push_back(row[6]);
    }
    series_->drop_from(step);
    FreshFile fresh(folder_.file(series_->step_name(step) + ".vtp"));
    write_vtk_points(fresh.path(), time, points, sorted, {velocity, age});
    fresh.replace_file();
    series_->add(step, time);
    series_->write();
  });
}

void TracerSink::conclude(ModelOutcome& outcome) const {
  const TracerCounts& counts = tracers_.counts();
  const std::vector<std::string>& patches = mesh_.part().patches;
  const std::vector<std::string> columns = names_of_patch_columns("left", patches);
  std::vector<std::pair<std::string, double>> figures{{"released", static_cast<double>(counts.released)},
                                                      {"alive", static_cast<double>(counts.alive)}};
  std::string left;
  for (std::size_t p = 0; p < patches.size(); ++p) {
    if (counts.left[p] == 0) continue;
    figures.emplace_back(columns[p], static_cast<double>(counts.left[p]));
    left += message(", {} left through {}", counts.left[p], patches[p]);
  }
  figures.emplace_back("lost", static_cast<double>(counts.lost));
  outcome.figures.push_back({"tracers", tracers_.name(), figures});
  outcome.lines.push_back(message("  tracers  {}: {} released, {} are in the flow{}", tracers_.name(), counts.released,
                                  counts.alive, left));
  if (counts.released == 0) {
    outcome.warnings.push_back(message("[[tracer]] {}: the run ended before any was released", tracers_.name()));
  }
  if (counts.lost > 0) {
    outcome.warnings.push_back(
        message("[[tracer]] {}: {} of {} were given up: they could not be followed from cell to cell", tracers_.name(),
                counts.lost, counts.released));
  }
}

}  // namespace solenoid
