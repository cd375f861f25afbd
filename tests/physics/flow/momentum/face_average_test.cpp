/// The thesis's friction: by how much it is off, on any mesh, and that the rest of the flow takes it for what it is.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "model/patch_integral.hpp"
#include "model/tractions.hpp"
#include "operators/interpolation.hpp"
#include "physics/flow/momentum/diagnostics.hpp"
#include "support/flows.hpp"
#include "support/openings.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

FlowStepSettings face_average_settings(real viscosity, ConvectionForm convection) {
  FlowStepSettings settings = tight_settings(viscosity, 1e-12);
  settings.method = FlowMethod::classical;
  settings.diffusion = DiffusionForm::face_average;
  settings.convection = convection;
  return settings;
}

/// Dissipation of psi = (1 - r^2)^4 inside a circle over the exact one, on equilateral triangles.
real ratio_of_dissipation(int n) {
  const auto mesh = make_mesh(Comm(), equilateral(n, 3));
  const Vec3 middle{2.25, 3 * std::sqrt(real{3}) / 4, 0};
  Field<Face> flux = flux_of(*mesh, [&](const Vec3& x) {
    const real q = std::max(real{0}, 1 - dot(x - middle, x - middle));
    return q * q * q * q;
  });
  Field<Cell, Vec3> velocity(*mesh);
  interpolate(halo(flux), velocity);
  FaceAverageFriction friction(*mesh, Wall{Vec3{}});
  return friction.powers(halo(velocity)).dissipation / (768 * pi / 35);
}

/// The rotational form is within 0.5 % there, see Operators2D.DissipationOfASmoothFieldIsRight_Long.
TEST(FaceAverageFriction, TakesHalfAsMuchAgainOnAnyMesh_Long) {
  EXPECT_NEAR(ratio_of_dissipation(36), 1.468, 1e-3);
  EXPECT_NEAR(ratio_of_dissipation(72), 1.492, 1e-3);
  EXPECT_NEAR(ratio_of_dissipation(143), 1.498, 1e-3);
}

/// Between two plates a force drives two thirds of the fluid that it should.
TEST(FaceAverageFriction, TheFluidIsHalfAsThickAgain_Long) {
  const int n = 24;
  MeshSource source = with_patches(equilateral(n, 1), [](const Vec3& x) {
    const real along = x.x - x.y / std::sqrt(real(3));
    return along < 1e-9 ? "left" : along > 1 - 1e-9 ? "right" : "plates";
  });
  source.pairs = {{"left", "right"}};
  const FlowProblem problem(Comm(), source);
  const real height = std::sqrt(real(3)) / 2, force = 12 * real(0.5) / (height * height * height);
  for (const auto& [diffusion, through] :
       {std::pair(DiffusionForm::rotational, 1.0), std::pair(DiffusionForm::face_average, 2.0 / 3.0)}) {
    FlowStepSettings settings = face_average_settings(0.5, ConvectionForm::central);
    settings.diffusion = diffusion;
    const auto flow = make_flow_step(*problem.mesh, settings, conditions(*problem.mesh, {}), 0, &problem.wide);
    flow->set_body_force(Vec3{force, 0, 0});
    for (int k = 0; k < 250; ++k) flow->advance(0.02);
    EXPECT_EQ(max_divergence(flow->state().flux), 0);
    EXPECT_LT(flow->rate_of_change(), 1e-8);
    EXPECT_NEAR(flow->through_pairs()[0] / through, 1, 0.01);
  }
}

/// Of a cavity that has come to rest in its motion.
TEST(FaceAverageFriction, PowersAndForcesAddUp_Steps) {
  const FlowProblem problem(Comm(), with_patches(square_with_hole(24), side_of_square));
  const LocalMesh& mesh = *problem.mesh;
  const auto flow = make_flow_step(mesh, face_average_settings(0.05, ConvectionForm::central),
                                   conditions(mesh, {{"top", Wall{Vec3{1, 0, 0}}}}), 0, &problem.wide);
  for (int k = 0; k < 4000 && (k == 0 || flow->rate_of_change() > 1e-10); ++k) flow->advance(0.03);
  const EnergyBudget budget = flow->balance().energy_budget();
  EXPECT_GT(budget.dissipation, 0.1);
  FaceAverageFriction friction(mesh, flow->boundaries());
  friction.set(sample_velocity(flow->boundaries(), places_on_boundary(mesh), 0));
  EXPECT_NEAR(budget.dissipation, 0.05 * friction.powers(halo(flow->state().velocity)).dissipation, 1e-14);
  EXPECT_NEAR(budget.boundary_friction - budget.dissipation - budget.numerical, 0, 1e-7);
  const auto force_on = [&](const std::vector<int>& patches) {
    const PatchIntegral integral(mesh, patches);
    Tractions& tractions = flow->balance().tractions();
    const std::vector<real> by_pressure = integral.of(&tractions.pressure), rubbing = integral.of(&tractions.friction);
    return Vec3{by_pressure[0] + rubbing[0], by_pressure[1] + rubbing[1], 0};
  };
  std::vector<int> all(mesh.part().patches.size());
  std::iota(all.begin(), all.end(), 0);
  EXPECT_NEAR(norm(force_on(all)), 0, 1e-7);
  EXPECT_NEAR(norm(flow->balance().force_in_fluid(ForceTestFunction(mesh, all))), 0, 1e-7);
  const std::vector<int> body = places_of_patch(mesh, "hole");
  const Vec3 on_body = force_on(body), in_fluid = flow->balance().force_in_fluid(ForceTestFunction(mesh, body));
  EXPECT_GT(norm(on_body), 0.05);
  // The scatter of the cells' velocities stays in the one, on any mesh.
  EXPECT_LE(norm(in_fluid - on_body), 0.08 * norm(on_body)) << on_body.x << " " << in_fluid.x;
}

TEST(FaceAverageFriction, FlowsTheSameOnAnyPartition) {
  const auto run = [](const Partitioner& partition) {
    const FlowProblem problem(Comm(), with_patches(square_with_hole(8), side_of_branching), partition);
    const auto flow = make_flow_step(*problem.mesh, face_average_settings(0.05, ConvectionForm::divergence),
                                     branching(*problem.mesh, 1), 0, &problem.wide);
    flow->start_from_rest();
    for (int k = 0; k < 10; ++k) flow->advance(0.03);
    EXPECT_EQ(max_divergence(flow->state().flux), 0);
    return gather(flow->state().flux);
  };
  const std::vector<real> expected = run(partition_cells);
  for (const NamedPartitioner& p : partitioners()) {
    const std::vector<real> found = run(p.partition);
    for (std::size_t f = 0; f < expected.size(); ++f) ASSERT_NEAR(found[f], expected[f], 1e-9) << p.name;
  }
}

TEST(FaceAverageFriction, IsNotForTheExactStep) {
  const FlowProblem problem(Comm(), unit_square(4));
  FlowStepSettings settings = face_average_settings(0.05, ConvectionForm::none);
  settings.method = FlowMethod::exact;
  EXPECT_THROW(make_flow_step(*problem.mesh, settings, Wall{Vec3{}}, 0), Error);
}

}  // namespace
}  // namespace solenoid::test
