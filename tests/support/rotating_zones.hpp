/// Zones that turn in boxes, for tests by both methods in the plane and in space.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "physics/flow/boundary/turning_walls.hpp"
#include "support/flows.hpp"

namespace solenoid::test {

inline const RotatingFrame plane_of_zone{{0, 0, 1.5}, {0.3, -0.2, 0}};
inline const RotatingFrame space_of_zone{{0.5, -1, 1.2}, {0.3, -0.2, 0.6}};
inline const RotatingFrame& frame_of_zone(int dimension) { return dimension == 2 ? plane_of_zone : space_of_zone; }

inline FlowStepSettings settings_of_zones(FlowMethod method, real viscosity = 0.1) {
  FlowStepSettings settings = tight_settings(viscosity, 1e-12);
  settings.method = method;
  settings.convection = ConvectionForm::divergence;
  settings.diffusion = DiffusionForm::automatic;
  return settings;
}

inline FlowZone zone_of_all(const RotatingFrame& frame) {
  return {.name = "all", .place = ZoneBall{{}, 10}, .rotating = frame};
}

/// A block in the middle of the box.
inline FlowZone porous_zone(real darcy, real forchheimer) {
  return {"block", ZoneBox{{0.2, 0.3, 0.25}, {0.7, 0.75, 0.8}},
          PorousBody{.darcy = darcy * Vec3{1, 1, 1}, .forchheimer = forchheimer * Vec3{1, 1, 1}}};
}

inline MeshSource box_of_zone(int dimension, int n, real wiggle) {
  return dimension == 2 ? unit_square(n, wiggle) : unit_cube(n, wiggle);
}

inline std::vector<FlowBoundary> cavity_of(const LocalMesh& mesh, const Coefficient<Vec3>& lid) {
  std::vector<FlowBoundary> of_patch;
  for (const std::string& patch : mesh.part().patches) of_patch.push_back(Wall{patch == "lid" ? lid : Vec3{}});
  return of_patch;
}

inline std::vector<real> pressure_shown(FlowStep& flow, const FlowProblem& problem) {
  VelocityReconstruction fit(*problem.mesh, problem.wide, flow.boundaries());
  Field<Node, NodeVelocity> nodes(*problem.mesh);
  return flow.balance().pressure(fit.fit(flow.state().flux, flow.time(), nodes)).to_host();
}

inline real largest_apart(const std::vector<real>& a, const std::vector<real>& b) {
  real largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

template <class Visit>
void in_methods_and_dimensions(const Visit& visit) {
  for (const int dimension : {2, 3}) {
    for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
      SCOPED_TRACE(std::to_string(dimension) + "D, method " + std::to_string(static_cast<int>(method)));
      visit(dimension, method);
    }
  }
}

}  // namespace solenoid::test
