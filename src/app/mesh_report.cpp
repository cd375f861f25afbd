#include "app/mesh_report.hpp"

#include <algorithm>
#include <cmath>

#include "app/case_flow.hpp"
#include "app/case_heat.hpp"
#include "app/case_mesh.hpp"
#include "app/case_points.hpp"
#include "physics/heat_conduction.hpp"
#include "physics/time_scheme.hpp"

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

std::string describe(const BoundarySettings& condition) {
  const std::string value = condition.value.text();
  switch (condition.type) {
    case BoundaryType::temperature:
      return message("temperature {} K", value);
    case BoundaryType::flux:
      return message("heat flux {} W/m^2 into the body", value);
    case BoundaryType::insulated:
      return "insulated";
    case BoundaryType::convection:
      return message("convection, {} W/(m^2 K) to {} K", condition.coefficient.text(), value);
    case BoundaryType::wall:
      break;
  }
  const auto& u = condition.velocity;
  const auto is_zero = [](const Formula& f) { return f.is_number() && f({}, 0) == 0; };
  if (std::all_of(u.begin(), u.end(), is_zero)) return "wall at rest";
  return message("wall, velocity ({}, {}, {}) m/s", u[0].text(), u[1].text(), u[2].text());
}

std::vector<PatchReport> examine_patches(const MeshFindings& found, const Case* wanted) {
  std::vector<PatchReport> patches;
  for (const std::string& name : found.mesh.patches) {
    PatchReport& patch = patches.emplace_back();
    patch.name = name;
    if (!wanted) continue;
    const auto condition = wanted->boundary.find(name);
    patch.condition = condition == wanted->boundary.end() ? "none: missing in the case" : describe(condition->second);
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
  const bool is_heat = wanted ? wanted->heat.has_value() : dimension == 3;
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

/// Where the fluid moves how fast: calls visit(cell, velocity) with the walls' velocity over the run in the cells
/// beside them, and with the flow's at the start in all cells.
template <class Visit>
void visit_velocities(const Case& wanted, const MeshFindings& found, const Visit& visit) {
  constexpr int moments = 64;
  const GlobalMesh& mesh = found.mesh;
  const auto at = [](const std::array<Formula, 3>& u, const Vec3& x, double t) {
    return Vec3{static_cast<real>(u[0](x, t)), static_cast<real>(u[1](x, t)), static_cast<real>(u[2](x, t))};
  };
  for (int f = 0; f < mesh.faces(); ++f) {
    if (mesh.face_patch[f] < 0) continue;
    const auto condition = wanted.boundary.find(mesh.patches[mesh.face_patch[f]]);
    if (condition == wanted.boundary.end()) continue;
    const auto& u = condition->second.velocity;
    const bool moves = std::any_of(u.begin(), u.end(), [](const Formula& c) { return c.depends_on_time(); });
    for (int k = 0; k < (moves ? moments : 1); ++k) {
      const double t = moves ? wanted.time->end * uneven_place(k) : 0;
      for (int n = 0; n < mesh.dimension; ++n)
        visit(mesh.face_cells[2 * f], at(u, mesh.points[mesh.face_nodes[f * mesh.dimension + n]], t));
    }
  }
  for (int c = 0; c < mesh.cells(); ++c) visit(c, at(wanted.initial_velocity, found.geometry.cell_centre[c], 0));
}

StepEstimate estimate_steps(const Case& wanted, const MeshFindings& found) {
  const GlobalMesh& mesh = found.mesh;
  StepEstimate estimate;
  real rate = 0;
  visit_velocities(wanted, found, [&](int c, const Vec3& u) {
    const std::span faces(&mesh.cell_faces[c * mesh.corners()], mesh.corners());
    const real here = courant_rate_in_cell(found.geometry, c, faces, u);
    if (here > rate) rate = here, estimate.cell = c;
    estimate.speed = std::max(estimate.speed, norm(u));
  });
  const auto end = static_cast<real>(wanted.time->end);
  estimate.step = wanted.time->step ? static_cast<real>(*wanted.time->step)
                                    : (rate > 0 ? static_cast<real>(*wanted.time->cfl) / rate : end);
  if (wanted.time->step_max) estimate.step = std::min(estimate.step, static_cast<real>(*wanted.time->step_max));
  estimate.step = std::min(estimate.step, end);
  estimate.cfl = estimate.step * rate;
  estimate.count = std::ceil(wanted.time->end / estimate.step);
  const Vec3 size = found.box.high - found.box.low;
  const auto viscosity = static_cast<real>(wanted.flow->viscosity);
  estimate.reynolds = estimate.speed * std::max({size.x, size.y, size.z}) / viscosity;
  estimate.cell_reynolds = estimate.speed * found.edge_max / viscosity;
  return estimate;
}

/// Numbers at each node and in each cell that `fields` takes, and what the mesh and the ids take beside them.
OutputEstimate estimate_outputs(const Case& wanted, const MeshFindings& found, double steps) {
  constexpr double compressed = 0.45;  // measured: 0.44 in the cavity, 0.41 in the crankshaft
  double at_nodes = 3 + 1, in_cells = 1 + (found.mesh.corners() + 1) + 1;
  for (const std::string& field : wanted.output.fields) {
    if (field == "velocity") at_nodes += 3, in_cells += 3;
    if (field == "vorticity" || field == "stream_function" || field == "temperature") at_nodes += 1;
    if (field == "pressure" || field == "divergence") in_cells += 1;
    if (field == "heat_flux") in_cells += 3;
  }
  const OutputSettings& output = wanted.output;
  OutputEstimate estimate;
  estimate.bytes = compressed * sizeof(real) * (at_nodes * found.mesh.nodes() + in_cells * found.mesh.cells());
  estimate.count = 1;
  if (!wanted.time) return estimate;
  estimate.count += 1 + static_cast<double>(output.times.size());
  if (output.every) estimate.count += std::max(0.0, std::ceil(wanted.time->end / *output.every) - 1);
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
  if (wanted.heat) {
    attempt([&] {
      HeatConduction heat(mesh, heat_problem(wanted, whole.regions, whole.patches), heat_settings(wanted), 0);
      heat.set_temperature(initial_temperature(wanted));
    });
  } else {
    attempt([&] {
      const auto ends = sample_ends(mesh, wall_motion(wanted, whole.patches), 0);
      require_tangential(mesh, ends, largest_speed(alone, ends));
    });
    attempt([&] { initial_flux(wanted, mesh); });
  }
  for (const LineSettings& line : wanted.lines) attempt([&] { find_points(wanted, line, mesh); });
  for (const ProbeSettings& probe : wanted.probes) attempt([&] { find_points(wanted, probe, mesh); });
  return faults;
}

/// What the numbers mean, in words.
void judge(const MeshSource& source, const Case* wanted, MeshFindings& found) {
  constexpr real stable_cfl = 1.2;  // of the explicit convection, measured (docs/numerics.md)
  if (wanted && wanted->flow && source.dimension == 3) {
    found.problems.push_back(
        message("{}: tetrahedra: this version computes flow on triangle meshes only; give a mesh in the x-y plane",
                source.name));
  }
  if (wanted) {
    std::vector<std::string> faults = boundary_faults(*wanted, source.patches);
    if (faults.empty() && wanted->heat) faults = heat_faults(*wanted, found.mesh, found.domain);
    if (faults.empty() && (source.dimension == 2 || wanted->heat)) faults = setup_faults(*wanted, found.mesh);
    found.problems.insert(found.problems.end(), faults.begin(), faults.end());
  }
  if (const auto warning = parts_warning(wanted, found.domain)) found.warnings.push_back(*warning);
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
  if (found.step && found.step->cfl > stable_cfl) {
    found.warnings.push_back(
        message("the step leads to a CFL number of {:.3g}; the explicit convection is stable up to about {}: take a "
                "step of {:.2g} s, or `cfl = 0.9` instead of `step`",
                found.step->cfl, stable_cfl, found.step->step * 0.9 / found.step->cfl));
  }
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
  if (wanted && wanted->flow) found.step = estimate_steps(*wanted, found);
  if (wanted) {
    const double steps = found.step ? found.step->count : wanted->time ? wanted->time->end / *wanted->time->step : 0;
    found.outputs = estimate_outputs(*wanted, found, steps);
  }
  judge(source, wanted, found);
  return found;
}

}  // namespace solenoid
