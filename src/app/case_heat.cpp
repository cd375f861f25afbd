#include "app/case_heat.hpp"

#include <algorithm>

#include "app/case_solver.hpp"
#include "base/error.hpp"
#include "base/nearest_name.hpp"
#include "operators/quadrature.hpp"

namespace solenoid {

namespace {

/// The value of a formula of the case that has to be in a range.
real checked(const Case& wanted, const std::string& key, const Formula& formula, const Vec3& x, real t, bool zero_too) {
  const auto value = static_cast<real>(formula(x, t));
  require_input(value > 0 || (zero_too && value == 0), [&] {
    return message("{}: {}: \"{}\" is {:.6g} at ({:.6g}, {:.6g}, {:.6g}) m, t = {:.6g} s; expected a value {} 0",
                   wanted.file.string(), key, formula.text(), value, x.x, x.y, x.z, t,
                   zero_too ? "of at least" : "greater than");
  });
  return value;
}

/// `regions`: the volume groups of the mesh, all of which a table of the case names.
MaterialProperty property_of(const Case& wanted, const MaterialSettings& material,
                             const std::vector<std::string>& regions, bool is_positive) {
  std::vector<Formula> formulas;
  for (const std::string& region : regions) {
    formulas.push_back(material.of_region.empty() ? material.everywhere : material.of_region.at(region));
  }
  formulas.push_back(material.everywhere);  // of cells in no group
  MaterialProperty property;
  for (const Formula& formula : formulas) {
    property.depends_on_place = property.depends_on_place || formula.depends_on_place();
    property.depends_on_time = property.depends_on_time || formula.depends_on_time();
  }
  property.value = [&wanted, formulas, is_positive, key = material.key](int region, const Vec3& x, real t) {
    const Formula& formula = region < 0 ? formulas.back() : formulas[region];
    return is_positive ? checked(wanted, key, formula, x, t, false) : static_cast<real>(formula(x, t));
  };
  return property;
}

PatchQuantity quantity_of(const Formula& formula) {
  return {[formula](const Vec3& x, real t) { return static_cast<real>(formula(x, t)); }, formula.depends_on_time()};
}

ThermalBoundary boundary_of(const Case& wanted, const std::string& patch) {
  const BoundarySettings& settings = wanted.boundary.at(patch);
  ThermalBoundary boundary;
  boundary.value = quantity_of(settings.value);
  if (settings.type == BoundaryType::temperature) boundary.condition = ThermalCondition::temperature;
  if (settings.type == BoundaryType::convection) {
    boundary.condition = ThermalCondition::convection;
    boundary.coefficient = quantity_of(settings.coefficient);
    boundary.coefficient.value = [&wanted, formula = settings.coefficient,
                                  key = "`coefficient` in [boundary." + patch + "]"](const Vec3& x, real t) {
      return checked(wanted, key, formula, x, t, true);
    };
  }
  return boundary;
}

void add_region_faults(const Case& wanted, const GlobalMesh& mesh, const MaterialSettings& material,
                       std::vector<std::string>& faults) {
  if (material.of_region.empty()) return;
  const auto add = [&](const std::string& text) {
    faults.push_back(message("{}: {}: {}", wanted.file.string(), material.key, text));
  };
  const std::string groups = mesh.regions.empty() ? "the mesh has none" : "its groups: " + name_list(mesh.regions);
  for (const auto& [name, formula] : material.of_region) {
    if (std::find(mesh.regions.begin(), mesh.regions.end(), name) != mesh.regions.end()) continue;
    const auto near = nearest_name(name, mesh.regions);
    add(message("the mesh has no volume group `{}`{}; {}", name, near ? " (did you mean `" + *near + "`?)" : "",
                groups));
  }
  for (const std::string& name : mesh.regions) {
    if (material.of_region.count(name) == 0) add(message("no value for the mesh's volume group `{}`", name));
  }
  const auto in_none = std::count(mesh.cell_region.begin(), mesh.cell_region.end(), -1);
  if (in_none > 0) add(message("{} cells of the mesh are in no volume group; {}", in_none, groups));
}

/// True where this coefficient of a steady case is positive on the face, at the points where the run evaluates it.
bool acts_on(const GlobalMesh& mesh, int face, const Formula& coefficient) {
  const int d = mesh.dimension;
  const std::span corners(&mesh.face_nodes[face * d], d);
  const auto points = quadrature(d);
  return std::any_of(points.begin(), points.end(),
                     [&](const QuadraturePoint& point) { return coefficient(point.in(mesh.points, corners), 0) > 0; });
}

/// True for each part of the mesh whose steady temperature is determined.
std::vector<char> held_parts(const Case& wanted, const GlobalMesh& mesh, const Domain& domain) {
  std::vector<char> is_held(domain.parts.size(), 0);
  for (int f = 0; f < mesh.faces(); ++f) {
    if (mesh.face_patch[f] < 0) continue;
    char& held = is_held[domain.part_of_cell[mesh.face_cells[2 * f]]];
    const auto found = wanted.boundary.find(mesh.patches[mesh.face_patch[f]]);
    if (held || found == wanted.boundary.end()) continue;
    const BoundarySettings& settings = found->second;
    held = settings.type == BoundaryType::temperature ||
           (settings.type == BoundaryType::convection && acts_on(mesh, f, settings.coefficient));
  }
  return is_held;
}

}  // namespace

HeatSolverSettings heat_settings(const Case& wanted) {
  return {wanted.time ? wanted.time->scheme : TimeScheme::second_order, solve_control(wanted, "heat", heat_advice())};
}

HeatProblem heat_problem(const Case& wanted, const std::vector<std::string>& regions,
                         const std::vector<std::string>& patches) {
  HeatProblem problem;
  problem.conductivity = property_of(wanted, wanted.heat->conductivity, regions, true);
  if (wanted.time) problem.heat_capacity = property_of(wanted, *wanted.heat->heat_capacity, regions, true);
  problem.source = property_of(wanted, wanted.heat->source, regions, false);
  for (const std::string& patch : patches) problem.boundary.push_back(boundary_of(wanted, patch));
  return problem;
}

std::function<real(const Vec3&)> initial_temperature(const Case& wanted) {
  return [&formula = wanted.initial_temperature](const Vec3& x) { return static_cast<real>(formula(x, 0)); };
}

std::vector<std::string> heat_faults(const Case& wanted, const GlobalMesh& mesh, const Domain& domain) {
  std::vector<std::string> faults;
  add_region_faults(wanted, mesh, wanted.heat->conductivity, faults);
  if (wanted.heat->heat_capacity) add_region_faults(wanted, mesh, *wanted.heat->heat_capacity, faults);
  add_region_faults(wanted, mesh, wanted.heat->source, faults);
  if (wanted.time) return faults;
  const std::vector<char> is_held = held_parts(wanted, mesh, domain);
  for (std::size_t k = 0; k < is_held.size(); ++k) {
    if (is_held[k]) continue;
    const DomainPart& part = domain.parts[k];
    const std::string where = is_held.size() == 1 ? "of the body"
                                                  : message("of the part of {} cells at ({:.6g}, {:.6g}, {:.6g})",
                                                            part.cells, part.place.x, part.place.y, part.place.z);
    faults.push_back(
        message("{}: the steady temperature {} is not determined: its boundary has neither type = \"temperature\" nor "
                "\"convection\", so that any constant may be added to it; give one, or add [time] for a transient run",
                wanted.file.string(), where));
  }
  return faults;
}

}  // namespace solenoid
