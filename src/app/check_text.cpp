#include "app/mesh_report.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "parallel/placement.hpp"

namespace solenoid {

using Json = nlohmann::ordered_json;

namespace {

/// The cells with the worst values of a measure, the worst first.
std::vector<int> worst_cells(const QualityMeasure& measure, int count) {
  std::vector<int> cells(measure.value.size());
  std::iota(cells.begin(), cells.end(), 0);
  const auto end = cells.begin() + std::min<std::ptrdiff_t>(count, std::ssize(cells));
  std::partial_sort(cells.begin(), end, cells.end(), [&](int a, int b) {
    return measure.value[a] != measure.value[b] ? measure.is_worse(measure.value[a], measure.value[b]) : a < b;
  });
  return {cells.begin(), end};
}

/// Statistics of a measure, from best to worst: the median, the worst 1 %, and the worst of all.
struct Spread {
  real median, hundredth, worst;
  explicit Spread(const QualityMeasure& measure) {
    std::vector<real> sorted = measure.value;
    std::sort(sorted.begin(), sorted.end(), [&](real a, real b) { return measure.is_worse(b, a); });
    median = sorted[sorted.size() / 2];
    hundredth = sorted[sorted.size() * 99 / 100];
    worst = sorted.back();
  }
};

std::string place(const MeshFindings& found, int cell) {
  const Vec3& x = found.geometry.cell_centre[cell];
  return found.mesh.dimension == 2 ? message("({:.5g}, {:.5g})", x.x, x.y)
                                   : message("({:.5g}, {:.5g}, {:.5g})", x.x, x.y, x.z);
}

/// "3 parts, 1 hole", and the consequences for each method.
std::vector<std::string> topology_lines(const MeshFindings& found) {
  const Domain& domain = found.domain;
  const bool planar = found.mesh.dimension == 2;
  const auto counted = [](std::int64_t count, const std::string& one, const std::string& many) {
    return count == 0 ? "no " + many : message("{} {}", count, count == 1 ? one : many);
  };
  std::string shape = counted(std::ssize(domain.parts), "part", "parts");
  if (domain.parts.size() > 1) {
    std::vector<std::string> counts;
    for (const DomainPart& part : domain.parts) counts.push_back(message("{}", part.cells));
    shape += message(" ({} cells)", joined(counts, ", "));
  }
  const bool is_periodic = !found.mesh.pairs.empty();
  shape += ", " + (is_periodic ? counted(domain.holes, "loop", "loops") + " through pairs and around holes"
                   : planar    ? counted(domain.holes, "hole", "holes")
                               : counted(domain.holes, "tunnel", "tunnels") + ", " +
                                  counted(domain.cavities, "cavity", "cavities"));
  std::vector<std::string> lines{shape +
                                 message(", {} of boundary", counted(domain.boundary_pieces, "piece", "pieces"))};
  if (planar) {
    lines.push_back(domain.holes == 0 || is_periodic
                        ? "exact: runs"
                        : "exact: runs; the wall of each hole is one shared unknown of the potential");
    if (domain.parts.size() > 1)
      lines.push_back("exact: the parts do not feel each other; their pressures share one mean");
  } else if (found.trial.remarks.empty()) {
    lines.push_back("exact: not tried");
  } else {
    lines.insert(lines.end(), found.trial.remarks.begin(), found.trial.remarks.end());
  }
  lines.push_back(domain.parts.size() > 1 ? "heat: runs; no heat goes from one part to the other" : "heat: runs");
  lines.push_back("classical: runs");
  return lines;
}

std::string text_of_counts(const EntityCounts& counts, bool planar) {
  return planar ? message("{} triangles, {} faces, {} nodes", counts.cells, counts.faces, counts.nodes)
                : message("{} tetrahedra, {} faces, {} edges, {} nodes", counts.cells, counts.faces, counts.edges,
                          counts.nodes);
}

/// A zone's name, place, cells and contents.
std::string text_of_zone(const ZoneReport& zone, bool planar) {
  std::string of_shape;
  if (zone.volume_of_shape && *zone.volume_of_shape > 0) {
    of_shape = message(", {:+.2g} % on that of the shape, {:.6g}",
                       100 * (zone.volume - *zone.volume_of_shape) / *zone.volume_of_shape, *zone.volume_of_shape);
  }
  return message("{}: {}; {} cells of {:.6g} {}{}; {}", zone.name, zone.place, zone.cells, zone.volume,
                 planar ? "m^2" : "m^3", of_shape, zone.contents);
}

/// The memory of the host, and of the GPU if there is one.
std::string memory_text(const std::optional<Bytes>& memory) {
  if (!memory) return "-";
  const std::string host = message("{:.0f} MB", 1e-6 * memory->host);
  return std::string("cpu") == backend_name() ? host : host + message(" + {:.0f} GPU", 1e-6 * memory->device);
}

/// The owners of most of the memory on the device, in bytes a cell.
std::string text_of_arrays(const MeshFindings& found) {
  constexpr std::size_t most = 3;
  const double cells = found.mesh.cells();
  double all = 0;
  std::vector<std::string> largest;
  for (const ArraysOf& of : found.trial.device_arrays) {
    const double per_cell = static_cast<double>(of.bytes) / cells;
    all += per_cell;
    if (largest.size() < most) largest.push_back(message("{} {:.0f}", of.owner, per_cell));
  }
  return message("{:.0f} B a cell, of which {}", all, joined(largest, ", "));
}

}  // namespace

std::vector<std::string> check_text(const MeshFindings& found) {
  const GlobalMesh& mesh = found.mesh;
  const bool planar = mesh.dimension == 2;
  std::vector<std::string> lines;
  const auto add = [&](const std::string& label, const std::string& text) {
    lines.push_back(message("{:<12}{}", label, text));
  };

  const RefinementReport& refinement = found.refinement;
  add("mesh", text_of_counts(refinement.refined, planar));
  if (refinement.times > 0) {
    add("", message("refined {} time{} from {}", refinement.times, refinement.times == 1 ? "" : "s",
                    text_of_counts(refinement.read, planar)));
    add("", message("curved boundaries stay the {} of the file", planar ? "polygons" : "facets"));
  }
  add("size", message("x {:.5g} to {:.5g}, y {:.5g} to {:.5g}{} m; {} {:.6g} {}", found.box.low.x, found.box.high.x,
                      found.box.low.y, found.box.high.y,
                      planar ? "" : message(", z {:.5g} to {:.5g}", found.box.low.z, found.box.high.z),
                      planar ? "area" : "volume", found.volume, planar ? "m^2" : "m^3"));
  add("edges", message("{:.4g} to {:.4g} m, {:.4g} m on average", found.edge_min, found.edge_max, found.edge_mean));

  add("quality", message("{:<26}{:>10}{:>10}{:>12}{:>10}{:>10}   worst cell", "", "ideal", "median", "1 in 100",
                         "worst", "look from"));
  for (const QualityMeasure& measure : found.quality) {
    const Spread spread(measure);
    const int worst = worst_cells(measure, 1).front();
    const std::string name = measure.unit == "-" ? measure.name : measure.name + " [" + measure.unit + "]";
    add("",
        message("{:<26}{:>10.3g}{:>10.3g}{:>12.3g}{:>10.3g}{:>10.3g}   {} at {}", name, measure.ideal, spread.median,
                spread.hundredth, spread.worst, measure.limit, mesh.cell_ids[worst], place(found, worst)));
  }
  constexpr int listed = 3;
  for (const QualityMeasure& measure : found.quality) {
    std::vector<std::string> worst;
    for (int cell : worst_cells(measure, listed)) {
      if (!measure.is_beyond_limit(measure.value[cell])) continue;
      worst.push_back(message("{:.3g} in {} at {}", measure.value[cell], mesh.cell_ids[cell], place(found, cell)));
    }
    if (!worst.empty()) add("", message("worst {}: {}", measure.name, joined(worst, ", ")));
  }

  std::string label = "topology";
  for (const std::string& line : topology_lines(found)) {
    add(label, line);
    label.clear();
  }
  add("boundary", message("{:<20}{:>10}{:>14}   condition", "group", "faces", planar ? "length [m]" : "area [m^2]"));
  for (const PatchReport& patch : found.patches) {
    add("", message("{:<20}{:>10}{:>14.6g}   {}", patch.name, patch.faces, patch.area,
                    patch.condition.empty() ? "-" : patch.condition));
  }
  for (std::size_t k = 0; k < mesh.pairs.size(); ++k) {
    const PeriodicPair& pair = mesh.pairs[k];
    const std::string drive = k < found.drives.size() ? "; " + found.drives[k] : "";
    add(k == 0 ? "periodic" : "", message("{} -> {}, ({:.6g}, {:.6g}, {:.6g}) m apart{}", pair.first, pair.second,
                                          pair.translation.x, pair.translation.y, pair.translation.z, drive));
  }
  for (const ZoneReport& zone : found.zones)
    add(&zone == found.zones.data() ? "zones" : "", text_of_zone(zone, planar));
  add("partition", message("{:>6}{:>20}{:>11}{:>11}{:>12}{:>12}{:>14}", "ranks", "cells a rank", "imbalance",
                           "cut faces", "halo cells", "neighbours", "memory a rank"));
  for (const auto& [p, memory] : found.previews) {
    add("",
        message("{:>6}{:>20}{:>9.1f} %{:>11}{:>12}{:>12}{:>14}", p.ranks, message("{} to {}", p.cells_min, p.cells_max),
                100 * p.imbalance, p.cut_faces, p.halo_cells_max, p.neighbours_max, memory_text(memory)));
  }
  if (!found.trial.device_arrays.empty()) add("arrays", text_of_arrays(found));
  if (found.step) {
    const StepForecast& s = *found.step;
    add("steps", message("{:.3g} s (CFL {:.3g} at {:.4g} m/s in cell {} at {}), at most about {:.0f} to the end",
                         s.step, s.cfl, s.speed, mesh.cell_ids[s.cell], place(found, s.cell), s.count));
  }
  if (found.step && !found.step->meaning.empty()) add(found.step->subject, found.step->meaning);
  if (found.outputs) {
    const OutputEstimate& o = *found.outputs;
    add("outputs", message("{:.0f}, about {:.2g} MB of fields each, {:.3g} MB in all", o.count, 1e-6 * o.bytes,
                           1e-6 * o.count * o.bytes));
    if (!o.shows_all) {
      const bool is_count = refinement.times == 0 || refinement.is_examined;
      add("", message("of {}{:.0f} of the {} cells, by `within` and `every_cells`", is_count ? "" : "about ", o.cells,
                      refinement.refined.cells));
    }
  }
  for (const std::string& text : found.warnings) add("look at", text);
  const std::string to_look_at = found.warnings.empty() ? ""
                                                        : message("; {} thing{} to look at", found.warnings.size(),
                                                                  found.warnings.size() == 1 ? "" : "s");
  add("problems", found.problems.empty() ? "none" + to_look_at
                                         : message("{}, named at the end", found.problems.size()) + to_look_at);
  return lines;
}

nlohmann::ordered_json check_summary(const MeshFindings& found) {
  const GlobalMesh& mesh = found.mesh;
  Json summary;
  summary["mesh"] = {{"dimension", mesh.dimension}, {"nodes", mesh.nodes()}, {"edges", mesh.edges()},
                     {"faces", mesh.faces()},       {"cells", mesh.cells()}, {"patches", mesh.patches},
                     {"regions", mesh.regions},     {"volume", found.volume}};
  if (const RefinementReport& refinement = found.refinement; refinement.times > 0) {
    const auto counts = [](const EntityCounts& of) {
      return Json{{"nodes", of.nodes}, {"edges", of.edges}, {"faces", of.faces}, {"cells", of.cells}};
    };
    summary["refinement"] = {{"times", refinement.times},
                             {"read", counts(refinement.read)},
                             {"refined", counts(refinement.refined)},
                             {"examined", refinement.is_examined ? "refined" : "read"}};
  }
  summary["mesh"]["low"] = {found.box.low.x, found.box.low.y, found.box.low.z};
  summary["mesh"]["high"] = {found.box.high.x, found.box.high.y, found.box.high.z};
  summary["mesh"]["edge_length"] = {{"min", found.edge_min}, {"mean", found.edge_mean}, {"max", found.edge_max}};
  for (const QualityMeasure& measure : found.quality) {
    const Spread spread(measure);
    Json& entry = summary["quality"][measure.name];
    entry = {{"unit", measure.unit},
             {"median", spread.median},
             {"hundredth", spread.hundredth},
             {"worst", spread.worst},
             {"limit", measure.limit}};
    for (int cell : worst_cells(measure, 10)) {
      const Vec3& x = found.geometry.cell_centre[cell];
      entry["worst_cells"].push_back(
          {{"cell", mesh.cell_ids[cell]}, {"value", measure.value[cell]}, {"centre", {x.x, x.y, x.z}}});
    }
  }
  const Domain& domain = found.domain;
  std::vector<std::int64_t> part_cells;
  for (const DomainPart& part : domain.parts) part_cells.push_back(part.cells);
  summary["topology"] = {{"parts", part_cells},
                         {"boundary_pieces", domain.boundary_pieces},
                         {"holes", domain.holes},
                         {"cavities", domain.cavities}};
  for (const PatchReport& patch : found.patches) {
    summary["boundary"][patch.name] = {{"faces", patch.faces}, {"area", patch.area}, {"condition", patch.condition}};
  }
  for (std::size_t k = 0; k < mesh.pairs.size(); ++k) {
    const PeriodicPair& pair = mesh.pairs[k];
    summary["periodic"].push_back({{"patches", {pair.first, pair.second}},
                                   {"translation", {pair.translation.x, pair.translation.y, pair.translation.z}},
                                   {"drive", k < found.drives.size() ? found.drives[k] : ""}});
  }
  for (const ZoneReport& zone : found.zones) {
    summary["zones"][zone.name] = {
        {"place", zone.place}, {"contents", zone.contents}, {"cells", zone.cells}, {"volume", zone.volume}};
    if (zone.volume_of_shape) summary["zones"][zone.name]["volume_of_shape"] = *zone.volume_of_shape;
  }
  for (const auto& [p, memory] : found.previews) {
    Json entry{{"ranks", p.ranks},
               {"cells_min", p.cells_min},
               {"cells_max", p.cells_max},
               {"imbalance", p.imbalance},
               {"cut_faces", p.cut_faces},
               {"halo_cells_max", p.halo_cells_max},
               {"neighbours_max", p.neighbours_max}};
    if (memory) {
      entry["bytes_max_rank"] = std::llround(memory->host);
      entry["device_bytes_max_rank"] = std::llround(memory->device);
    }
    summary["partition"].push_back(entry);
  }
  for (const ArraysOf& of : found.trial.device_arrays) {
    summary["device_arrays"].push_back({{"owner", of.owner}, {"arrays", of.arrays}, {"bytes", of.bytes}});
  }
  if (found.step) {
    summary["step"] = {{"seconds", found.step->step},
                       {"cfl", found.step->cfl},
                       {"speed", found.step->speed},
                       {"count", found.step->count},
                       {"cell", mesh.cell_ids[found.step->cell]}};
    for (const SummaryFigure& figure : found.step->figures) {
      summary[figure.group][figure.name] = std::get<double>(figure.value);
    }
  }
  if (const auto& outputs = found.outputs)
    summary["outputs"] = {{"count", outputs->count}, {"bytes_each", outputs->bytes}, {"cells", outputs->cells}};
  summary["warnings"] = found.warnings;
  summary["problems"] = found.problems;
  return summary;
}

}  // namespace solenoid
