#include "app/setup_trial.hpp"

#include <algorithm>

#include "base/host_memory.hpp"
#include "model/shown_cells.hpp"
#include "parallel/memory.hpp"
#include "run/mesh/case_mesh.hpp"
#include "run/observe/averages.hpp"
#include "run/observe/observer.hpp"
#include "run/observe/point_sinks.hpp"
#include "run/observe/profiles.hpp"
#include "run/observe/section_sink.hpp"
#include "run/observe/surface_sink.hpp"
#include "run/observe/tracers.hpp"

namespace solenoid {

namespace {

Bytes operator+(const Bytes& a, const Bytes& b) { return {a.host + b.host, a.device + b.device}; }
Bytes operator*(double factor, const Bytes& bytes) { return {factor * bytes.host, factor * bytes.device}; }

/// Cells of the largest rank, including `layers` layers of halo.
double cells_of_rank(const PartitionReport& partition, int layers) {
  return static_cast<double>(partition.cells_max + layers * partition.halo_cells_max);
}

/// Growth of the held memory.
class HeldSince {
 public:
  /// Growth per cell since construction or the last call.
  Bytes next(double cells) {
    const MemoryHeld now = memory_held();
    const auto grown = [cells](std::size_t before, std::size_t after) {
      return (static_cast<double>(after) - static_cast<double>(before)) / cells;
    };
    const Bytes bytes{grown(before_.host, now.host), grown(before_.device, now.device)};
    before_ = now;
    return bytes;
  }

 private:
  MemoryHeld before_ = memory_held();
};

/// Memory of the multigrid levels that several ranks hold whole.
Bytes on_every_rank(const SolveLog& solves) {
  Bytes bytes;
  for (const auto& [name, entry] : solves.entries()) {
    if (entry.multigrid) bytes.device += entry.multigrid->bytes_on_every_rank;
  }
  if (device_is_host) bytes.host = bytes.device;
  return bytes;
}

}  // namespace

Bytes ArraysPerCell::of_rank(const PartitionReport& partition) const {
  Bytes bytes =
      cells_of_rank(partition, 1) * (share + model) + cells_of_rank(partition, wide_layers) * wide + on_every_rank;
  bytes.host *= beside;
  return bytes;
}

Bytes ArraysPerCell::of_reader(const PartitionReport& partition, std::int64_t cells) const {
  Bytes bytes = static_cast<double>(cells) * whole + cells_of_rank(partition, 1) * share +
                cells_of_rank(partition, wide_layers) * wide;
  bytes.host *= beside;
  return bytes;
}

SetupTrial try_setup(const Case& wanted, const GlobalMesh& whole, bool is_coarser) {
  SetupTrial trial;
  const ModelSetup& setup = *wanted.setup;
  const double cells = whole.cells();
  const Comm alone(MPI_COMM_SELF);
  const std::vector<int> owner(whole.cells(), 0);
  const auto in_use = static_cast<double>(host_bytes_in_use()), peak = static_cast<double>(host_bytes_peak());
  try {
    HeldSince held;
    ArraysPerCell arrays;
    std::optional<GlobalMesh> shared(whole);
    arrays.whole = held.next(cells);
    const LocalMesh mesh(alone, distribute(alone, shared, owner, setup.layers(whole.dimension)));
    arrays.share = held.next(cells);
    trial.warnings = warnings_of_points(wanted, mesh);
    arrays.wide_layers = setup.wide_layers();
    std::optional<MeshPart> wide = wide_part(alone, setup, shared, owner, 0);
    arrays.wide = held.next(cells);
    shared.reset();
    held.next(cells);
    std::unique_ptr<Model> model;
    attempt(trial.faults, [&] {
      model = setup.model(mesh, std::move(wide));
      trial.remarks = model->remarks();
      model->build_systems(setup.time ? model->next_step(setup.time->end) : 0);
    });
    for (const LineSettings& line : wanted.lines) attempt(trial.faults, [&] { find_points(setup.file, line, mesh); });
    for (const ProbeSettings& probe : wanted.probes) {
      attempt(trial.faults, [&] { find_points(setup.file, probe, mesh); });
    }
    for (const SectionSettings& section : wanted.sections) {
      attempt(trial.faults, [&] { find_section(setup.file, section, mesh, setup.solids()); });
    }
    std::vector<std::string> of_cells;  // what only smaller cells may satisfy
    for (const ProfileSettings& profile : wanted.profiles) {
      attempt(of_cells, [&] { find_profile(setup, profile, mesh); });
    }
    for (const PlaneSettings& plane : wanted.planes) attempt(trial.faults, [&] { find_plane(setup, plane, mesh); });
    for (const IsosurfaceSettings& isosurface : wanted.isosurfaces) {
      if (model) attempt(trial.faults, [&] { find_level_quantity(setup, isosurface, model->quantities()); });
    }
    const LocalMesh& fluid = model ? model->fluid_mesh(mesh) : mesh;
    for (const TracerSettings& tracer : wanted.tracers) {
      attempt(trial.faults, [&] { find_seeds(setup.file, tracer, fluid); });
    }
    if (!wanted.output.shown.are_all()) {
      attempt(of_cells, [&] { find_shown_cells(mesh, wanted.output.shown, setup.file + ": [output]"); });
    }
    if (is_coarser && !of_cells.empty()) trial.obstacle = of_cells.front() + " in the mesh of the file";
    if (!is_coarser) trial.faults.insert(trial.faults.end(), of_cells.begin(), of_cells.end());
    if (trial.faults.empty() && of_cells.empty()) {
      const Averages averages(mesh, wanted, model->quantities());
      Tracers tracers(setup.file, fluid, wanted.tracers, *model);
      const std::vector<Observer> observers = observers_of(wanted, mesh, *model, averages, tracers);
      arrays.model = held.next(cells);
      const double in_arrays = arrays.share.host + arrays.wide.host + std::max(arrays.whole.host, arrays.model.host);
      arrays.on_every_rank = on_every_rank(model->solves());
      arrays.model = arrays.model + (-1 / cells) * arrays.on_every_rank;
      const auto peak_with_run = static_cast<double>(host_bytes_peak());
      if (in_use > 0 && peak_with_run > peak)
        arrays.beside = std::max(1.0, (peak_with_run - in_use) / (in_arrays * cells));
      trial.arrays = arrays;
      trial.device_arrays = device_arrays();
    }
  } catch (const Error& error) {
    if (error.code() != ExitCode::failure) throw;
    trial.obstacle = error.what();
  }
  return trial;
}

}  // namespace solenoid
