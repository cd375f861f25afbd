#include "app/mesh_report.hpp"

#include <algorithm>
#include <cmath>

#include "app/setup_trial.hpp"
#include "base/host_memory.hpp"
#include "parallel/memory.hpp"
#include "physics/flow/flow_setup.hpp"
#include "run/mesh/case_mesh.hpp"

namespace solenoid {

namespace {

/// Peak memory of this process [bytes]: before it read the mesh, and after reading and partitioning.
struct MemoryBefore {
  double program, reading;
};

/// Of the sides of cells, where they lie on a face [m].
std::vector<real> edge_lengths(const GlobalMesh& mesh) {
  const bool is_planar = mesh.dimension == 2;
  std::vector<real> lengths(is_planar ? mesh.faces() : mesh.edges());
  for (int f = 0; f < mesh.faces(); ++f) {
    const std::span<const int> p = mesh.face_points_of(f);
    const auto length = [&](int from, int to) { return norm(mesh.points[p[to]] - mesh.points[p[from]]); };
    if (is_planar) {
      lengths[f] = length(0, 1);
      continue;
    }
    const std::span<const int> edges = mesh.face_edges_of(f);
    lengths[edges[0]] = length(0, 1), lengths[edges[1]] = length(1, 2), lengths[edges[2]] = length(0, 2);
  }
  return lengths;
}

void measure_extent(MeshFindings& found) {
  const GlobalMesh& mesh = found.mesh;
  for (const Vec3& p : mesh.points) found.box.include(p);
  const std::vector<real> lengths = edge_lengths(mesh);
  const auto [shortest, longest] = std::minmax_element(lengths.begin(), lengths.end());
  found.edge_min = *shortest, found.edge_max = *longest;
  for (const real length : lengths) found.edge_mean += length / static_cast<real>(lengths.size());
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

/// The stand-in case of a mesh without one: a flow, the most demanding physics.
Case any_case(const MeshSource& source, FlowMethod method) {
  Case any;
  auto flow = std::make_unique<FlowSetup>();
  flow->settings.viscosity = 1;
  flow->settings.convection = ConvectionForm::automatic;
  flow->settings.diffusion = DiffusionForm::automatic;
  flow->settings.method = method;
  flow->time = TimeSettings{.end = 1, .step = {.step = 1}};
  for (const std::string& patch : source.patches) flow->boundary[patch] = Wall{};
  any.setup = std::move(flow);
  return any;
}

/// Peak memory of a rank: the program, and its arrays with an output, or on the reading rank the whole mesh.
/// `per_cell`: of an output in preparation [bytes].
Bytes peak_of_rank(const MemoryBefore& before, const ArraysPerCell& arrays, const PartitionReport& partition,
                   const RefinementReport& refinement, bool distributed, double per_cell) {
  Bytes peak = arrays.of_rank(partition);
  peak.host += per_cell * static_cast<double>(partition.cells_max);
  if (distributed) {
    constexpr double connecting = 1450;  // a tetrahedron of the file on its rank [bytes]; measured: 1350 to 1450
    const double of_file = static_cast<double>(refinement.read.cells) / static_cast<double>(refinement.refined.cells);
    peak.host = before.program + std::max(peak.host, connecting * of_file * static_cast<double>(partition.cells_max));
    return peak;
  }
  const Bytes reader = arrays.of_reader(partition, refinement.read.cells);
  peak.host = std::max(before.reading, before.program + std::max(peak.host, reader.host));
  return peak;
}

/// Nodes and cells of an output.
struct ShownCounts {
  double nodes = 0, cells = 0;
};

/// Counted in the mesh examined, and in proportion in the refined one.
ShownCounts count_shown(const ShownCells& shown, const MeshFindings& found) {
  const GlobalMesh& mesh = found.mesh;
  const int corners = mesh.corners();
  std::vector<char> is_node_shown(static_cast<std::size_t>(mesh.nodes()), 0);
  std::int64_t cells = 0;
  for (std::int64_t c = 0; c < mesh.cells(); ++c) {
    if (!shown.has(c, found.geometry.cell_centre[c])) continue;
    ++cells;
    for (int k = 0; k < corners; ++k) is_node_shown[mesh.cell_nodes[c * corners + k]] = 1;
  }
  const auto nodes = static_cast<double>(std::count(is_node_shown.begin(), is_node_shown.end(), 1));
  const EntityCounts& counts = found.refinement.refined;
  return {nodes * static_cast<double>(counts.nodes) / static_cast<double>(mesh.nodes()),
          static_cast<double>(cells) * static_cast<double>(counts.cells) / static_cast<double>(mesh.cells())};
}

/// Uncompressed size of an output [bytes]: numbers at nodes and in cells of the output fields, mesh and ids.
double bytes_of_output(const Case& wanted, const MeshFindings& found, const ShownCounts& counts) {
  double at_nodes = 3 + 1, in_cells = 1 + (found.mesh.corners() + 1) + 1;
  for (const QuantityInfo& info : wanted.setup->quantities()) {
    const std::vector<std::string>& words = wanted.output.fields;
    if (std::find(words.begin(), words.end(), info.field) == words.end()) continue;
    if (info.dimension != 0 && info.dimension != found.mesh.dimension) continue;
    if (info.at == ValuesAt::nodes) at_nodes += info.components;
    if (info.at == ValuesAt::cells) in_cells += info.components;
  }
  return sizeof(real) * (at_nodes * counts.nodes + in_cells * counts.cells);
}

OutputEstimate estimate_outputs(const Case& wanted, const MeshFindings& found, double steps) {
  constexpr double compressed = 0.45;  // measured: 0.44 in the cavity, 0.41 in the crankshaft
  const OutputSettings& output = wanted.output;
  OutputEstimate estimate;
  const ShownCounts shown = count_shown(output.shown, found);
  estimate.bytes = compressed * bytes_of_output(wanted, found, shown);
  estimate.cells = shown.cells;
  estimate.shows_all = output.shown.are_all();
  estimate.count = 1;
  if (!wanted.setup->time) return estimate;
  estimate.count += 1 + static_cast<double>(output.times.size());
  if (output.every)
    estimate.count +=
        std::max(0.0, std::ceil((wanted.setup->time->end - wanted.setup->time->begin) / *output.every) - 1);
  if (output.every_steps) estimate.count += std::floor(steps / *output.every_steps);
  return estimate;
}

/// Checks the mesh against the case, as a run does with the mesh of the file, `read`; if they fit, tries the set-up.
void try_run(const MeshSource& source, const GlobalMesh& read, const Case& wanted, MeshFindings& found) {
  const ModelSetup& setup = *wanted.setup;
  std::vector<std::string> faults = boundary_faults(setup, source.patches), of_forecast;
  attempt(faults, [&] { require_fit_for_blocks(wanted, source.dimension); });
  if (faults.empty()) attempt(faults, [&] { faults = setup.faults(read, examine_domain(read)); });
  if (faults.empty()) {
    found.trial = try_setup(wanted, found.mesh, found.refinement.times > 0 && !found.refinement.is_examined);
    faults = found.trial.faults;
  }
  if (faults.empty()) found.zones = setup.zones(found.mesh);
  if (setup.time) attempt(of_forecast, [&] { found.step = setup.forecast(found.mesh); });
  found.problems = faults.empty() ? of_forecast : faults;  // on the same data; the trial's message is better
}

/// Adds the warnings that follow from the numbers.
void judge(const Case* wanted, MeshFindings& found) {
  const std::string consequence =
      wanted ? wanted->setup->between_parts() : "only differences of pressure within a part mean something";
  if (wanted) found.warnings = wanted->setup->warnings();
  found.warnings.insert(found.warnings.end(), found.trial.warnings.begin(), found.trial.warnings.end());
  if (const auto warning = parts_warning(found.domain.parts, consequence)) found.warnings.push_back(*warning);
  for (const QualityMeasure& measure : found.quality) {
    const auto count = [&](bool (QualityMeasure::*is)(real) const) {
      return std::count_if(measure.value.begin(), measure.value.end(),
                           [&](real value) { return (measure.*is)(value); });
    };
    const auto cells_with = [&](std::int64_t cells, real limit) {
      return message("{} with {} {} {:.4g}{}", cells == 1 ? "1 cell" : message("{} cells", cells), measure.name,
                     measure.large_is_bad() ? "above" : "below", limit, measure.unit == "-" ? "" : " " + measure.unit);
    };
    const std::int64_t beyond = count(&QualityMeasure::is_beyond_limit), hopeless = count(&QualityMeasure::is_hopeless);
    if (beyond == 0) continue;
    found.warnings.push_back(cells_with(beyond, measure.limit) +
                             "; the worst are listed above: refine or smooth there");
    if (hopeless > 0) {
      found.warnings.push_back(cells_with(hopeless, measure.hopeless) +
                               ": results there are meaningless, and solvers may not converge: mend the mesh");
    }
  }
  constexpr double many_bytes = 1e10, many_outputs = 1e4;
  if (found.outputs &&
      (found.outputs->count > many_outputs || found.outputs->count * found.outputs->bytes > many_bytes)) {
    found.warnings.push_back(message(
        "the run writes {:.0f} outputs, {:.3g} GB of fields: take a larger `every` or `every_steps` in [output], or "
        "fewer `fields`",
        found.outputs->count, 1e-9 * found.outputs->count * found.outputs->bytes));
  }
  if (found.refinement.times > 0 && !found.refinement.is_examined) {
    found.warnings.push_back(
        "the refined mesh has too many cells to look at here: sizes, quality, zones, arrays and steps are those of the "
        "mesh in the file, whose steps may be longer; counts, partitions, memory and outputs those of the run");
  }
  if (!found.trial.obstacle.empty()) {
    found.warnings.push_back(message(
        "the set-up of a run could not be tried here, so its memory is unknown: {}. `solenoid run --dry-run` on the "
        "ranks you mean tries it",
        found.trial.obstacle));
  }
  if (found.step && !found.step->warning.empty()) found.warnings.push_back(found.step->warning);
}

/// The owner of each cell's children.
std::vector<int> owner_of_children(const std::vector<int>& owner, int children) {
  std::vector<int> of_children;
  of_children.reserve(owner.size() * static_cast<std::size_t>(children));
  for (const int rank : owner) of_children.insert(of_children.end(), static_cast<std::size_t>(children), rank);
  return of_children;
}

/// The partition after refinements: exact but for the halo, whose cells grow with the faces cut.
PartitionReport refined_report(PartitionReport report, int dimension, int times) {
  for (int k = 0; k < times; ++k) {
    const int cells = children_of_cell(dimension), faces = cells / 2;
    report.cells_min *= cells, report.cells_max *= cells;
    report.cut_faces *= faces, report.halo_cells_max *= faces, report.halo_cells_sum *= faces;
  }
  return report;
}

}  // namespace

MeshFindings examine(const MeshSource& source, const Case* wanted, const std::vector<int>& ranks,
                     std::size_t program_bytes) {
  constexpr std::int64_t most_examined = 1000000;
  GlobalMesh read = build_topology(source);
  RefinementReport refinement{wanted ? wanted->mesh.refine : 0, refined_counts(read, 0), {}};
  refinement.refined = refined_counts(read, refinement.times);
  refinement.is_examined = refinement.times > 0 && refinement.refined.cells <= most_examined;
  std::vector<std::vector<int>> owners;
  for (const int count : ranks) owners.push_back(partition_cells(read, count));
  const MemoryBefore before{static_cast<double>(program_bytes), static_cast<double>(host_bytes_peak())};
  MeshFindings found(refinement.is_examined ? refined_whole(read, refinement.times) : std::move(read));
  const GlobalMesh& in_file = refinement.is_examined ? read : found.mesh;
  found.refinement = refinement;
  found.domain = examine_domain(found.mesh);
  for (std::size_t k = 0; k < ranks.size(); ++k) {
    found.preview_owner = owner_of_children(owners[k], found.mesh.cells() / in_file.cells());
    const PartitionReport report = report_partition(found.mesh, found.preview_owner, ranks[k]);
    found.previews.push_back(
        {refinement.is_examined ? report : refined_report(report, in_file.dimension, refinement.times), std::nullopt});
  }
  measure_extent(found);
  found.quality = measure_quality(found.mesh, found.geometry);
  found.patches = examine_patches(found, wanted);
  for (std::size_t k = 0; wanted && k < found.mesh.pairs.size(); ++k) {
    found.drives.push_back(wanted->setup->drive_of_pair(k));
  }
  double output_per_cell = 0;
  if (wanted) {
    try_run(source, in_file, *wanted, found);
    const auto& time = wanted->setup->time;
    const double steps = found.step                    ? found.step->count
                         : time && time->step.step > 0 ? (time->end - time->begin) / time->step.step
                                                       : 0;
    found.outputs = estimate_outputs(*wanted, found, steps);
    const ShownCounts whole{static_cast<double>(refinement.refined.nodes),
                            static_cast<double>(refinement.refined.cells)};
    output_per_cell = bytes_of_output(*wanted, found, whole) / whole.cells;  // a rank may own all cells shown
  } else {
    found.trial = try_setup(any_case(source, FlowMethod::exact), found.mesh);
    if (!found.trial.faults.empty()) {
      const std::string fault = "exact: " + found.trial.faults.front();
      found.trial = try_setup(any_case(source, FlowMethod::classical), found.mesh);
      found.trial.remarks = {fault};
    }
  }
  if (found.trial.arrays) {
    for (PartitionPreview& preview : found.previews) {
      preview.memory = peak_of_rank(before, *found.trial.arrays, preview.partition, refinement,
                                    wanted && wanted->mesh.distributed, output_per_cell);
    }
  }
  judge(wanted, found);
  return found;
}

}  // namespace solenoid
