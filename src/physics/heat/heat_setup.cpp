#include "physics/heat/heat_setup.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "operators/p1.hpp"
#include "physics/heat/heat_model.hpp"

namespace solenoid {

namespace {

/// Whether this coefficient of a steady case is positive at a quadrature point of the face, as in the run.
bool acts_on(const GlobalMesh& mesh, int face, const Coefficient<real>& coefficient) {
  const int d = mesh.dimension;
  std::vector<Vec3> points;
  for (const QuadraturePoint& point : quadrature(d)) {
    points.push_back(point.in(mesh.points, std::span(&mesh.face_nodes[face * d], d)));
  }
  const std::vector<real> values = coefficient.at(points, 0);
  return std::any_of(values.begin(), values.end(), [](real value) { return value > 0; });
}

/// For each part of the mesh, whether its steady temperature is determined.
std::vector<char> held_parts(const HeatSetup& setup, const GlobalMesh& mesh, const Domain& domain) {
  std::vector<char> is_held(domain.parts.size(), 0);
  for (int f = 0; f < mesh.faces(); ++f) {
    if (mesh.face_patch[f] < 0) continue;
    char& held = is_held[domain.part_of_cell[mesh.face_cells[2 * f]]];
    const auto found = setup.boundary.find(mesh.patches[mesh.face_patch[f]]);
    if (held || found == setup.boundary.end()) continue;
    const NodalBoundary& condition = found->second;
    held = condition.kind == BoundaryKind::value ||
           (condition.kind == BoundaryKind::exchange && acts_on(mesh, f, condition.f()));
  }
  return is_held;
}

}  // namespace

std::string HeatSetup::condition_on(const std::string& patch) const { return boundary.at(patch).in_words(); }

std::vector<QuantityInfo> HeatSetup::quantities() const {
  return diffusion_quantities("temperature", "K", "heat_flux", "W/m^2");
}

std::vector<std::string> HeatSetup::faults(const GlobalMesh& mesh, const Domain& domain) const {
  std::vector<std::string> faults;
  const auto add = [&](const MaterialProperty& property) {
    const std::vector<std::string> found = region_faults(property, mesh, file);
    faults.insert(faults.end(), found.begin(), found.end());
  };
  add(conductivity);
  if (heat_capacity) add(*heat_capacity);
  add(source);
  if (time) return faults;
  const std::vector<char> is_held = held_parts(*this, mesh, domain);
  for (std::size_t k = 0; k < is_held.size(); ++k) {
    if (is_held[k]) continue;
    const DomainPart& part = domain.parts[k];
    const std::string where = is_held.size() == 1 ? "of the body"
                                                  : message("of the part of {} cells at ({:.6g}, {:.6g}, {:.6g})",
                                                            part.cells, part.place.x, part.place.y, part.place.z);
    faults.push_back(
        message("{}: the steady temperature {} is not determined: its boundary has neither type = \"temperature\" nor "
                "\"convection\", so that any constant may be added to it; give one, or add [time] for a transient run",
                file, where));
  }
  return faults;
}

HeatProblem HeatSetup::problem(const std::vector<std::string>& regions, const std::vector<std::string>& patches) const {
  HeatProblem problem;
  problem.conductivity = {conductivity, regions};
  if (time) problem.heat_capacity.emplace(*heat_capacity, regions);
  problem.source = {source, regions};
  for (const std::string& patch : patches) problem.boundary.push_back(boundary.at(patch));
  return problem;
}

HeatSolverSettings HeatSetup::solver_settings() const { return {time ? time->scheme : TimeScheme::second_order, heat}; }

std::unique_ptr<Model> HeatSetup::model(const LocalMesh& mesh, std::optional<MeshPart>) const {
  return std::make_unique<HeatModel>(*this, mesh);
}

std::unique_ptr<ModelSetup> HeatSetup::transformed(const Frame& frame, int) const {
  auto other = std::make_unique<HeatSetup>(*this);
  if (time) other->time = frame.seen(*time);
  other->conductivity = conductivity.transformed(frame, "W/(m K)");
  if (heat_capacity) other->heat_capacity = heat_capacity->transformed(frame, "J/(m^3 K)");
  other->source = source.transformed(frame, "W/m^3");
  for (auto& [patch, condition] : other->boundary) condition = condition.transformed(frame);
  other->initial_temperature = frame.seen(initial_temperature, "K");
  return other;
}

}  // namespace solenoid
