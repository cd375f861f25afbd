/// Flows along walls that are not resolved, by both methods: plugs with exact solutions, forces and energy of channels,
/// the stress on walls that lie aslant, and any number of ranks.
#include <gtest/gtest.h>

#include <cmath>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "model/tractions.hpp"
#include "physics/flow/momentum/reichardt_law.hpp"
#include "physics/flow/step/flow_method.hpp"
#include "support/flows.hpp"
#include "support/mesh_kinds.hpp"
#include "support/openings.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

constexpr FlowMethod methods_of_walls[] = {FlowMethod::exact, FlowMethod::classical};

/// Stress of a fluid that passes at this distance from the wall, by bisection.
real wall_stress_of(real speed, real distance, real viscosity, real roughness) {
  const ReichardtLaw law{roughness / distance};
  real low = 0, high = 1e12;
  for (int k = 0; k < 200; ++k) {
    const real y = (low + high) / 2;
    (law.at(y).velocity * y * viscosity > speed * distance ? high : low) = y;
  }
  return low * low * viscosity * viscosity / (distance * distance);
}

/// One layer of triangles between walls at y = 0 and 1/n, periodic along x: each triangle has a side on a wall.
MeshSource one_layer(int n) {
  MeshSource layer = without_cells(
      one_way_square(n), [n](const Vec3& x) { return x.y > real{1} / n; }, "top");
  layer = with_patches(layer, [](const Vec3& x) -> std::string {
    constexpr real near = 1e-9;
    return x.x < near ? "left" : x.x > 1 - near ? "right" : "wall";
  });
  layer.pairs = {{"left", "right"}};
  return layer;
}

/// A plug between such walls, driven by this pressure drop.
struct Plug {
  static constexpr int n = 6;
  static constexpr real height = real{1} / n, speed = 1.3;
  real viscosity, roughness;
  FlowProblem problem{Comm(), one_layer(n), partition_cells, 2};

  /// What the walls take of the plug at this speed [m/s^2]: every cell is V = h A / 2.
  real taken(real of_speed) const { return 2 / height * wall_stress_of(of_speed, height / 3, viscosity, roughness); }
  std::unique_ptr<FlowStep> flow(FlowMethod method, DiffusionForm diffusion, real drop,
                                 ConvectionForm convection = ConvectionForm::divergence) const {
    FlowStepSettings settings = open_settings(viscosity, 1e-13, convection);
    settings.method = method;
    settings.diffusion = diffusion;
    PairDrive drive;
    drive.drop = Coefficient<real>(drop);
    auto made =
        make_flow_step(*problem.mesh, settings,
                       conditions(*problem.mesh, {{"wall", Symmetry{WallLaw{roughness}}}}, {drive}), 0, &problem.wide);
    Field<Face> flux = constant_flux(*problem.mesh, {speed, 0, 0});
    made->project(flux);
    return made;
  }
  real mean_speed(FlowStep& flow) const { return flow.through_pairs()[0] / height; }
};

/// The pressure drop that equals the stress keeps a plug at its speed, on smooth, rough and viscous walls.
TEST(LogLaw, StressAndPressureDropOfAPlugBalanceExactly_Slow) {
  struct Row {
    real viscosity, roughness;
  };
  for (const Row& row : {Row{1e-5, 0}, Row{1e-5, 1e-3}, Row{5, 0}}) {
    const Plug plug{row.viscosity, row.roughness};
    for (const FlowMethod method : methods_of_walls) {
      for (const DiffusionForm diffusion : {DiffusionForm::rotational, DiffusionForm::face_average}) {
        if (method == FlowMethod::exact && diffusion == DiffusionForm::face_average) continue;
        const auto flow = plug.flow(method, diffusion, plug.taken(Plug::speed));
        const real dt = std::min(real{0.05}, real{0.1} / flow->wall_stress().rate(flow->state().velocity));
        for (int k = 0; k < 20; ++k) flow->advance(dt);
        const Field<Face> exact = constant_flux(*plug.problem.mesh, {Plug::speed, 0, 0});
        expect_equal(gather(flow->state().flux), gather(exact), "plug", 1e-10);
        const EnergyBudget powers = flow->balance().energy_budget();
        EXPECT_NEAR(powers.walls, powers.pressure, 1e-10 * powers.pressure);
        EXPECT_NEAR(powers.numerical, 0, 1e-10 * powers.pressure);
        EXPECT_NEAR(flow->power_of_walls(), powers.walls, 1e-10 * powers.walls);
      }
    }
  }
}

/// Without a drop the plug's speed is that of du/dt = -taken(u), in second order.
TEST(LogLaw, APlugSlowsDownInSecondOrder_Slow) {
  const Plug plug{1e-3, 0};
  constexpr real end = 2;
  real exact = Plug::speed;
  constexpr int count = 400;
  for (int k = 0; k < count; ++k) {
    const real h = end / count, a = -plug.taken(exact), b = -plug.taken(exact + h / 2 * a),
               c = -plug.taken(exact + h / 2 * b), d = -plug.taken(exact + h * c);
    exact += h / 6 * (a + 2 * b + 2 * c + d);
  }
  for (const FlowMethod method : methods_of_walls) {
    std::vector<real> errors;
    for (const int steps : {20, 40, 80}) {
      const auto flow = plug.flow(method, DiffusionForm::rotational, 0);
      for (int k = 0; k < steps; ++k) flow->advance(end / steps);
      errors.push_back(std::abs(plug.mean_speed(*flow) - exact));
    }
    EXPECT_LT(exact, 0.7 * Plug::speed);
    EXPECT_GE(rate(errors[1], errors[2], 2), 1.9) << errors[1] << " " << errors[2];
  }
}

MeshSource duct_of_walls(int n) {
  MeshSource source = with_patches(unit_cube(n, 0), [](const Vec3& x) -> std::string {
    constexpr real near = 1e-9;
    return x.x < near ? "left" : x.x > 1 - near ? "right" : x.y < near ? "smooth" : x.y > 1 - near ? "rough" : "side";
  });
  source.pairs = {{"left", "right"}};
  return source;
}

/// The steady flow between a smooth wall and a rough one: the walls bear the pressure drop, and take its power.
TEST(LogLaw, WallsOfAChannelBearItsPressureDrop_Long) {
  for (const FlowMethod method : methods_of_walls) {
    const FlowProblem problem(Comm(), duct_of_walls(4));
    const LocalMesh& mesh = *problem.mesh;
    FlowStepSettings settings = tight_settings(0.005, 1e-11);
    settings.method = method;
    settings.diffusion = DiffusionForm::automatic;
    settings.convection = ConvectionForm::automatic;
    PairDrive drive;
    drive.drop = Coefficient<real>(0.02);
    const auto flow = make_flow_step(
        mesh, settings,
        conditions(mesh, {{"smooth", Symmetry{WallLaw{}}}, {"rough", Symmetry{WallLaw{0.2}}}, {"side", Symmetry{}}},
                   {drive}),
        0, &problem.wide);
    flow->start_from_rest();
    for (int k = 0; k < 4000; ++k) flow->advance(0.07);
    const EnergyBudget powers = flow->balance().energy_budget();
    EXPECT_GT(powers.walls, 0.05 * powers.pressure);
    EXPECT_NEAR(powers.change, powers.pressure - powers.dissipation - powers.walls - powers.numerical,
                1e-7 * powers.pressure);
    const Tractions& tractions = flow->balance().tractions();
    const std::vector<Vec3> friction = tractions.friction.to_host();
    real force[2] = {0, 0};
    for (std::size_t i = 0; i < friction.size(); ++i) {
      const BoundaryFace& b = mesh.boundary()[i];
      const std::string& patch = mesh.part().patches[b.patch];
      if (b.is_owned) force[patch == "rough"] += norm(b.outward_area) * friction[i].x;
    }
    mesh.comm().sum(std::span<real>(force, 2));
    EXPECT_NEAR(force[0] + force[1], 0.02, 1e-7);
    EXPECT_GT(force[1], 1.05 * force[0]);
    std::vector<int> everywhere;
    for (std::size_t p = 0; p < mesh.part().patches.size(); ++p) everywhere.push_back(static_cast<int>(p));
    EXPECT_NEAR(flow->balance().force_in_fluid(ForceTestFunction(mesh, everywhere)).x, 0.02, 1e-7);
    const Vec3 on_rough = flow->balance().force_in_fluid(ForceTestFunction(mesh, places_of_patch(mesh, "rough")));
    EXPECT_NEAR(on_rough.x, force[1], 0.1 * force[1]);
  }
}

/// Against the velocity along the wall, of the size that the law gives, whichever way the wall lies.
TEST(LogLaw, StressOnASlantingWallIsAlongTheFlow) {
  constexpr real viscosity = 1e-4, roughness = 1e-3;
  const Vec3 axes[] = {{0.6, 0.64, 0.48}, {0.8, -0.48, -0.36}, {0, 0.6, -0.8}}, velocity{0.3, -1.1, 0.7};
  const auto turned =
      moved(unit_cube(3, 0.1), [&](const Vec3& x) { return x.x * axes[0] + x.y * axes[1] + x.z * axes[2]; });
  const FlowProblem problem(Comm(), turned);
  const LocalMesh& mesh = *problem.mesh;
  const FlowBoundaries boundaries = conditions(mesh, {{"lid", Symmetry{WallLaw{roughness}}}, {"wall", Symmetry{}}});
  WallStress stress(mesh, boundaries, viscosity);
  Field<Cell, Vec3> u(mesh, std::vector<Vec3>(mesh.owned<Cell>(), velocity)), forcing(mesh);
  BoundaryField<Vec3> tractions(mesh);
  stress.set(u);
  stress.add_to(tractions);
  stress.add_to(forcing);
  const std::vector<Vec3> found = tractions.to_host(), in_cells = forcing.to_host();
  Vec3 of_cells, of_faces;
  for (int c = 0; c < mesh.owned<Cell>(); ++c) of_cells += mesh.geometry().cell_volume[c] * in_cells[c];
  const Vec3 along = velocity - dot(velocity, axes[1]) * axes[1];
  for (std::size_t i = 0; i < found.size(); ++i) {
    const BoundaryFace& b = mesh.boundary()[i];
    of_faces += norm(b.outward_area) * found[i];
    if (!b.is_owned || mesh.part().patches[b.patch] != "lid") {
      EXPECT_EQ(norm(found[i]), 0);
      continue;
    }
    const real y = dot(mesh.geometry().face_centre[b.face] - mesh.geometry().cell_centre[b.cell], axes[1]);
    const real expected = wall_stress_of(norm(along), std::abs(y), viscosity, roughness);
    EXPECT_LE(norm(found[i] - (expected / norm(along)) * along), 1e-11 * expected);
  }
  EXPECT_LE(norm(of_cells - of_faces), 1e-12 * (norm(of_faces) + 1e-9));
  EXPECT_NEAR(stress.power(u), mesh.comm().sum(dot(of_faces, velocity)), 1e-12);
}

/// The longest stable step is 4/3 of the inverse of the rate, in viscous flow the same at any speed.
TEST(LogLaw, StepsAreStableUpToTheirLimit) {
  const Plug plug{5, 0};
  for (const real share : {0.95, 1.1}) {
    const auto flow = plug.flow(FlowMethod::exact, DiffusionForm::rotational, 0, ConvectionForm::none);
    const real dt = share * 4 / (3 * flow->wall_stress().rate(flow->state().velocity));
    for (int k = 0; k < 60; ++k) flow->advance(dt);
    if (share < 1) {
      EXPECT_LT(std::abs(plug.mean_speed(*flow)), 0.2 * Plug::speed);
    } else {
      EXPECT_GT(std::abs(plug.mean_speed(*flow)), Plug::speed);
    }
  }
}

/// A vortex that walls with a law slow down, one of them with two sides in one cell.
std::vector<real> beside_walls(const Comm& comm, FlowMethod method) {
  const FlowProblem problem(comm, unit_cube(4, 0.1), partition_cells);
  const LocalMesh& mesh = *problem.mesh;
  FlowStepSettings settings = tight_settings(1e-4, 1e-10);
  settings.method = method;
  settings.diffusion = DiffusionForm::automatic;
  settings.convection = ConvectionForm::automatic;
  const auto flow = make_flow_step(mesh, settings,
                                   conditions(mesh, {{"lid", Wall{Vec3{1, 0, 0}}}, {"wall", Symmetry{WallLaw{1e-3}}}}),
                                   0, &problem.wide);
  flow->start_from_rest();
  for (int k = 0; k < 6; ++k) flow->advance(0.05);
  EXPECT_GT(flow->power_of_walls(), 0);
  std::vector<real> seen = gather(flow->state().flux);
  const WallStress::Distances y = flow->wall_stress().in_wall_units(flow->state().velocity);
  for (const real figure : {y.least, y.mean, y.largest}) seen.push_back(figure * 1e-3);
  return seen;
}

TEST(LogLaw, FlowsAreTheSameOnAnyNumberOfRanks) {
  for (const FlowMethod method : methods_of_walls) {
    expect_equal(beside_walls(Comm(), method), beside_walls(alone(), method), "fluxes", 1e-8);
  }
}

}  // namespace
}  // namespace solenoid::test
