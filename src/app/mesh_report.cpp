#include "app/mesh_report.hpp"

#include <algorithm>
#include <cmath>

#include "physics/flow_setup.hpp"
#include "physics/heat_setup.hpp"
#include "run/case_mesh.hpp"
#include "run/point_sinks.hpp"

namespace solenoid {

namespace {

void measure_extent(MeshFindings& found) {
  const GlobalMesh& mesh = found.mesh;
  for (const Vec3& p : mesh.points) found.box.include(p);
  const std::vector<int>& ends = mesh.dimension == 2 ? mesh.face_nodes : mesh.edge_nodes;
  found.edge_min = found.edge_max = norm(mesh.points[ends[1]] - mesh.points[ends[0]]);
  for (std::size_t k = 0; k < ends.size(); k += 2) {
    const real length = norm(mesh.points[ends[k + 1]] - mesh.points[ends[k]]);
    found.edge_min = std::min(found.edge_min, length);
    found.edge_max = std::max(found.edge_max, length);
    found.edge_mean += 2 * length / static_cast<real>(ends.size());
  }
  for (real v : found.geometry.cell_volume) found.volume += v;
}

std::vector<PatchReport> examine_patches(const MeshFindings& found, const Case* wanted) {
  std::vector<PatchReport> patches;
  for (const std::string& name : found.mesh.patches) {
    PatchReport& patch = patches.emplace_back();
    patch.name = name;
    if (!wanted) continue;
    const std::vector<std::string> tables = wanted->setup->patches();
    const bool has_table = std::find(tables.begin(), tables.end(), name) != tables.end();
    patch.condition = has_table ? wanted->setup->condition_on(name) : "none: missing in the case";
  }
  for (int f = 0; f < found.mesh.faces(); ++f) {
    if (found.mesh.face_patch[f] < 0) continue;
    PatchReport& patch = patches[found.mesh.face_patch[f]];
    ++patch.faces;
    patch.area += found.geometry.face_area[f];
  }
  return patches;
}

/// A mesh without a case is taken for the physics that needs most.
std::optional<BytesPerCell> bytes_per_cell(const Case* wanted, int dimension) {
  if (wanted) return wanted->setup->bytes_per_cell(dimension);
  return dimension == 2 ? FlowSetup().bytes_per_cell(dimension) : HeatSetup().bytes_per_cell(dimension);
}

/// Bytes that the rank with most to do needs at its peak: the program itself, and either the method's arrays, or on
/// the reading rank the whole mesh.
std::int64_t estimate_memory(const BytesPerCell& bytes, const PartitionReport& partition, std::int64_t cells) {
  constexpr double program = 73e6;
  constexpr int halo_layers = 3;
  const auto held = static_cast<double>(partition.cells_max + halo_layers * partition.halo_cells_max);
  return static_cast<std::int64_t>(program + std::max(bytes.run * held, bytes.reader * static_cast<double>(cells)));
}

/// Numbers at each node and in each cell that `fields` takes, and what the mesh and the ids take beside them.
OutputEstimate estimate_outputs(const Case& wanted, const MeshFindings& found, double steps) {
  constexpr double compressed = 0.45;  // measured: 0.44 in the cavity, 0.41 in the crankshaft
  double at_nodes = 3 + 1, in_cells = 1 + (found.mesh.corners() + 1) + 1;
  for (const QuantityInfo& info : wanted.setup->quantities()) {
    const std::vector<std::string>& words = wanted.output.fields;
    if (std::find(words.begin(), words.end(), info.field) == words.end()) continue;
    if (info.at == ValuesAt::nodes) at_nodes += info.components;
    if (info.at == ValuesAt::cells) in_cells += info.components;
  }
  const OutputSettings& output = wanted.output;
  OutputEstimate estimate;
  estimate.bytes = compressed * sizeof(real) * (at_nodes * found.mesh.nodes() + in_cells * found.mesh.cells());
  estimate.count = 1;
  if (!wanted.setup->time) return estimate;
  estimate.count += 1 + static_cast<double>(output.times.size());
  if (output.every) estimate.count += std::max(0.0, std::ceil(wanted.setup->time->end / *output.every) - 1);
  if (output.every_steps) estimate.count += std::floor(steps / *output.every_steps);
  return estimate;
}

/// Calls work() and adds what it refuses to `faults`.
template <class Work>
void attempt(std::vector<std::string>& faults, const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    if (error.code() != ExitCode::bad_input) throw;
    faults.push_back(error.what());
  }
}

/// What a run would refuse of the case once it has the mesh: tried on this rank alone, so that nobody else has to come.
std::vector<std::string> setup_faults(const Case& wanted, const GlobalMesh& whole) {
  const Comm alone(MPI_COMM_SELF);
  const std::optional<GlobalMesh> shared(whole);
  const std::vector<int> owner(whole.cells(), 0);
  const LocalMesh mesh(alone, distribute(alone, shared, owner, 1));
  std::optional<MeshPart> wide;
  if (const int layers = wanted.setup->wide_layers()) wide = distribute(alone, shared, owner, layers);
  std::vector<std::string> faults;
  attempt(faults, [&] { wanted.setup->model(mesh, std::move(wide)); });
  const std::string& file = wanted.setup->file;
  for (const LineSettings& line : wanted.lines) attempt(faults, [&] { find_points(file, line, mesh); });
  for (const ProbeSettings& probe : wanted.probes) attempt(faults, [&] { find_points(file, probe, mesh); });
  return faults;
}

/// What the numbers mean, in words.
void judge(const MeshSource& source, const Case* wanted, MeshFindings& found) {
  if (wanted) {
    const ModelSetup& setup = *wanted->setup;
    const std::string refusal = setup.refusal(source);
    if (!refusal.empty()) found.problems.push_back(refusal);
    std::vector<std::string> faults = boundary_faults(setup, source.patches);
    if (faults.empty()) attempt(faults, [&] { faults = setup.faults(found.mesh, found.domain); });
    if (faults.empty() && refusal.empty()) faults = setup_faults(*wanted, found.mesh);
    found.problems.insert(found.problems.end(), faults.begin(), faults.end());
  }
  const std::string consequence =
      wanted ? wanted->setup->between_parts() : "only differences of pressure within a part mean something";
  if (const auto warning = parts_warning(found.domain, consequence)) found.warnings.push_back(*warning);
  for (const QualityMeasure& measure : found.quality) {
    const auto beyond = std::count_if(measure.value.begin(), measure.value.end(),
                                      [&](real value) { return measure.is_beyond_limit(value); });
    if (beyond == 0) continue;
    found.warnings.push_back(message("{} with {} {} {:.4g}{}; the worst are listed above: refine or smooth there",
                                     beyond == 1 ? "1 cell" : message("{} cells", beyond), measure.name,
                                     measure.large_is_bad() ? "above" : "below", measure.limit,
                                     measure.unit == "-" ? "" : " " + measure.unit));
  }
  constexpr double many_bytes = 1e10, many_outputs = 1e4;
  if (found.outputs &&
      (found.outputs->count > many_outputs || found.outputs->count * found.outputs->bytes > many_bytes)) {
    found.warnings.push_back(message(
        "the run writes {:.0f} outputs, {:.3g} GB of fields: take a larger `every` or `every_steps` in [output], or "
        "fewer `fields`",
        found.outputs->count, 1e-9 * found.outputs->count * found.outputs->bytes));
  }
  if (found.step && !found.step->warning.empty()) found.warnings.push_back(found.step->warning);
}

}  // namespace

MeshFindings examine(const MeshSource& source, const Case* wanted, const std::vector<int>& ranks) {
  MeshFindings found(build_topology(source));
  measure_extent(found);
  found.domain = examine_domain(found.mesh);
  found.quality = measure_quality(found.mesh, found.geometry);
  found.patches = examine_patches(found, wanted);
  for (int count : ranks) {
    found.preview_owner = partition_cells(found.mesh, count);
    const PartitionReport partition = report_partition(found.mesh, found.preview_owner, count);
    found.previews.push_back({partition, std::nullopt});
    if (const auto bytes = bytes_per_cell(wanted, source.dimension))
      found.previews.back().bytes = estimate_memory(*bytes, partition, found.mesh.cells());
  }
  if (wanted) {
    const auto& time = wanted->setup->time;
    if (time) found.step = wanted->setup->forecast(found.mesh);
    const double steps = found.step ? found.step->count : time ? time->end / time->step.step : 0;
    found.outputs = estimate_outputs(*wanted, found, steps);
  }
  judge(source, wanted, found);
  return found;
}

}  // namespace solenoid
