/// Flows that go on at the other side of the domain, by both methods: what drives them, what they keep, holes that a
/// pair cuts.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "model/patch_integral.hpp"
#include "model/tractions.hpp"
#include "physics/flow/momentum/diagnostics.hpp"
#include "support/flows.hpp"
#include "support/openings.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

constexpr FlowMethod methods[] = {FlowMethod::exact, FlowMethod::classical};

/// A parallelogram of equilateral triangles with unit sides, periodic both ways.
MeshSource torus(int n) {
  MeshSource source = with_patches(equilateral(n, 1), [](const Vec3& x) {
    const real along = x.x - x.y / std::sqrt(real(3));  // in its own coordinates
    const real up = 2 * x.y / std::sqrt(real(3));
    return along < 1e-9 ? "left" : along > 1 - 1e-9 ? "right" : up < 1e-9 ? "bottom" : "top";
  });
  source.pairs = {{"left", "right"}, {"bottom", "top"}};
  return source;
}

MeshSource channel(int n, real distortion = 0.3) {
  MeshSource source = with_patches(unit_square(n, distortion), side_of_square);
  source.pairs = {{"left", "right"}};
  return source;
}

FlowStepSettings settings_of_periodic_flow(FlowMethod method, real viscosity,
                                           ConvectionForm convection = ConvectionForm::divergence) {
  FlowStepSettings settings = tight_settings(viscosity, 1e-12);
  settings.method = method;
  settings.convection = convection;
  return settings;
}

/// Two waves of one length that fit into the torus, carried by a stream (Taylor & Green 1937 has them at right angles):
/// their vorticity is a multiple of the potential, so that they only decay.
struct CarriedVortices {
  Vec3 stream{1, 0.5, 0};
  real viscosity = 0.02;

  real potential(const Vec3& x, real t) const {
    const real k = 2 * pi, root = std::sqrt(real(3));
    const Vec3 first{k, -k / root, 0}, second{0, 2 * k / root, 0}, from = x - t * stream;
    const real length = norm(first), decay = std::exp(-viscosity * length * length * t);
    return stream.x * x.y - stream.y * x.x +
           decay * (std::cos(dot(first, from)) + std::cos(dot(second, from))) / length;
  }
  Field<Face> flux(const LocalMesh& mesh, real t) const {
    return flux_of(mesh, [&](const Vec3& x) { return potential(x, t); });
  }
};

Vec3 momentum(const FlowStep& flow, FlowState& state) {
  const LocalMesh& mesh = flow.mesh();
  Vec3 sum;
  const std::vector<Vec3> u = state.velocity.to_host();
  for (int c = 0; c < mesh.owned<Cell>(); ++c) sum += mesh.geometry().cell_volume[c] * u[c];
  return {mesh.comm().sum(sum.x), mesh.comm().sum(sum.y), 0};
}

real error_of_carried_vortices(FlowMethod method, int n) {
  const CarriedVortices vortices;
  const FlowProblem problem(Comm(), torus(n));
  const LocalMesh& mesh = *problem.mesh;
  const auto flow = make_flow_step(mesh, settings_of_periodic_flow(method, vortices.viscosity), conditions(mesh, {}), 0,
                                   &problem.wide);
  Field<Face> start = vortices.flux(mesh, 0);
  flow->project(start);
  const Vec3 before = momentum(*flow, flow->state());
  const int steps = 4 * n;
  const real end = 0.3;
  for (int k = 0; k < steps; ++k) flow->advance(end / steps);
  EXPECT_EQ(max_divergence(flow->state().flux), 0);
  EXPECT_NEAR(norm(momentum(*flow, flow->state()) - before), 0, 1e-11);
  Field<Face> exact = vortices.flux(mesh, end), error(mesh);
  error = flow->state().flux - exact;
  return norm(error) / norm(exact);
}

TEST(PeriodicFlow, CarriedVorticesConverge_Long) {
  for (const FlowMethod method : methods) {
    const real coarse = error_of_carried_vortices(method, 16), fine = error_of_carried_vortices(method, 32);
    EXPECT_LT(fine, 1e-3);
    EXPECT_GT(std::log2(coarse / fine), 1.9) << coarse << " " << fine;
  }
}

struct Settled {
  real through, drop, energy;
};

Settled settle(const FlowProblem& problem, FlowMethod method, const PairDrive& drive, real force = 0) {
  const LocalMesh& mesh = *problem.mesh;
  const auto flow = make_flow_step(mesh, settings_of_periodic_flow(method, 0.5, ConvectionForm::central),
                                   conditions(mesh, {}, {drive}), 0, &problem.wide);
  if (force != 0) flow->set_body_force(Vec3{force, 0, 0});
  flow->start_from_rest();
  for (int k = 0; k < 250; ++k) flow->advance(0.02);
  EXPECT_EQ(max_divergence(flow->state().flux), 0);
  EXPECT_LT(flow->rate_of_change(), 1e-8);
  return {flow->through_pairs()[0], flow->balance().pressure_drops()[0], kinetic_energy(flow->state().velocity)};
}

TEST(PeriodicFlow, ForceDropAndFluxDriveTheSameFlow_Long) {
  const FlowProblem problem(Comm(), channel(8));
  for (const FlowMethod method : methods) {
    const Settled by_force = settle(problem, method, {}, 6);
    EXPECT_NEAR(by_force.through, 1, 0.04);  // g h^3 / (12 nu)
    EXPECT_EQ(by_force.drop, 0);
    const Settled by_drop = settle(problem, method, {{}, real{6}});
    EXPECT_NEAR(by_drop.through, by_force.through, 1e-9);
    EXPECT_EQ(by_drop.drop, 6);
    const Settled by_flux = settle(problem, method, {by_drop.through, {}});
    EXPECT_NEAR(by_flux.through, by_drop.through, 1e-12);
    EXPECT_NEAR(by_flux.drop, 6, 1e-7);
    for (const Settled& other : {by_drop, by_flux}) EXPECT_NEAR(other.energy, by_force.energy, 1e-8);
  }
}

/// A square hole in a square of 12 x 12, in the middle, or cut by the left and right sides.
MeshSource square_around_hole(bool is_cut, bool is_torus) {
  const auto inside = [is_cut](const Vec3& x) {
    const real beside = is_cut ? std::abs(x.x - 0.5) : 0.5 - std::abs(x.x - 0.5);
    return beside > real(1) / 3 && std::abs(x.y - 0.5) < real(1) / 6;
  };
  MeshSource source = with_patches(without_cells(unit_square(12), inside, "hole"), side_of_square);
  source.pairs = {{"left", "right"}};
  if (is_torus) source.pairs.emplace_back("bottom", "top");
  return source;
}

TEST(PeriodicFlow, AHoleMayLieOnThePair_Slow) {
  for (const bool is_torus : {false, true}) {
    for (const FlowMethod method : methods) {
      std::vector<std::array<real, 4>> found;
      for (const bool is_cut : {false, true}) {
        const FlowProblem problem(Comm(), square_around_hole(is_cut, is_torus));
        const LocalMesh& mesh = *problem.mesh;
        std::vector<PairDrive> drives{{{}, real{1}}};
        if (is_torus) drives.push_back({{}, real{0.3}});
        const auto flow = make_flow_step(mesh, settings_of_periodic_flow(method, 0.05), conditions(mesh, {}, drives), 0,
                                         &problem.wide);
        flow->start_from_rest();
        for (int k = 0; k < 20; ++k) flow->advance(0.02);
        EXPECT_EQ(max_divergence(flow->state().flux), 0);
        const std::vector<real> through = flow->through_pairs();
        found.push_back({through[0], is_torus ? through[1] : 0, kinetic_energy(flow->state().velocity),
                         norm(flow->state().vorticity)});
        EXPECT_GT(through[0], 0.01);
      }
      const real same = method == FlowMethod::exact ? 1e-9 : 1e-5;  // a first step is iterated, less or more
      for (std::size_t k = 0; k < 4; ++k) {
        EXPECT_NEAR(found[0][k], found[1][k], same * std::abs(found[0][k]) + 1e-12)
            << k << (method == FlowMethod::exact);
      }
    }
  }
}

/// Of the total pressure, too, from which the velocity at cells takes its part.
TEST(PeriodicFlow, ThePressureIsTheSameWhereverTheMeshBegins) {
  for (const ConvectionForm convection : {ConvectionForm::rotational, ConvectionForm::divergence}) {
    std::vector<std::array<real, 2>> found;
    for (const bool is_cut : {false, true}) {
      const FlowProblem problem(Comm(), square_around_hole(is_cut, true));
      const LocalMesh& mesh = *problem.mesh;
      const FlowBoundaries boundaries = conditions(mesh, {});
      const auto flow = make_flow_step(mesh, settings_of_periodic_flow(FlowMethod::exact, 0.05, convection), boundaries,
                                       0, &problem.wide);
      flow->set_body_force(Vec3{1, 0.3, 0});
      for (int k = 0; k < 20; ++k) flow->advance(0.02);
      VelocityReconstruction fit(mesh, problem.wide, boundaries);
      Field<Node, NodeVelocity> nodes(mesh);
      const real pressure = norm(flow->balance().pressure(fit.fit(flow->state().flux, flow->time(), nodes)));
      std::vector<int> all(mesh.part().patches.size());
      std::iota(all.begin(), all.end(), 0);
      found.push_back({pressure, PatchIntegral(mesh, all).of(&flow->balance().wall_pressure())[0]});
    }
    for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(found[0][k], found[1][k], 1e-9 * std::abs(found[0][0])) << k;
    EXPECT_GT(found[0][0], 0.1);
  }
}

/// Around a hole that the right side cuts in a torus, and through a channel by a flux that grows.
std::vector<real> fluxes_of(const Comm& comm, const Partitioner& partition, FlowMethod method, bool is_torus) {
  const FlowProblem problem(comm, square_around_hole(is_torus, is_torus), partition);
  const LocalMesh& mesh = *problem.mesh;
  std::vector<PairDrive> drives{{Coefficient<real>::of_time([](real t) { return t; }), {}}};
  if (is_torus) drives = {{{}, real{1}}, {{}, Coefficient<real>::of_time([](real t) { return t; })}};
  const auto flow =
      make_flow_step(mesh, settings_of_periodic_flow(method, 0.05), conditions(mesh, {}, drives), 0, &problem.wide);
  flow->start_from_rest();
  for (int k = 0; k < 6; ++k) {
    flow->advance(0.02);
    EXPECT_EQ(max_divergence(flow->state().flux), 0);
    if (!is_torus) {
      EXPECT_NEAR(flow->through_pairs()[0], flow->time(), 1e-12);
    }
  }
  std::vector<real> found = gather(flow->state().flux), potential = gather(flow->stream_function());
  found.insert(found.end(), potential.begin(), potential.end());
  found.push_back(flow->balance().pressure_drops()[0]);
  return found;
}

TEST(PeriodicFlow, FlowsTheSameOnAnyPartition) {
  for (const FlowMethod method : methods) {
    for (const bool is_torus : {false, true}) {
      const std::vector<real> expected = fluxes_of(alone(), partition_cells, method, is_torus);
      for (const NamedPartitioner& p : partitioners()) {
        expect_equal(fluxes_of(Comm(), p.partition, method, is_torus), expected, p.name, 1e-9);
      }
    }
  }
}

/// On faces that no pair cuts the stream function has the fluxes; over the pairs it jumps by the stream.
TEST(PeriodicFlow, TheStreamFunctionIsThatOfTheFluxes) {
  const auto stream = [](const Vec3& x) {
    return x.y - real{0.3} * x.x + std::sin(2 * pi * x.x) * std::cos(2 * pi * x.y);
  };
  for (const MeshSource& source : {torus(8), square_around_hole(true, true)}) {
    for (const FlowMethod method : methods) {
      const FlowProblem problem(Comm(), source);
      const LocalMesh& mesh = *problem.mesh;
      const auto flow =
          make_flow_step(mesh, settings_of_periodic_flow(method, 0.05), conditions(mesh, {}), 0, &problem.wide);
      Field<Face> start = flux_of(mesh, stream), difference(mesh);
      flow->project(start);
      for (int k = 0; k < 3; ++k) flow->advance(0.01);
      difference = mesh.C * halo(flow->stream_function()) - flow->state().flux;
      const std::vector<real> apart = difference.to_host();
      for (int f = 0; f < mesh.owned<Face>(); ++f) {
        const std::span<const int> ends = mesh.part().face_points_of(f);
        bool is_cut = false;
        for (int pair = 0; pair < 2; ++pair) {
          is_cut = is_cut || mesh.part().turns(ends[0], pair) != mesh.part().turns(ends[1], pair);
        }
        EXPECT_NEAR(is_cut ? 0 : apart[f], 0, 1e-7) << "face " << f << ", method " << static_cast<int>(method);
      }
    }
  }
}

/// What a hole gives and another takes does not count as flux through the pair, wherever it goes.
TEST(PeriodicFlow, TheFluxIsKeptBesideHolesThatBlow) {
  const auto inside = [](const Vec3& x) {  // near both ends of the channel
    return std::abs(std::abs(x.x - real{0.5}) - real(1) / 3) < real(1) / 12 && std::abs(x.y - 0.5) < real(1) / 6;
  };
  MeshSource source = with_patches(without_cells(unit_square(12), inside, "hole"), [](const Vec3& x) {
    const std::string side = side_of_square(x);
    return side != "hole" ? side : x.x < 0.5 ? "source" : "sink";
  });
  source.pairs = {{"left", "right"}};
  const auto from = [](real x, real speed) {
    return Inlet{Coefficient<Vec3>::of_place([x, speed](const Vec3& at) { return speed * (at - Vec3{x, 0.5, 0}); })};
  };
  for (const FlowMethod method : methods) {
    for (const NamedPartitioner& p : partitioners()) {
      const FlowProblem problem(Comm(), source, p.partition);
      const LocalMesh& mesh = *problem.mesh;
      const FlowBoundaries boundaries = conditions(
          mesh, {{"source", from(real(1) / 6, 3)}, {"sink", from(real(5) / 6, -3)}}, {{Coefficient<real>(0.5), {}}});
      const auto flow = make_flow_step(mesh, settings_of_periodic_flow(method, 0.1), boundaries, 0, &problem.wide);
      flow->start_from_rest();
      for (int k = 0; k < 3; ++k) flow->advance(0.01);
      EXPECT_EQ(max_divergence(flow->state().flux), 0);
      EXPECT_NEAR(flow->through_pairs()[0], 0.5, 1e-12) << p.name;
    }
  }
}

TEST(PeriodicFlow, BothMethodsSettleOnOneFlow_Long) {
  for (const bool is_torus : {false, true}) {
    const FlowProblem problem(Comm(), square_around_hole(true, is_torus));
    const LocalMesh& mesh = *problem.mesh;
    std::vector<PairDrive> drives{{{}, real{1}}};
    if (is_torus) drives.push_back({{}, real{0.3}});
    std::vector<std::vector<real>> found;
    for (const FlowMethod method : methods) {
      const auto flow =
          make_flow_step(mesh, settings_of_periodic_flow(method, 0.2), conditions(mesh, {}, drives), 0, &problem.wide);
      flow->start_from_rest();
      for (int k = 0; k < 2000 && (k == 0 || flow->rate_of_change() > 1e-11); ++k) flow->advance(0.03);
      found.push_back(gather(flow->state().flux));

      const EnergyBudget budget = flow->balance().energy_budget();
      EXPECT_NEAR(budget.pressure - budget.dissipation - budget.numerical, 0, 1e-8);
      EXPECT_GT(budget.pressure, 0.01);
      std::vector<int> all(mesh.part().patches.size());
      std::iota(all.begin(), all.end(), 0);
      const Vec3 push{real(2) / 3, is_torus ? real{0.3} : 0,
                      0};  // of the drops on the pairs, of which the hole takes a third
      const Vec3 in_fluid = flow->balance().force_in_fluid(ForceTestFunction(mesh, all));
      EXPECT_NEAR(norm(in_fluid - push), 0, 1e-7) << in_fluid.x << " " << in_fluid.y;
      const PatchIntegral integral(mesh, all);
      Tractions& tractions = flow->balance().tractions();
      const std::vector<real> pressure = integral.of(&tractions.pressure), friction = integral.of(&tractions.friction);
      const Vec3 direct{pressure[0] + friction[0], pressure[1] + friction[1], 0};
      EXPECT_NEAR(norm(direct - push), 0, 1e-7) << direct.x << " " << direct.y;
    }
    expect_equal(found[1], found[0], "fluxes", 1e-8);
  }
}

}  // namespace
}  // namespace solenoid::test
