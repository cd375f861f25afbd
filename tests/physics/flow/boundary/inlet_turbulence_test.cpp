/// Turbulence that enters a duct: its fluxes in bits, its strength, and its step.
#include "physics/flow/boundary/inlet_turbulence.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "support/flows.hpp"
#include "support/openings.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

Inlet turbulent(const Coefficient<real>& intensity, real length, const std::optional<InletRate>& rate = {}) {
  return {Vec3{1, 0, 0}, rate, TurbulentInflow{intensity, length, {}, 4}};
}

/// After a few steps through the cube from the left to the right; `conditions_there`: of the patches.
std::vector<real> fluxes_after(const FlowProblem& problem, FlowMethod method,
                               const std::map<std::string, FlowBoundary>& conditions_there, real step, int steps) {
  FlowStepSettings settings = open_settings(1e-3, 1e-9);
  settings.method = method;
  const LocalMesh& mesh = *problem.mesh;
  const FlowBoundaries boundaries = conditions(mesh, conditions_there);
  const auto flow = make_flow_step(mesh, settings, boundaries, 0, &problem.wide);
  flow->start_from_rest();
  for (int k = 0; k < steps; ++k) flow->advance(step);
  Field<Cell> divergence(mesh);
  divergence = mesh.D * halo(flow->state().flux);
  if (method == FlowMethod::exact) {
    for (const real d : divergence.to_host()) EXPECT_EQ(d, 0);
  }
  return flow->state().flux.to_host();
}

TEST(InletTurbulence, ItsNetFluxIsZeroInBits_Steps) {
  const FlowProblem problem(Comm(), with_patches(unit_cube(6, 0.15), side_of_cube));
  const LocalMesh& mesh = *problem.mesh;
  for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
    for (const bool has_rate : {false, true}) {
      std::optional<InletRate> rate;
      if (has_rate) rate = InletRate{Coefficient<real>(real{0.7}), ProfileShape::developed};
      const Inlet calm{Vec3{1, 0, 0}, rate}, stirred = turbulent(real{0.2}, 0.4, rate);
      const auto without = fluxes_after(problem, method, {{"left", calm}, {"right", Outlet{}}}, 0.01, 2),
                 with = fluxes_after(problem, method, {{"left", stirred}, {"right", Outlet{}}}, 0.01, 2);
      real net = 0, all = 0;
      for (const BoundaryFace& b : mesh.boundary()) {
        if (!b.is_owned || mesh.part().patches[b.patch] != "left") continue;
        const real besides = with[b.face] - without[b.face];
        net += static_cast<real>(b.orientation) * besides;
        all += std::abs(besides);
      }
      EXPECT_EQ(mesh.comm().sum(net), 0);
      EXPECT_GT(mesh.comm().sum(all), 0.01);
    }
  }
}

/// A closed cube with an inlet on both sides: no outlet takes up a net flux.
TEST(InletTurbulence, APartWithoutOutletsStaysBalanced) {
  const FlowProblem problem(Comm(), with_patches(unit_cube(5, 0.15), side_of_cube));
  fluxes_after(problem, FlowMethod::exact,
               {{"left", turbulent(real{0.3}, 0.5)}, {"right", Inlet{Vec3{1, 0, 0}}}, {"side", Symmetry{}}}, 0.01, 2);
}

/// Of the plane x = 0 of the unit cube as a patch of triangles.
std::vector<PatchFace> plane_patch(int n) {
  std::vector<PatchFace> patch;
  const auto node = [n](int i, int j) { return std::int64_t{i} * (n + 1) + j; };
  const auto point = [n](int i, int j) { return Vec3{0, real(i) / n, real(j) / n}; };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (const bool upper : {false, true}) {
        PatchFace face{std::int64_t(patch.size()), {}, {}, {}, Vec3{1, 0, 0}, real{0.5} / (n * n)};
        face.node = {node(i, j), upper ? node(i + 1, j + 1) : node(i + 1, j),
                     upper ? node(i, j + 1) : node(i + 1, j + 1)};
        face.corner = {point(i, j), upper ? point(i + 1, j + 1) : point(i + 1, j),
                       upper ? point(i, j + 1) : point(i + 1, j + 1)};
        patch.push_back(face);
      }
    }
  }
  return patch;
}

/// By the distance from the rim: largest sizes fade over .33. What faces of a sixth of the length leave out of their
/// fluxes is a tenth.
TEST(InletTurbulence, ItHasTheIntensityAndFadesTowardTheRim_Steps) {
  constexpr real length = 0.1, intensity = 0.15, speed = 2;
  constexpr int rings = 10;
  const std::vector<PatchFace> patch = plane_patch(60);
  const InletTurbulence turbulence(patch, {}, {real{intensity}, length, {}, 9}, speed, "case.toml");
  std::array<real, rings> normal{}, along{};
  std::array<int, rings> count{};
  for (int moment = 0; moment < 150; ++moment) {
    for (const PatchFace& face : patch) {
      if (face.id % 11 != 0) continue;
      const Vec3 centre = (face.corner[0] + face.corner[1] + face.corner[2]) / 3;
      const real from_rim = std::min({centre.y, centre.z, 1 - centre.y, 1 - centre.z});
      const int ring = std::min(static_cast<int>(from_rim * 2 * rings), rings - 1);
      const Vec3 u = turbulence.mean_on(face.id, 0.31 * moment) / (intensity * speed);
      normal[ring] += u.x * u.x, along[ring] += (u.y * u.y + u.z * u.z) / 2;
      ++count[ring];
    }
  }
  for (int ring = 0; ring < rings; ++ring) {
    const real of_normal = std::sqrt(normal[ring] / count[ring]), of_along = std::sqrt(along[ring] / count[ring]);
    EXPECT_LT(of_normal, 1.15) << ring;
    EXPECT_LT(of_along, 1.15) << ring;
    if (ring < 7) continue;
    EXPECT_NEAR(of_normal, 0.95, 0.1) << ring;
    EXPECT_NEAR(of_along, 1, 0.1) << ring;
  }
}

TEST(InletTurbulence, CornersOnTheRimAreAtRest) {
  const std::vector<PatchFace> patch = plane_patch(8);
  const InletTurbulence turbulence(patch, {}, {real{0.2}, 0.5, {}, 1}, 1, "case.toml");
  for (const PatchFace& face : patch) {
    for (const Vec3& corner : face.corner) {
      const bool on_rim = corner.y == 0 || corner.y == 1 || corner.z == 0 || corner.z == 1;
      const Vec3 u = turbulence.at(std::array{BoundaryPlace{0, corner, face.id}}, 0.3)[0];
      EXPECT_EQ(norm(u) < 1e-14, on_rim) << text_of_place(corner);
    }
  }
}

}  // namespace
}  // namespace solenoid::test
