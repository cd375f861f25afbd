/// Forces in the volume of a flow, of zones and of drops over pairs: the steps that they allow, fans and disks in
/// reports.
#include <algorithm>

#include "base/error.hpp"
#include "model/frame.hpp"
#include "physics/flow/flow_model.hpp"
#include "physics/flow/zones/fan_curve.hpp"

namespace solenoid {

namespace {

/// A force plus a uniform one in the cells with a mark, at the centres of this rank's cells.
Coefficient<Vec3> with_zone(const Coefficient<Vec3>& force, std::vector<char> marks, const Coefficient<Vec3>& more) {
  return {[before = force, marks = std::move(marks), more](std::span<const Vec3> centres, real time,
                                                           std::span<Vec3> values) {
            before.evaluate(centres, time, values);
            std::vector<Vec3> inside;  // the only places where the other need have a value
            for (std::size_t c = 0; c < values.size(); ++c) {
              if (marks[c]) inside.push_back(centres[c]);
            }
            const std::vector<Vec3> of_zone = more.at(inside, time);
            auto next = of_zone.begin();
            for (std::size_t c = 0; c < values.size(); ++c) {
              if (marks[c]) values[c] += *next++;
            }
          },
          force.depends() | more.depends()};
}

const char* unit_of_thrust(int dimension) { return dimension == 2 ? "m^3/s^2" : "m^4/s^2"; }

}  // namespace

bool FlowModel::depends_on_time() const {
  const auto changes = [](const FlowZone& zone) { return zone.acceleration && zone.acceleration->depends_on_time(); };
  const std::vector<FlowZone>& zones = setup_.settings.zones;
  return flow_->boundaries().depends_on_time() || setup_.body_force.depends_on_time() ||
         std::any_of(zones.begin(), zones.end(), changes);
}

/// The body force, plus pressure drops over periodic pairs by distance between their patches, plus the accelerations of
/// zones and those of fans in the flow as it is, at the centres of this rank's cells [m/s^2]. Collective.
Coefficient<Vec3> FlowModel::driving_force() const {
  Coefficient<Vec3> force = setup_.body_force;
  for (std::size_t k = 0; k < setup_.periodic.size(); ++k) {
    const auto& drop = setup_.periodic[k].drive.drop;
    if (!drop) continue;
    const Vec3 way = mesh_.part().pairs[k].translation;
    const Dependence depends = force.depends() | drop->depends();
    force = {[before = force, drop, way](std::span<const Vec3> points, real time, std::span<Vec3> values) {
               before.evaluate(points, time, values);
               const Vec3 more = (drop->at(Vec3{}, time) / dot(way, way)) * way;
               for (Vec3& value : values) value += more;
             },
             depends};
  }
  const ZoneForces* const zones = flow_->forces().zones();
  if (!zones) return force;
  const MeshPart& part = mesh_.part();
  const ZoneCells cells{mesh_.dimension(), mesh_.geometry().cell_centre, part.cell_region, part.regions};
  const std::vector<ZoneDrive> drives = zones->drives(flow_->state().velocity);
  for (const FlowZone& zone : setup_.settings.zones) {
    if (zone.acceleration) force = with_zone(force, cells_of(zone, cells), *zone.acceleration);
    if (!zone.fan) continue;
    const auto drive = std::find_if(drives.begin(), drives.end(),
                                    [&](const ZoneDrive& one) { return one.is_fan && one.name == zone.name; });
    force = with_zone(force, cells_of(zone, cells), (drive->force / zone.fan->thickness) * zone.fan->direction);
  }
  return force;
}

/// After a step, which is taken back if a curve has no value. Collective.
void FlowModel::note_zones() {
  const ZoneForces* const zones = flow_->forces().zones();
  if (!zones) return;
  try {
    drives_ = zones->drives(flow_->state().velocity);
  } catch (const Error&) {
    revert_step();
    throw;
  }
}

void FlowModel::add_zone_columns(std::vector<HistoryColumn>& columns) const {
  const int d = mesh_.dimension();
  std::vector<std::string> names_of[2];   // of the zones with a disk, and with a fan
  std::vector<std::size_t> places_of[2];  // in drives_
  std::size_t place = 0;
  for (const FlowZone& zone : setup_.settings.zones) {
    for (const bool is_fan : {true, false}) {
      if (is_fan ? !zone.fan.has_value() : !zone.disk.has_value()) continue;
      names_of[is_fan].push_back(zone.name);
      places_of[is_fan].push_back(place++);
    }
  }
  const auto add = [&](bool is_fan, const char* flow, const char* unit, const char* force, const char* unit_of_force) {
    const std::vector<std::string> flows = names_of_patch_columns(flow, names_of[is_fan]),
                                   forces = names_of_patch_columns(force, names_of[is_fan]);
    for (std::size_t n = 0; n < flows.size(); ++n) {
      const std::size_t k = places_of[is_fan][n];
      columns.push_back({flows[n], unit, [this, k] { return drives_[k].flow; }});
      columns.push_back({forces[n], unit_of_force, [this, k] { return drives_[k].force; }});
    }
  };
  add(true, "fan_flow_rate", unit_of_flux(d), "fan_pressure_jump", "m^2/s^2");
  add(false, "disk_speed", "m/s", "disk_thrust", unit_of_thrust(d));
}

void FlowModel::tell_zones(ModelOutcome& outcome) const {
  const int d = mesh_.dimension();
  std::vector<std::string> texts;
  for (const ZoneDrive& drive : drives_) {
    const std::vector<std::pair<std::string, double>> figures{{drive.is_fan ? "flow_rate" : "speed", drive.flow},
                                                              {drive.is_fan ? "pressure_jump" : "thrust", drive.force},
                                                              {"power", drive.power}};
    outcome.figures.push_back({drive.is_fan ? "fans" : "disks", drive.name, figures});
    texts.push_back(drive.is_fan
                        ? message("fan {}: {:.6g} {}, pressure jump {:.6g} m^2/s^2, power {:.4g} {}", drive.name,
                                  drive.flow, unit_of_flux(d), drive.force, drive.power, unit_of_power(d))
                        : message("disk {}: {:.6g} m/s upstream, thrust {:.6g} {}, it takes {:.4g} {}", drive.name,
                                  drive.flow, drive.force, unit_of_thrust(d), -drive.power, unit_of_power(d)));
  }
  for (const ZoneDrive& drive : drives_) {
    const auto zone = std::find_if(setup_.settings.zones.begin(), setup_.settings.zones.end(),
                                   [&](const FlowZone& one) { return one.name == drive.name; });
    if (!drive.is_fan) continue;
    const real end = within_curve(zone->fan->pressure_jump, drive.flow);
    if (end == drive.flow) continue;
    outcome.warnings.push_back(message("fan {}: its curve has no value for {:.6g} {}, and is held from {:.6g} {} on",
                                       drive.name, drive.flow, unit_of_flux(d), end, unit_of_flux(d)));
  }
  for (std::size_t k = 0; k < texts.size(); ++k) {
    outcome.lines.push_back((k == 0 ? "  zones    " : "           ") + texts[k]);
  }
}

}  // namespace solenoid
