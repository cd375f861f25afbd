#include "physics/flow/zones/zone_findings.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/user_text.hpp"
#include "mesh/geometry.hpp"
#include "model/frame.hpp"
#include "physics/flow/zones/fan_curve.hpp"

namespace solenoid {

namespace {

ZoneCells cells_of_mesh(const GlobalMesh& mesh, const Geometry& geometry) {
  return {mesh.dimension, geometry.cell_centre, mesh.cell_region, mesh.regions};
}

std::string text_along(const PorousBody& body, const Vec3& values, const char* unit, int dimension) {
  const bool is_one = values.x == values.y && (dimension == 2 || values.x == values.z);
  if (is_one) return message("{:.6g} {}", values.x, unit);
  std::vector<std::string> parts;
  for (int k = 0; k < dimension; ++k) {
    const real value = k == 0 ? values.x : k == 1 ? values.y : values.z;
    parts.push_back(message("{:.6g} {} along {}", value, unit, text_of_place(body.axes[k], dimension)));
  }
  return joined(parts, ", ");
}

std::string text_of_porous(const PorousBody& body, int dimension) {
  std::vector<std::string> parts;
  if (norm(body.darcy) > 0) parts.push_back("darcy " + text_along(body, body.darcy, "1/m^2", dimension));
  if (norm(body.forchheimer) > 0) {
    parts.push_back("forchheimer " + text_along(body, body.forchheimer, "1/m", dimension));
  }
  return parts.empty() ? "nothing" : "porous, " + joined(parts, "; ");
}

/// Where a curve ends; empty where it does not.
std::string text_of_ends(const Coefficient<real>& jump, const char* unit) {
  constexpr real far = 1e9;
  try {
    const real low = within_curve(jump, -far), high = within_curve(jump, far);
    if (low == -far && high == far) return "";
    return message(" (held beyond fluxes of {:.6g} and {:.6g} {}, where the curve ends)", low, high, unit);
  } catch (const Error&) {
    return " (without a value for a flux of 0, where a fluid at rest starts)";
  }
}

std::string contents_of(const FlowZone& zone, int dimension) {
  std::vector<std::string> parts;
  const auto along = [&](const Vec3& direction) { return "along " + text_of_place(direction, dimension); };
  if (zone.porous) parts.push_back(text_of_porous(*zone.porous, dimension));
  if (zone.acceleration) parts.push_back(message("acceleration {} m/s^2", zone.acceleration->text()));
  if (const auto& fan = zone.fan) {
    parts.push_back(message("fan, pressure jump {} m^2/s^2{} over {:.6g} m {}", fan->pressure_jump.text(),
                            text_of_ends(fan->pressure_jump, unit_of_flux(dimension)), fan->thickness,
                            along(fan->direction)));
  }
  if (const auto& disk = zone.disk) {
    parts.push_back(message("actuator disk, thrust coefficient {:.6g}, induction {:.4g}, diameter {:.6g} m {}",
                            disk->thrust_coefficient, disk->induction(), disk->diameter, along(disk->direction)));
  }
  if (const auto& frame = zone.rotating) {
    const real rate = norm(frame->rate);
    const Vec3 axis = rate > 0 ? frame->rate / rate : Vec3{0, 0, 1};
    parts.push_back(
        dimension == 2 ? message("turns at {:.6g} 1/s around {}", frame->rate.z, text_of_place(frame->point, dimension))
                       : message("turns at {:.6g} 1/s around {} through {} m", rate, text_of_place(axis, dimension),
                                 text_of_place(frame->point, dimension)));
  }
  if (const auto& heat = zone.heat) {
    const char* const flux = unit_of_flux(dimension);
    if (heat->porosity) parts.push_back(message("porosity {:.6g}", *heat->porosity));
    if (heat->conductivity) parts.push_back(message("conductivity {:.6g} m^2/s", *heat->conductivity));
    if (heat->heat.constant() != real{0}) parts.push_back(message("heat {} K {}", heat->heat.text(), flux));
    for (const auto& [scalar, source] : heat->sources) {
      if (source.constant() != real{0}) parts.push_back(message("{} {} {}", scalar, source.text(), flux));
    }
  }
  return joined(parts, "; ");
}

/// Empty if there is none.
std::string fault_of_place(const FlowZone& zone, const std::vector<std::string>& solids, const GlobalMesh& mesh) {
  if (const auto* const of_mesh = std::get_if<ZoneRegion>(&zone.place)) {
    const auto is_among = [&](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), of_mesh->group) != names.end();
    };
    if (is_among(solids)) return message("`region`: nothing flows in the solid `{}`", of_mesh->group);
    if (is_among(mesh.regions)) return "";
    const auto near = nearest_name(of_mesh->group, mesh.regions);
    return message("`region`: the mesh has no volume group `{}`{}; {}", of_mesh->group,
                   near ? " (did you mean `" + *near + "`?)" : "",
                   mesh.regions.empty() ? "it has none" : "its groups: " + name_list(mesh.regions));
  }
  if (mesh.dimension == 2 && std::holds_alternative<ZoneCylinder>(zone.place)) {
    return "`cylinder`: this is for space, and the mesh has triangles: take `ball`, a disk in the plane";
  }
  const bool is_turned = zone.porous && (zone.porous->axes[0].z != 0 || zone.porous->axes[1].z != 0);
  if (mesh.dimension == 2 && is_turned) return "`axes`: the mesh has triangles: take two directions in its plane";
  constexpr const char* in_plane = "`direction` of `{}`: the mesh has triangles: take one in its plane";
  if (mesh.dimension == 2 && zone.fan && zone.fan->direction.z != 0) return message(in_plane, "fan");
  if (mesh.dimension == 2 && zone.disk && zone.disk->direction.z != 0) return message(in_plane, "actuator_disk");
  return "";
}

/// How many cells of `inner` are in `outer`, too, and how many it has.
struct CellsInAnother {
  std::int64_t shared = 0, all = 0;
  CellsInAnother(const std::vector<char>& inner, const std::vector<char>& outer) {
    for (std::size_t c = 0; c < inner.size(); ++c) {
      all += inner[c];
      shared += inner[c] && outer[c];
    }
  }
};

/// Of what stands in `zone`, some of whose cells are in one that turns; empty if it may.
std::string fault_in_turning_zone(const FlowZone& zone, const FlowZone& turning, bool is_whole) {
  if (zone.porous && !is_whole) {
    return message(
        "`{}`: the body is in part in [zone.{}], with which it turns, and in part outside: make two zones of it, or "
        "let one of the two end before the other",
        norm(zone.porous->darcy) > 0 ? "darcy" : "forchheimer", turning.name);
  }
  constexpr real round_off = 1e-6;
  const auto is_across = [&](const Vec3& direction) {
    return norm(cross(turning.rotating->rate, direction)) > round_off * norm(turning.rotating->rate);
  };
  const char* const key = zone.fan && is_across(zone.fan->direction)     ? "fan"
                          : zone.disk && is_across(zone.disk->direction) ? "actuator_disk"
                                                                         : nullptr;
  if (!key) return "";
  return message(
      "`direction` of `{}`: it is in [zone.{}], which turns, and has to blow along that zone's axis: take that "
      "direction, or let the zone that turns end before it",
      key, turning.name);
}

/// Of what a zone and a later one both give their cells: what is the later one's where they overlap; empty for nothing.
std::string what_yields(const FlowZone& zone, const FlowZone& later) {
  if (!zone.heat || !later.heat) return "";
  const bool porosity = zone.heat->porosity && later.heat->porosity,
             conductivity = zone.heat->conductivity && later.heat->conductivity;
  if (porosity && conductivity) return "porosity and conductivity are those";
  return porosity ? "the porosity is that" : conductivity ? "the conductivity is that" : "";
}

}  // namespace

std::vector<ZoneReport> report_zones(const std::vector<FlowZone>& zones, const GlobalMesh& mesh) {
  std::vector<ZoneReport> reports;
  if (zones.empty()) return reports;
  const Geometry geometry(mesh);
  std::vector<std::vector<char>> all_marks;
  for (const FlowZone& zone : zones) all_marks.push_back(cells_of(zone, cells_of_mesh(mesh, geometry)));
  for (std::size_t k = 0; k < zones.size(); ++k) {
    const FlowZone& zone = zones[k];
    ZoneReport& report = reports.emplace_back();
    report.name = zone.name;
    report.place = zone.text_of_place(mesh.dimension);
    report.contents = contents_of(zone, mesh.dimension);
    report.volume_of_shape = zone.volume_of_shape(mesh.dimension);
    const std::vector<char>& marks = all_marks[k];
    for (std::size_t later = k + 1; later < zones.size(); ++later) {
      const std::string yields = what_yields(zone, zones[later]);
      const std::int64_t shared = yields.empty() ? 0 : CellsInAnother(marks, all_marks[later]).shared;
      if (shared > 0) report.contents += message("; in {} cells {} of [zone.{}]", shared, yields, zones[later].name);
    }
    for (std::size_t other = 0; zone.porous && other < zones.size(); ++other) {
      if (other == k || !zones[other].rotating || CellsInAnother(marks, all_marks[other]).shared == 0) continue;
      report.contents += message("; it turns with [zone.{}]", zones[other].name);
    }
    for (std::size_t c = 0; c < marks.size(); ++c) {
      if (!marks[c]) continue;
      ++report.cells;
      report.volume += geometry.cell_volume[c];
    }
  }
  return reports;
}

std::vector<std::string> zone_faults(const std::vector<FlowZone>& zones, const std::vector<std::string>& solids,
                                     const GlobalMesh& mesh, const std::string& file) {
  std::vector<std::string> faults;
  for (const FlowZone& zone : zones) {
    const std::string fault = fault_of_place(zone, solids, mesh);
    if (!fault.empty()) faults.push_back(message("{}: [zone.{}]: {}", file, zone.name, fault));
  }
  return faults;
}

std::vector<std::string> faults_of_overlaps(const std::vector<FlowZone>& zones, const GlobalMesh& mesh,
                                            const std::string& file) {
  const Geometry geometry(mesh);
  std::vector<std::vector<char>> marks;
  for (const FlowZone& zone : zones) marks.push_back(cells_of(zone, cells_of_mesh(mesh, geometry)));
  std::vector<std::string> faults;
  for (std::size_t k = 0; k < zones.size(); ++k) {
    for (std::size_t outer = 0; outer < zones.size(); ++outer) {
      if (!zones[outer].rotating) continue;
      const CellsInAnother cells(marks[k], marks[outer]);
      if (cells.shared == 0) continue;
      const std::string fault = fault_in_turning_zone(zones[k], zones[outer], cells.shared == cells.all);
      if (!fault.empty()) faults.push_back(message("{}: [zone.{}]: {}", file, zones[k].name, fault));
    }
  }
  return faults;
}

void require_whole_bodies(const std::vector<FlowZone>& zones, const LocalMesh& mesh) {
  const ZoneCells cells{mesh.dimension(), mesh.geometry().cell_centre, mesh.part().cell_region, mesh.part().regions};
  for (const FlowZone& turning : zones) {
    if (!turning.rotating) continue;
    const std::vector<char> outer = cells_of(turning, cells);
    for (const FlowZone& zone : zones) {
      if (!zone.porous) continue;
      const std::vector<char> inner = cells_of(zone, cells);
      const CellsInAnother own({inner.begin(), inner.begin() + mesh.owned<Cell>()}, outer);
      const std::int64_t shared = mesh.comm().sum(own.shared), all = mesh.comm().sum(own.all);
      require_on_all_ranks(
          shared == 0 || shared == all,
          [&] { return message("[zone.{}]: {}", zone.name, fault_in_turning_zone(zone, turning, false)); },
          ExitCode::bad_input);
    }
  }
}

std::vector<std::string> faults_of_uneven_zones(const std::vector<FlowZone>& zones, int dimension,
                                                const std::string& file) {
  constexpr real most = 10;  // steps in which the pressure along the strongest axis settles
  std::vector<std::string> faults;
  const auto add = [&](const FlowZone& zone, const char* key, const Vec3& values) {
    const real least = std::min({values.x, values.y, dimension == 3 ? values.z : values.x}),
               largest = std::max({values.x, values.y, dimension == 3 ? values.z : values.x});
    if (largest <= most * least) return;
    faults.push_back(message(
        "{}: [zone.{}]: `{}` is {:.6g} to {:.6g} along its axes: method = \"classical\" in [flow] takes numbers "
        "up to {:.6g} times apart, for its pressure lags behind by as many steps; take method = \"exact\"",
        file, zone.name, key, least, largest, most));
  };
  for (const FlowZone& zone : zones) {
    if (!zone.porous) continue;
    add(zone, "darcy", zone.porous->darcy);
    add(zone, "forchheimer", zone.porous->forchheimer);
  }
  return faults;
}

}  // namespace solenoid
