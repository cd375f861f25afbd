#include "app/flow_output.hpp"

#include <algorithm>

#include "app/case_points.hpp"
#include "run/patch_output.hpp"

namespace solenoid {

namespace {

void append(std::vector<real>& values, const Vec3& v) { values.insert(values.end(), {v.x, v.y, v.z}); }

}  // namespace

FlowOutput::FlowOutput(const Case& wanted, const LocalMesh& mesh, MeshPart wide)
    : case_(wanted), mesh_(mesh), shown_(mesh), samples_(mesh, std::move(wide)), probes_(wanted, mesh, samples_) {
  for (const LineSettings& line : case_.lines) samplers_.push_back(find_points(case_, line, mesh));
}

void FlowOutput::open(const OutputFolder& folder) {
  folder_ = folder;
  series_.emplace(mesh_.comm(), folder_, "fields");
  probes_.open(folder_);
}

bool FlowOutput::wants(const std::string& field) const {
  return std::find(case_.output.fields.begin(), case_.output.fields.end(), field) != case_.output.fields.end();
}

void FlowOutput::write(int step, ExactStep& flow, bool is_due) {
  probes_.write(step, flow);
  if (!is_due) return;
  write_fields(step, flow, wants("pressure"));
  if (!case_.lines.empty()) write_lines(step, flow);
}

void FlowOutput::write_fields(int step, ExactStep& flow, bool with_pressure) {
  const std::vector<NodeVelocity>& nodes = samples_.nodes(step, flow);
  std::vector<VtkArray> at_points, at_cells;
  if (wants("velocity")) {
    VtkArray by_node{"velocity", 3, {}}, by_cell{"velocity_cell", 3, {}};
    for (int n : shown_.nodes) append(by_node.values, nodes[n].value);
    halo(flow.state().velocity);
    for (const Vec3& u : flow.state().velocity.all_to_host()) append(by_cell.values, u);
    at_points.push_back(std::move(by_node));
    at_cells.push_back(std::move(by_cell));
  }
  if (wants("vorticity")) {
    VtkArray by_node{"vorticity", 1, {}};
    for (int n : shown_.nodes) by_node.values.push_back(nodes[n].curl().z);
    at_points.push_back(std::move(by_node));
  }
  if (wants("stream_function")) {
    VtkArray by_node{"stream_function", 1, {}};
    halo(flow.state().potential);
    const std::vector<real> potential = flow.state().potential.all_to_host();  // its edges are the nodes seen end-on
    for (int n : shown_.nodes) by_node.values.push_back(potential[n]);
    at_points.push_back(std::move(by_node));
  }
  if (with_pressure) at_cells.push_back({"pressure", 1, samples_.pressure(step, flow)});
  if (wants("divergence")) at_cells.push_back({"divergence", 1, divergence(flow)});
  series_->write(step, flow.time(), shown_.piece, at_points, at_cells);
  write_patches(folder_, mesh_, wall_quantities(step, flow, with_pressure));
}

/// Pressure, and the friction of the fluid on the wall, -nu (grad u + grad u^T) n along it with n out of the fluid;
/// both over the density. Collective.
PatchQuantities FlowOutput::wall_quantities(int step, ExactStep& flow, bool with_pressure) {
  const MeshPart& part = mesh_.part();
  const std::vector<NodeVelocity>& nodes = samples_.nodes(step, flow);
  PatchQuantities quantities;
  if (with_pressure) {
    samples_.pressure(step, flow);
    quantities.at_faces.push_back({"pressure", 1, flow.wall_pressure()});
  }
  PatchArray& shear = quantities.at_faces.emplace_back(PatchArray{"wall_shear", 3, {}});
  const auto nu = static_cast<real>(case_.flow->viscosity);
  for (int f : mesh_.boundary_faces()) {
    if (f >= mesh_.owned<Face>()) {  // its owner shows it
      append(shear.values, Vec3{});
      continue;
    }
    const real inward =
        mesh_.G.host().sign[mesh_.G.host().offset[f]];  // G = -D^T: -1 where the normal leaves the fluid
    const Vec3 n = mesh_.geometry().face_normal[f];
    const Vec3 strain = (nodes[part.face_nodes[2 * f]].strain(n) + nodes[part.face_nodes[2 * f + 1]].strain(n)) / 2;
    append(shear.values, (inward * nu) * (strain - dot(strain, n) * n));
  }
  return quantities;
}

/// Sum of the fluxes over the volume [1/s] of each local cell. Collective.
std::vector<real> FlowOutput::divergence(ExactStep& flow) const {
  const std::vector<real> flux = (halo(flow.state().flux), flow.state().flux.all_to_host());
  const IncidenceRows& faces = mesh_.D.host();
  std::vector<real> values;
  for (int c = 0; c < mesh_.owned<Cell>(); ++c) {
    real sum = 0;
    for (int k = faces.offset[c]; k < faces.offset[c + 1]; ++k) sum += faces.sign[k] * flux[faces.index[k]];
    values.push_back(sum / mesh_.geometry().cell_volume[c]);
  }
  Field<Cell> by_cell(mesh_, values);
  halo(by_cell);
  return by_cell.all_to_host();
}

void FlowOutput::write_lines(int step, ExactStep& flow) {
  const std::vector<NodeVelocity>& nodes = samples_.nodes(step, flow);
  std::vector<std::string> columns{"s [m]", "x [m]", "y [m]", "z [m]", "u [m/s]", "v [m/s]", "w [m/s]"};
  if (wants("pressure")) columns.push_back("pressure [m^2/s^2]");
  if (wants("vorticity")) columns.push_back("vorticity [1/s]");
  for (std::size_t i = 0; i < samplers_.size(); ++i) {
    std::vector<NodeVelocity> at_nodes;
    for (int n : samplers_[i].nodes()) at_nodes.push_back(nodes[n]);
    const std::vector<Vec3> velocity = samplers_[i].velocity(at_nodes);
    std::vector<real> pressure;
    std::vector<Vec3> vorticity;
    if (wants("pressure")) pressure = samplers_[i].at_points(samples_.pressure(step, flow));
    if (wants("vorticity")) vorticity = samplers_[i].vorticity(at_nodes);
    mesh_.comm().guard([&] {
      if (!mesh_.comm().is_root()) return;
      const LineSettings& line = case_.lines[i];
      std::vector<std::vector<CsvValue>> rows;
      for (std::size_t p = 0; p < velocity.size(); ++p) {
        const Vec3 x = samplers_[i].points()[p], u = velocity[p];
        std::vector<CsvValue>& row = rows.emplace_back();
        row = {norm(x - line.from), x.x, x.y, x.z, u.x, u.y, u.z};
        if (!pressure.empty()) row.push_back(pressure[p]);
        if (!vorticity.empty()) row.push_back(vorticity[p].z);
      }
      write_csv(folder_.file(message("lines/{}_{:06}.csv", line.name, step)), columns, rows);
    });
  }
}

namespace {
std::vector<std::string> history_columns(bool vorticity) {
  std::vector<std::string> columns{"step [-]",
                                   "time [s]",
                                   "dt [s]",
                                   "cfl [-]",
                                   "max_divergence [-]",
                                   "kinetic_energy [m^4/s^2]",
                                   "iterations_potential [-]",
                                   "residual_potential [-]"};
  if (vorticity) columns.insert(columns.end(), {"iterations_vorticity [-]", "residual_vorticity [-]"});
  columns.push_back("wall_seconds [s]");
  return columns;
}
}  // namespace

History::History(const OutputFolder& folder, bool vorticity)
    : vorticity_(vorticity), file_(folder.file("history.csv"), history_columns(vorticity)) {}

void History::write(const StepRecord& r, const SolveLog& solves) {
  std::vector<CsvValue> row{std::int64_t{r.step}, r.time, r.dt, r.cfl, r.max_divergence, r.kinetic_energy};
  const auto add = [&](const char* solver) {
    const SolveReport& last = solves.entries().at(solver).last;
    row.insert(row.end(), {std::int64_t{last.iterations}, last.residual});
  };
  add("potential");
  if (vorticity_) add("vorticity");
  row.push_back(r.wall_seconds);
  file_.row(row);
}

}  // namespace solenoid
