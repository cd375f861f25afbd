/// The part of a rebuilt velocity's friction that is implicit: its operators, how much of it there has to be, and flows
/// in layers of flat cells, which came late or grew where it was another.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "operators/finite_volumes.hpp"
#include "operators/interpolation.hpp"
#include "physics/flow/boundary/boundary_faces.hpp"
#include "physics/flow/momentum/diagnostics.hpp"
#include "physics/flow/momentum/divergence_friction.hpp"
#include "physics/flow/momentum/flux_friction.hpp"
#include "physics/flow/momentum/flux_momentum_system.hpp"
#include "physics/flow/momentum/friction_ratio.hpp"
#include "physics/flow/step/flow_method.hpp"
#include "support/flows.hpp"
#include "support/mesh_kinds.hpp"
#include "support/openings.hpp"

namespace solenoid::test {
namespace {

using std::numbers::pi;

/// Rows of the unit cube thinner towards y = 0 and 1, where they are `thin` times as thin as in the middle.
MeshSource layered_cube(int n, real thin) {
  const real growth = std::pow(thin, real{2} / static_cast<real>(n - 2));
  std::vector<real> height{0};
  for (int row = 0; row < n; ++row) {
    height.push_back(height.back() + std::pow(growth, static_cast<real>(std::min(row, n - 1 - row))));
  }
  return moved(unit_cube(n), [&](const Vec3& x) {
    return Vec3{x.x, height[static_cast<std::size_t>(std::lround(x.y * n))] / height.back(), x.z};
  });
}

Field<Face> in_single_precision(FluxFrictionInSingle friction, const Field<Face>& flux) {
  Field<Face, float> rounded(flux.mesh()), sums(flux.mesh());
  rounded = operand(flux);
  friction.compute(halo(rounded));
  const FluxFrictionInSingle::AtFace at_face = friction.times(1);
  const auto result = sums.view();
  forall(
      sums.owned(), SOLENOID_KERNEL(int i) { result[Index<Face>{i}] = at_face(Index<Face>{i}); });
  Field<Face> found(flux.mesh());
  found = operand(sums);
  found = friction.unit() * found;
  return found;
}

TEST(ImplicitFriction, IsOneOfPotentialsAndOfFluxes) {
  std::vector<NamedMesh> meshes = kinds_of_meshes(3, 3);
  meshes.push_back({"layers", layered_cube(6, 50), 1});
  for (const auto& [name, source, depth] : meshes) {
    const FlowProblem problem(Comm(), source);
    const LocalMesh& mesh = *problem.mesh;
    FaceAverageFriction friction(mesh, cavity_walls(mesh));
    RebuiltMomentum whole(mesh, problem.wide, cavity_walls(mesh));
    ImplicitFriction implicit{friction, 1.5};
    PotentialMomentumSystem momentum(mesh, implicit);
    Field<Edge> s = scattered_field<Edge>(mesh), product(mesh), difference(mesh);
    Field<Face> flux(mesh), along(mesh), of_mass(mesh), of_whole(mesh);
    Field<Cell, Vec3> velocity(mesh);
    flux = mesh.C * halo(s);
    friction.apply(halo(flux), along);
    for (const real alpha : {0.0, 10.0}) {
      momentum.apply(alpha, 0.1, s, product);
      apply_face_mass(halo(flux), velocity, of_mass);
      of_mass = alpha * of_mass + 0.15 * along;
      difference = product - mesh.R * halo(of_mass);
      EXPECT_LE(max_magnitude(difference), 1e-12 * max_magnitude(product)) << name;

      implicit.whole = &whole;
      momentum.apply(alpha, 0.1, s, product);
      whole.compute(halo(flux), {.viscosity = 0.1, .at_rest = true}, of_whole);
      apply_face_mass(halo(flux), velocity, of_mass);
      of_mass = alpha * of_mass + of_whole;
      difference = product - mesh.R * halo(of_mass);
      EXPECT_LE(max_magnitude(difference), 1e-12 * max_magnitude(product)) << name;
      implicit.whole = nullptr;
    }

    Field<Face> found = in_single_precision(FluxFrictionInSingle(mesh, friction), flux);
    found = found - along;
    EXPECT_LE(max_magnitude(found), 1e-5 * max_magnitude(along)) << name;
  }
}

/// The extrapolated limit is near the limit where cells differ by orders of magnitude, too: a step is stable with 1.2
/// of it.
TEST(ImplicitFriction, IsEnoughOfWhatThereIs_Slow) {
  std::vector<NamedMesh> meshes = kinds_of_meshes(3, 3);
  meshes.push_back({"layers", layered_cube(6, 20), 1});
  meshes.push_back({"thin layers", layered_cube(6, 200), 1});
  for (const auto& [name, source, depth] : meshes) {
    const FlowProblem problem(Comm(), source);
    const LocalMesh& mesh = *problem.mesh;
    const FlowBoundaries walls(Wall{Vec3{}});
    RebuiltMomentum friction(mesh, problem.wide, walls);
    FaceAverageFriction simple(mesh, walls);
    const ImplicitFriction bare{simple};
    PotentialMomentumSystem implicit(mesh, bare);
    const real found = largest_friction_ratio(mesh, walls, friction, implicit),
               after_all = largest_friction_ratio(mesh, walls, friction, implicit, 4000, 1e-5);
    EXPECT_GE(found, 0.93 * after_all) << name;
    EXPECT_LE(found, 1.05 * after_all) << name;
    EXPECT_LE(after_all, 4.5) << name;
    EXPECT_GE(after_all, 0.9) << name;
  }
}

/// Between any fluxes, as the classical step has them on the way, with the friction of divergences: conjugate gradients
/// would tell.
TEST(ImplicitFriction, AllOfItIsPositive_Slow) {
  std::vector<NamedMesh> meshes = kinds_of_meshes(3, 3);
  meshes.push_back({"layers", layered_cube(6, 20), 1});
  const auto side = [](const Vec3& x) { return x.x < 1e-9 ? "left" : x.x > 1 - 1e-9 ? "right" : "others"; };
  for (const auto& [name, source, depth] : meshes) {
    const FlowProblem problem(Comm(), with_patches(source, side));
    const LocalMesh& mesh = *problem.mesh;
    for (const FlowBoundary& end : {FlowBoundary(Wall{Vec3{}}), FlowBoundary(Outlet{}), FlowBoundary(Symmetry{})}) {
      const FlowBoundaries ends = conditions(mesh, {{"left", end}, {"right", end}, {"others", Wall{Vec3{}}}});
      std::vector<int> roles(mesh.total<Face>(), Space<Face>::free);
      for (const BoundaryFace& b : mesh.boundary()) {
        if (!ends.outlet(b.patch)) roles[b.face] = Space<Face>::prescribed;
      }
      const Space<Face> unknowns(mesh, roles);
      RebuiltMomentum whole(mesh, problem.wide, ends);
      FaceAverageFriction differences(mesh, ends);
      const ImplicitFriction implicit{differences, 1, &whole};
      const PressureSystem pressure(mesh, BoundaryFaces(mesh, ends).is_open(), PreconditionerKind::jacobi);
      Field<Cell> of_divergence = divergence_friction(mesh, pressure.conductance());
      FluxMomentumSystem momentum(unknowns, rt0_mass(mesh), implicit, &of_divergence);
      Field<Face> b = scattered_field<Face>(mesh), flux(mesh);
      unknowns.restrict_to_unknowns(b);
      const SolveReport report =
          momentum.solve_without_history(1e-6, 1, b, flux, {.name = "momentum", .tolerance = 1e-6});
      EXPECT_TRUE(report.converged) << name;
    }
  }
}

class LayersOfFlatCells : public testing::TestWithParam<FlowMethod> {};

/// A plate starts with a jerk and drags the fluid along: u = y + sum_k 2 (-1)^k / (k pi) e^(-nu k^2 pi^2 t) sin(k pi
/// y).
TEST_P(LayersOfFlatCells, FollowAPlateThatStarts_Long) {
  constexpr real viscosity = 0.1;
  for (const auto& [thin, dt] :
       std::array<std::pair<real, real>, 4>{{{20, 0.02}, {20, 0.0625}, {200, 0.02}, {200, 0.0625}}}) {
    MeshSource source = with_patches(layered_cube(6, thin), [](const Vec3& x) {
      constexpr real near = 1e-9;
      if (x.x < near) return "left";
      if (x.x > 1 - near) return "right";
      if (x.z < near) return "back";
      if (x.z > 1 - near) return "front";
      return x.y < 0.5 ? "bottom" : "top";
    });
    source.pairs = {{"left", "right"}, {"back", "front"}};
    const FlowProblem problem(Comm(), source);
    const LocalMesh& mesh = *problem.mesh;
    std::vector<FlowBoundary> walls;
    for (const std::string& patch : mesh.part().patches) {
      walls.push_back(Wall{Vec3{patch == "top" ? real{1} : real{0}, 0, 0}});
    }
    FlowStepSettings settings = tight_settings(viscosity, 1e-6);
    settings.method = GetParam();
    settings.diffusion = DiffusionForm::stress;
    settings.convection = ConvectionForm::skew;
    const auto flow = make_flow_step(mesh, settings, FlowBoundaries(walls), 0, &problem.wide);
    for (const real time : {0.5, 1.0}) {
      while (flow->time() < time - dt / 2) flow->advance(dt);
      real energy = real{1} / 6, dissipation = viscosity, through = 0.5;
      for (int k = 1; k < 60; ++k) {
        const real decay = std::exp(-viscosity * k * k * pi * pi * flow->time());
        energy += (-2 * decay + decay * decay) / (k * k * pi * pi);
        dissipation += 2 * viscosity * decay * decay;
        if (k % 2 == 1) through -= 4 * decay / (k * k * pi * pi);
      }
      const real near = thin > 100 ? 0.12 : 0.04;          // six rows resolve no more
      const real of_cells = time < 0.9 ? 3 * near : near;  // the profile is steep at first
      EXPECT_NEAR(kinetic_energy(flow->state().velocity), energy, of_cells * energy) << thin << ", " << dt;
      EXPECT_NEAR(flow->dissipation(), dissipation, near * dissipation) << thin << ", " << dt;
      EXPECT_NEAR(std::abs(flow->through_pairs()[0]), through, near * through) << thin << ", " << dt;
    }
  }
}

/// A lid that starts in the middle of a run moves the fluid as one does from the start, whether all of the friction is
/// implicit or a part.
TEST_P(LayersOfFlatCells, FollowAWallThatStartsLater_Slow) {
  constexpr real dt = 0.02, later = 4 * dt;
  const FlowProblem problem(Comm(), layered_cube(4, 10));
  const LocalMesh& mesh = *problem.mesh;
  const auto energies = [&](real start, bool all_implicit) {
    const Coefficient<Vec3> moves{[start](std::span<const Vec3> x, real t, std::span<Vec3> u) {
                                    for (std::size_t i = 0; i < x.size(); ++i) u[i].x = t > start - dt / 2 ? 1 : 0;
                                  },
                                  Dependence{.on_time = true}};
    std::vector<FlowBoundary> walls;
    for (const std::string& patch : mesh.part().patches) {
      walls.emplace_back(Wall{patch == "lid" ? moves : Coefficient<Vec3>(Vec3{})});
    }
    FlowStepSettings settings = tight_settings(0.1, 1e-8);
    settings.method = GetParam();
    settings.all_implicit = all_implicit;
    settings.diffusion = DiffusionForm::stress;
    settings.convection = ConvectionForm::skew;
    const auto flow = make_flow_step(mesh, settings, FlowBoundaries(walls), 0, &problem.wide);
    std::vector<real> energy;
    while (flow->time() < start + 0.4 - dt / 2) {
      flow->advance(dt);
      if (flow->time() > start + dt / 2) energy.push_back(kinetic_energy(flow->state().velocity));
    }
    EXPECT_EQ(flow->friction().is_whole_implicit(), all_implicit);
    return energy;
  };
  for (const bool all_implicit : {false, true}) {
    const std::vector<real> at_once = energies(0, all_implicit), after = energies(later, all_implicit);
    ASSERT_EQ(at_once.size(), after.size());
    for (std::size_t k = 3; k < after.size(); ++k) {
      EXPECT_NEAR(after[k] / at_once[k], 1, k < 10 ? 0.04 : 0.02) << all_implicit << ", " << k;
    }
    EXPECT_NEAR(after.back() / at_once.back(), 1, 0.005) << all_implicit;
  }
}

/// Steps whose friction is all implicit and such that take a part of it so follow one another as steps of one kind do.
TEST_P(LayersOfFlatCells, FollowALidInStepsOfAnyLength_Steps) {
  const FlowProblem problem(Comm(), layered_cube(4, 10));
  const LocalMesh& mesh = *problem.mesh;
  const Coefficient<Vec3> moves = Coefficient<Vec3>::of_time([](real t) { return Vec3{std::sin(4 * t), 0, 0}; });
  std::vector<FlowBoundary> walls;
  for (const std::string& patch : mesh.part().patches) {
    walls.emplace_back(Wall{patch == "lid" ? moves : Coefficient<Vec3>(Vec3{})});
  }
  FlowStepSettings settings = tight_settings(0.12, 1e-8);
  settings.method = GetParam();
  settings.diffusion = DiffusionForm::stress;
  settings.convection = ConvectionForm::skew;
  int changes = 0;
  const auto energies = [&](int parts) {
    const auto flow = make_flow_step(mesh, settings, FlowBoundaries(walls), 0, &problem.wide);
    changes = 0;
    std::vector<real> energy;
    for (const real span : {0.02, 0.02, 0.02, 0.002, 0.002, 0.002, 0.004, 0.008, 0.02, 0.02, 0.02, 0.02}) {
      for (int k = 0; k < parts; ++k) {
        const bool was_implicit = flow->friction().is_whole_implicit();
        flow->advance(span / parts);
        changes += flow->friction().is_whole_implicit() != was_implicit;
      }
      energy.push_back(kinetic_energy(flow->state().velocity));
    }
    return energy;
  };
  const std::vector<real> in_short_steps = energies(10);
  EXPECT_EQ(changes, 0);
  const std::vector<real> in_all = energies(1);
  EXPECT_EQ(changes, 3);
  for (std::size_t k = 3; k < in_all.size(); ++k) EXPECT_NEAR(in_all[k] / in_short_steps[k], 1, 0.02) << k;
}

INSTANTIATE_TEST_SUITE_P(Methods, LayersOfFlatCells, testing::Values(FlowMethod::exact, FlowMethod::classical),
                         [](const auto& of) { return of.param == FlowMethod::exact ? "exact" : "classical"; });

}  // namespace
}  // namespace solenoid::test
