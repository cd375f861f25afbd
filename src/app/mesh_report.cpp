#include "app/mesh_report.hpp"

#include <algorithm>
#include <cmath>

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

/// Bytes for each cell, measured: the flow's with the exact step on 5k to 295k triangles, 1 to 4 ranks; those of heat,
/// steady or not, on 6k to 580k triangles and 5k to 560k tetrahedra, 1 to 16 ranks.
struct BytesPerCell {
  double run;     // of the method's arrays, on every rank
  double reader;  // of the whole mesh, on the rank that reads it
};
constexpr BytesPerCell flow_on_triangles{1660, 430}, heat_on_triangles{1100, 345}, heat_on_tetrahedra{1350, 450};

/// Absent where the case's method cannot run on such a mesh. A mesh without a case is taken for the method that needs
/// most.
std::optional<BytesPerCell> bytes_per_cell(const Case* wanted, int dimension) {
  const bool is_heat = wanted ? dynamic_cast<const HeatSetup*>(wanted->setup.get()) != nullptr : dimension == 3;
  if (is_heat) return dimension == 2 ? heat_on_triangles : heat_on_tetrahedra;
  return dimension == 2 ? std::optional(flow_on_triangles) : std::nullopt;
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

/// What a run would refuse of the case once it has the mesh: tried on this rank alone, so that nobody else has to come.
std::vector<std::string> setup_faults(const Case& wanted, const GlobalMesh& whole) {
  std::vector<std::string> faults;
  const auto attempt = [&](const auto& work) {
    try {
      work();
    } catch (const Error& error) {
      if (error.code() != ExitCode::bad_input) throw;
      faults.push_back(error.what());
    }
  };
  const Comm alone(MPI_COMM_SELF);
  const LocalMesh mesh(alone,
                       distribute(alone, std::optional<GlobalMesh>(whole), std::vector<int>(whole.cells(), 0), 1));
  std::optional<MeshPart> wide;
  const int layers = wanted.setup->wide_layers();
  if (layers > 0)
    wide = distribute(alone, std::optional<GlobalMesh>(whole), std::vector<int>(whole.cells(), 0), layers);
  attempt([&] { wanted.setup->model(mesh, std::move(wide)); });
  for (const LineSettings& line : wanted.lines) attempt([&] { find_points(wanted.setup->file, line, mesh); });
  for (const ProbeSettings& probe : wanted.probes) attempt([&] { find_points(wanted.setup->file, probe, mesh); });
  return faults;
}

/// What the numbers mean, in words.
void judge(const MeshSource& source, const Case* wanted, MeshFindings& found) {
  if (wanted) {
    const ModelSetup& setup = *wanted->setup;
    const std::string refusal = setup.refusal(source);
    if (!refusal.empty()) found.problems.push_back(refusal);
    std::vector<std::string> faults = boundary_faults(setup, source.patches);
    if (faults.empty()) faults = setup.faults(found.mesh, found.domain);
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
