#include "app/heat_output.hpp"

#include <algorithm>

#include "app/case_points.hpp"
#include "run/patch_output.hpp"

namespace solenoid {

namespace {

const std::vector<std::string> flux_columns{"heat_flux_x [W/m^2]", "heat_flux_y [W/m^2]", "heat_flux_z [W/m^2]"};

bool has(const std::vector<std::string>& fields, const char* field) {
  return std::find(fields.begin(), fields.end(), field) != fields.end();
}

/// The columns of these fields at points, and their values at each point.
struct PointValues {
  std::vector<std::string> columns;
  std::vector<std::vector<CsvValue>> rows;

  PointValues(const std::vector<std::string>& fields, const PointSampler& sampler, HeatConduction& heat)
      : columns(columns_of(fields)), rows(sampler.points().size()) {
    if (has(fields, "temperature")) {
      halo(heat.temperature());
      const std::vector<real> temperature = heat.temperature().all_to_host();
      std::vector<real> at_nodes;
      for (const int n : sampler.nodes()) at_nodes.push_back(temperature[n]);
      const std::vector<real> values = sampler.linear(at_nodes);
      for (std::size_t i = 0; i < rows.size(); ++i) rows[i].push_back(values[i]);
    }
    if (has(fields, "heat_flux")) {
      const std::vector<Vec3> values = sampler.in_cells(heat.heat_flux().to_host());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].insert(rows[i].end(), {values[i].x, values[i].y, values[i].z});
      }
    }
  }

  static std::vector<std::string> columns_of(const std::vector<std::string>& fields) {
    std::vector<std::string> columns;
    if (has(fields, "temperature")) columns.push_back("temperature [K]");
    if (has(fields, "heat_flux")) columns.insert(columns.end(), flux_columns.begin(), flux_columns.end());
    return columns;
  }
};

std::vector<std::string> operator+(std::vector<std::string> columns, const std::vector<std::string>& more) {
  columns.insert(columns.end(), more.begin(), more.end());
  return columns;
}

}  // namespace

HeatOutput::HeatOutput(const Case& wanted, const LocalMesh& mesh) : case_(wanted), mesh_(mesh), shown_(mesh) {
  for (const LineSettings& line : case_.lines) lines_.push_back(find_points(case_, line, mesh));
  for (const ProbeSettings& probe : case_.probes) probes_.push_back({probe, find_points(case_, probe, mesh), {}});
}

void HeatOutput::open(const OutputFolder& folder) {
  folder_ = folder;
  mesh_.comm().guard([&] {
    if (!mesh_.comm().is_root()) return;
    for (Probe& probe : probes_) {
      const std::vector<std::string> place{"time [s]", "x [m]", "y [m]", "z [m]"};
      probe.file.emplace(folder_.file("probes/" + probe.settings.name + ".csv"),
                         place + PointValues::columns_of(probe.settings.fields));
    }
  });
  series_.emplace(mesh_.comm(), folder_, "fields");
}

void HeatOutput::write(int step, HeatConduction& heat, bool is_due) {
  for (Probe& probe : probes_) {
    if (step % probe.settings.every_steps == 0) write_probe(probe, heat);
  }
  if (!is_due) return;
  write_fields(step, heat);
  for (std::size_t i = 0; i < lines_.size(); ++i) write_line(step, case_.lines[i], lines_[i], heat);
}

void HeatOutput::write_fields(int step, HeatConduction& heat) {
  std::vector<VtkArray> at_points, at_cells;
  PatchQuantities on_patches;
  if (has(case_.output.fields, "temperature")) {
    halo(heat.temperature());
    const std::vector<real> temperature = heat.temperature().all_to_host();
    VtkArray& array = at_points.emplace_back(VtkArray{"temperature", 1, {}});
    for (const int n : shown_.nodes) array.values.push_back(temperature[n]);
    on_patches.at_nodes.push_back({"temperature", 1, temperature});
  }
  if (has(case_.output.fields, "heat_flux")) {
    VtkArray& array = at_cells.emplace_back(VtkArray{"heat_flux", 3, {}});
    Field<Cell, Vec3>& flux = heat.heat_flux();
    halo(flux);
    const std::vector<Vec3> in_cells = flux.all_to_host();
    for (const Vec3& q : in_cells) array.values.insert(array.values.end(), {q.x, q.y, q.z});
    PatchArray& into_body = on_patches.at_faces.emplace_back(PatchArray{"heat_flux_in", 1, {}});
    const IncidenceRows& cells = mesh_.G.host();
    for (const int f : mesh_.boundary_faces()) {
      const bool is_owned = f < mesh_.owned<Face>();  // else its owner shows it
      const int slot = is_owned ? cells.offset[f] : 0;
      const real inward = is_owned ? cells.sign[slot] : 0;  // G = -D^T: -1 where the normal leaves the body
      into_body.values.push_back(inward * dot(in_cells[cells.index[slot]], mesh_.geometry().face_normal[f]));
    }
  }
  series_->write(step, heat.time(), shown_.piece, at_points, at_cells);
  write_patches(folder_, mesh_, on_patches);
}

void HeatOutput::write_line(int step, const LineSettings& line, const PointSampler& sampler, HeatConduction& heat) {
  const PointValues values(case_.output.fields, sampler, heat);
  mesh_.comm().guard([&] {
    if (!mesh_.comm().is_root()) return;
    std::vector<std::vector<CsvValue>> rows = values.rows;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Vec3& x = sampler.points()[i];
      rows[i].insert(rows[i].begin(), {norm(x - line.from), x.x, x.y, x.z});
    }
    const std::vector<std::string> place{"s [m]", "x [m]", "y [m]", "z [m]"};
    write_csv(folder_.file(message("lines/{}_{:06}.csv", line.name, step)), place + values.columns, rows);
  });
}

void HeatOutput::write_probe(Probe& probe, HeatConduction& heat) {
  const PointValues values(probe.settings.fields, probe.sampler, heat);
  mesh_.comm().guard([&] {
    if (!probe.file) return;
    for (std::size_t i = 0; i < values.rows.size(); ++i) {
      const Vec3& x = probe.sampler.points()[i];
      std::vector<CsvValue> row{heat.time(), x.x, x.y, x.z};
      row.insert(row.end(), values.rows[i].begin(), values.rows[i].end());
      probe.file->row(row);
    }
  });
}

namespace {

/// Columns of history.csv; what would end a column's name is left out of the patches' names, and one that is taken
/// already gets a stroke more.
std::vector<std::string> history_columns(const std::vector<std::string>& patches, const std::string& unit) {
  const auto ends_a_name = [](char c) { return c == ',' || c == '[' || c == ']' || c == '"' || c == '\n'; };
  const std::vector<std::string> sums{"source", "stored", "imbalance"};
  std::vector<std::string> heats = sums;
  for (std::string patch : patches) {
    std::replace_if(patch.begin(), patch.end(), ends_a_name, '_');
    while (has(heats, patch.c_str())) patch += '_';
    heats.push_back(patch);
  }
  std::rotate(heats.begin(), heats.begin() + std::ssize(sums), heats.end());
  std::vector<std::string> columns{"step [-]", "time [s]", "dt [s]", "temperature_min [K]", "temperature_max [K]"};
  for (const std::string& heat : heats) columns.push_back(message("heat_{} [{}]", heat, unit));
  columns.insert(columns.end(), {"iterations_heat [-]", "residual_heat [-]", "wall_seconds [s]"});
  return columns;
}

}  // namespace

HeatHistory::HeatHistory(const OutputFolder& folder, const std::vector<std::string>& patches, const std::string& unit)
    : file_(folder.file("history.csv"), history_columns(patches, unit)) {}

void HeatHistory::write(const HeatRecord& r, const SolveLog& solves) {
  std::vector<CsvValue> row{std::int64_t{r.step}, r.time, r.dt, r.range.low, r.range.high};
  for (const real heat : r.balance.through) row.push_back(heat);
  const SolveReport& last = solves.entries().at("heat").last;
  row.insert(row.end(), {r.balance.source, r.balance.stored, r.balance.imbalance(), std::int64_t{last.iterations},
                         last.residual, r.wall_seconds});
  file_.row(row);
}

std::string beyond_bounds_text(const MaximumPrinciple& found, bool with_bdf2) {
  const auto bound = [](const std::optional<real>& limit) {
    return limit ? message("{:.9g}", *limit) : std::string("anything");
  };
  std::vector<std::string> causes;
  if (found.positive_couplings > 0) {
    causes.push_back(message(
        "{} of the mesh's {} pairs of neighbouring nodes pull apart, as obtuse angles make them: a better or finer "
        "mesh there brings it back",
        found.positive_couplings, found.couplings));
  }
  if (with_bdf2) {
    causes.push_back(
        "after a sudden change BDF2 overshoots where the step is long: take a smaller `step`, or scheme = \"euler\"");
  }
  return message(
      "the temperature leaves what its boundary and initial values allow, {} to {} K, at {} node{}, farthest at "
      "({:.6g}, {:.6g}, {:.6g}): it reaches from {:.9g} to {:.9g} K. {}",
      bound(found.low), bound(found.high), found.nodes_beyond, found.nodes_beyond == 1 ? "" : "s", found.place.x,
      found.place.y, found.place.z, found.lowest, found.highest,
      causes.empty() ? "The solver's tolerance is too loose" : joined(causes, "; "));
}

}  // namespace solenoid
