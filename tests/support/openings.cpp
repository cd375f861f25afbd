#include "support/openings.hpp"

#include <algorithm>
#include <cmath>

#include "support/flows.hpp"

namespace solenoid::test {

std::string side_of_square(const Vec3& x) {
  if (x.x < 1e-9) return "left";
  if (x.x > 1 - 1e-9) return "right";
  return x.y < 1e-9 ? "bottom" : x.y > 1 - 1e-9 ? "top" : "hole";
}

FlowBoundaries conditions(const LocalMesh& mesh, const std::map<std::string, FlowBoundary>& by_name,
                          std::vector<PairDrive> drives) {
  std::vector<FlowBoundary> of_patch;
  for (const std::string& patch : mesh.part().patches) {
    const auto found = by_name.find(patch);
    of_patch.push_back(found == by_name.end() ? FlowBoundary(Wall{}) : found->second);
  }
  return {std::move(of_patch), std::move(drives)};
}

FlowStepSettings open_settings(real viscosity, real tolerance, ConvectionForm convection) {
  FlowStepSettings settings = tight_settings(viscosity, tolerance);
  settings.convection = convection;
  return settings;
}

std::vector<int> places_of_patch(const LocalMesh& mesh, const std::string& name) {
  const std::vector<std::string>& patches = mesh.part().patches;
  return {static_cast<int>(std::find(patches.begin(), patches.end(), name) - patches.begin())};
}

real outflow(const LocalMesh& mesh, const Field<Face>& flux, const std::string& patch) {
  const std::vector<real> U = flux.to_host();
  real sum = 0;
  for (const BoundaryFace& b : mesh.boundary()) {
    if (b.is_owned && mesh.part().patches[b.patch] == patch) sum += real(b.orientation) * U[b.face];
  }
  return mesh.comm().sum(sum);
}

std::string side_of_branching(const Vec3& x) {
  const std::string side = side_of_square(x);
  if (side != "right") return side;
  return x.y < 0.3 ? "lower" : x.y > 0.6 ? "upper" : "between";
}

FlowBoundaries branching(const LocalMesh& mesh, real swelling) {
  const auto profile = [swelling](const Vec3& x, real t) {
    return Vec3{4 * x.y * (1 - x.y) * (1 + swelling * std::sin(3 * t)), 0, 0};
  };
  const Given<Vec3> entering = swelling == 0 ? Given<Vec3>::of_place([profile](const Vec3& x) { return profile(x, 0); })
                                             : Given<Vec3>::of_place_and_time(profile);
  return conditions(mesh, {{"left", Inlet{entering}}, {"lower", Outlet{}}, {"upper", Outlet{real{2}}}});
}

}  // namespace solenoid::test
