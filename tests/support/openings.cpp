#include "support/openings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "physics/flow/boundary/inlet_profile.hpp"
#include "physics/flow/boundary/inlet_turbulence.hpp"
#include "physics/flow/boundary/recycled_inflow.hpp"
#include "support/flows.hpp"
#include "support/values.hpp"

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
  const char* const file = "case.toml";
  of_patch = with_recycling(with_profiles(std::move(of_patch), mesh, file), mesh, file);
  return {with_turbulence(std::move(of_patch), mesh, file), std::move(drives)};
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
  const Coefficient<Vec3> entering =
      swelling == 0 ? Coefficient<Vec3>::of_place([profile](const Vec3& x) { return profile(x, 0); })
                    : Coefficient<Vec3>::of_place_and_time(profile);
  return conditions(mesh, {{"left", Inlet{entering}}, {"lower", Outlet{}}, {"upper", Outlet{real{2}}}});
}

std::string side_of_cube(const Vec3& x) {
  constexpr real near = 1e-6;
  if (x.x < near) return "left";
  if (x.x > 1 - near) return "right";
  const bool is_outside = x.y < near || x.y > 1 - near || x.z < near || x.z > 1 - near;
  return is_outside ? "side" : "body";
}

DuctErrors errors_in_duct(const MeshSource& source, FlowMethod method, DiffusionForm diffusion,
                          const std::optional<InletRate>& rate) {
  const auto speed = [](const Vec3& x) {  // White 2006, equation 3-48
    real sum = 0;
    for (int i = 1, sign = 1; i < 40; i += 2, sign = -sign) {
      const real k = pi * i;
      sum += sign * (1 - std::cosh(k * (x.z - 0.5)) / std::cosh(k / 2)) * std::cos(k * (x.y - 0.5)) / (i * i * i);
    }
    return 4 * real{28.4541} / (pi * pi * pi) * sum;
  };
  const auto profile = [&](const Vec3& x) { return Vec3{speed(x), 0, 0}; };
  const FlowProblem problem(Comm(), with_patches(source, side_of_cube));
  const auto* const mesh = problem.mesh.get();
  FlowStepSettings settings = open_settings(1, 1e-8);
  settings.method = method;
  settings.diffusion = diffusion;
  const Inlet entry = rate ? Inlet{{}, rate} : Inlet{Coefficient<Vec3>::of_place(profile)};
  const auto flow =
      make_flow_step(*mesh, settings, conditions(*mesh, {{"left", entry}, {"right", Outlet{}}}), 0, &problem.wide);
  flow->start_from_rest();
  for (int k = 0; k < 400 && (k < 3 || flow->rate_of_change() > 1e-5); ++k) flow->advance(0.001);
  EXPECT_LE(flow->rate_of_change(), 1e-5);

  const std::vector<real> found = flow->state().flux.to_host(), exact = flux_of_velocity(*mesh, profile).to_host();
  const std::vector<real>& area = mesh->geometry().face_area;
  const auto squared = [&](int f) {
    const real off = (found[f] - exact[f]) / area[f];
    return off * off;
  };
  std::array<real, 4> sums{0, 0, 0,
                           static_cast<real>(mesh->owned<Face>())};  // at both ends; of all faces; their number
  for (const BoundaryFace& b : mesh->boundary()) {
    const std::string& patch = mesh->part().patches[b.patch];
    if (b.is_owned && patch == "left") sums[0] += area[b.face] * squared(b.face);
    if (b.is_owned && patch == "right") sums[1] += area[b.face] * squared(b.face);
  }
  for (int f = 0; f < mesh->owned<Face>(); ++f) sums[2] += squared(f);
  mesh->comm().sum(std::span<real>(sums));
  return {std::sqrt(sums[0]), std::sqrt(sums[1]), std::sqrt(sums[2] / sums[3])};
}

}  // namespace solenoid::test
