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

/// The largest speed of the walls over the run and of the flow at its start [m/s].
real largest_speed(const Case& wanted, const MeshFindings& found) {
  constexpr int moments = 64;
  const GlobalMesh& mesh = found.mesh;
  const auto speed = [](const std::array<Formula, 3>& u, const Vec3& x, double t) {
    return static_cast<real>(std::hypot(u[0](x, t), u[1](x, t), u[2](x, t)));
  };
  real largest = 0;
  for (int f = 0; f < mesh.faces(); ++f) {
    if (mesh.face_patch[f] < 0) continue;
    const auto condition = wanted.boundary.find(mesh.patches[mesh.face_patch[f]]);
    if (condition == wanted.boundary.end()) continue;
    const auto& u = condition->second.velocity;
    const bool moves = std::any_of(u.begin(), u.end(), [](const Formula& c) { return c.depends_on_time(); });
    for (int k = 0; k < (moves ? moments : 1); ++k) {
      const double t = wanted.time->end * uneven_place(k);
      largest = std::max(largest, speed(u, mesh.points[mesh.face_nodes[f * mesh.dimension]], t));
    }
  }
  for (const Vec3& x : found.geometry.cell_centre) largest = std::max(largest, speed(wanted.initial_velocity, x, 0));
  return largest;
}

StepEstimate estimate_steps(const Case& wanted, const MeshFindings& found) {
  const GlobalMesh& mesh = found.mesh;
  StepEstimate estimate;
  estimate.speed = largest_speed(wanted, found);
  real rate = 0;
  for (int c = 0; c < mesh.cells(); ++c) {
    real area = 0;
    for (int k = 0; k < mesh.corners(); ++k) area += found.geometry.face_area[mesh.cell_faces[c * mesh.corners() + k]];
    const real here = estimate.speed * area / (2 * found.geometry.cell_volume[c]);
    if (here > rate) rate = here, estimate.cell = c;
  }
  const auto end = static_cast<real>(wanted.time->end);
  estimate.step = wanted.time->step ? static_cast<real>(*wanted.time->step)
                                    : (rate > 0 ? static_cast<real>(*wanted.time->cfl) / rate : end);
  if (wanted.time->step_max) estimate.step = std::min(estimate.step, static_cast<real>(*wanted.time->step_max));
  estimate.step = std::min(estimate.step, end);
  estimate.cfl = estimate.step * rate;
  estimate.count = std::ceil(wanted.time->end / estimate.step);
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
  judge(source, wanted, found);
  return found;
}

}  // namespace solenoid
