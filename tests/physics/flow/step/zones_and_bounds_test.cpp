/// Zones that turn in a part of the domain: blades and openings around them, porous bodies that turn, zones side by
/// side, what is seen of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "model/frame.hpp"
#include "model/patch_integral.hpp"
#include "physics/flow/boundary/boundary_velocity.hpp"
#include "physics/flow/momentum/diagnostics.hpp"
#include "support/kept_state.hpp"
#include "support/openings.hpp"
#include "support/rotating_zones.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

/// The fluid is at rest, and the porous block in the zone drives it.
TEST(RotatingZones, ArePaddlesWherePorousBodiesTurn_Steps) {
  in_methods_and_dimensions([](int dimension, FlowMethod method) {
    const FlowProblem problem(Comm(), box_of_zone(dimension, dimension == 2 ? 12 : 6, 0.2));
    const LocalMesh& mesh = *problem.mesh;
    const Vec3 middle = dimension == 2 ? Vec3{0.5, 0.5, 0} : Vec3{0.5, 0.5, 0.5};
    FlowStepSettings settings = settings_of_zones(method);
    settings.zones = {{.name = "rotor", .place = ZoneBall{middle, 0.45}, .rotating = RotatingFrame{{0, 0, 2}, middle}},
                      {"paddle", ZoneBox{{0.4, 0.25, 0.25}, {0.6, 0.75, 0.75}},
                       PorousBody{.darcy = Vec3{100, 100, 100}, .forchheimer = Vec3{10, 10, 10}}}};
    const std::vector<FlowBoundary> walls(mesh.part().patches.size(), Wall{Vec3{}, true});
    const auto flow = make_flow_step(mesh, settings, with_turning_walls(walls, settings.zones, mesh), 0, &problem.wide);
    flow->start_from_rest();
    EXPECT_GT(flow->boundary_speed(), 0.3);  // which the watch over energies takes for a source
    EXPECT_LT(flow->boundary_speed(), 0.7);
    for (int k = 0; k < 300 && (k < 5 || flow->rate_of_change() > 1e-8); ++k) flow->advance(0.05);
    EXPECT_LE(flow->rate_of_change(), 1e-8);
    const EnergyBudget budget = flow->balance().energy_budget();
    EXPECT_LT(budget.zones, -1e-3);
    EXPECT_NEAR(budget.zones + budget.dissipation + budget.numerical,
                budget.pressure + budget.boundary_friction + budget.frame - budget.change, 1e-7 * budget.dissipation);
  });
}

/// Two blades that turn in a zone, each detached, and in the plane a hole from which a jet comes; the sides of a box.
MeshSource box_of_blades(int dimension, bool has_jet) {
  const int n = dimension == 2 ? 14 : 8;
  const auto index = [&](real x) { return static_cast<int>(x * static_cast<real>(n)); };
  const auto is_removed = [&](const Vec3& x) {
    if (dimension == 3) {
      const auto is_middle = [&](real coordinate) { return index(coordinate) == 3 || index(coordinate) == 4; };
      return is_middle(x.y) && is_middle(x.z) && (index(x.x) == 2 || index(x.x) == 5);
    }
    const bool is_jet = has_jet && index(x.x) / 2 == 6 && index(x.y) / 2 == 6;
    return is_jet || (index(x.y) / 2 == 3 && (index(x.x) / 2 == 2 || index(x.x) / 2 == 4));
  };
  MeshSource box = with_patches(without_cells(box_of_zone(dimension, n, 0), is_removed, "blades"), [&](const Vec3& x) {
    constexpr real round_off = 1e-9;
    const auto is_at = [&](real coordinate, real end) { return std::abs(coordinate - end) < round_off; };
    if (is_at(x.x, 0)) return "left";
    if (is_at(x.x, 1)) return "right";
    const bool is_at_side = is_at(x.y, 0) || is_at(x.y, 1) || (dimension == 3 && (is_at(x.z, 0) || is_at(x.z, 1)));
    return is_at_side ? "side" : x.y > 0.8 ? "jet" : x.x < 0.5 ? "first" : "second";
  });
  constexpr real pi = 3.14159265358979;
  for (Vec3& x : box.points) {
    const real inside = std::sin(pi * x.x) * std::sin(pi * x.y) * (dimension == 2 ? 1 : std::sin(pi * x.z));
    x += inside * Vec3{0.02, -0.03, dimension == 2 ? real{0} : real{0.01}};
  }
  return box;
}

/// Fluid enters from the left, and leaves by an outlet or with a prescribed velocity; of two blades in a zone.
struct StirredStream {
  FlowProblem problem;
  std::unique_ptr<FlowStep> flow;
  StirredStream(int dimension, FlowMethod method, bool has_outlet, real viscosity = 0.1)
      : problem(Comm(), box_of_blades(dimension, false)) {
    const LocalMesh& mesh = *problem.mesh;
    const Vec3 middle{0.49, 0.52, dimension == 2 ? real{0} : real{0.51}};
    FlowStepSettings settings = settings_of_zones(method, viscosity);
    settings.zones = {{.name = "stirrer",
                       .place = ZoneBall{middle, dimension == 2 ? 0.32 : 0.4},
                       .rotating = RotatingFrame{{0, 0, 5}, middle}}};
    std::vector<FlowBoundary> of_patch;
    for (const std::string& patch : mesh.part().patches) {
      const bool is_outlet = has_outlet && patch == "right";
      of_patch.push_back(is_outlet                             ? FlowBoundary(Outlet{})
                         : patch == "left" || patch == "right" ? FlowBoundary(Inlet{Vec3{1, 0, 0}})
                         : patch == "side"                     ? FlowBoundary(Symmetry{})
                                                               : FlowBoundary(Wall{}));
    }
    flow = make_flow_step(mesh, settings, with_turning_walls(of_patch, settings.zones, mesh), 0, &problem.wide);
    flow->start_from_rest();
  }
};

/// The mean over an opening of the traction there, and without a solve for it.
TEST(RotatingZones, ShowThePressureAtOpenings_Slow) {
  for (const int dimension : {2, 3}) {
    for (const bool has_outlet : {true, false}) {
      StirredStream stream(dimension, FlowMethod::exact, has_outlet);
      FlowStep& flow = *stream.flow;
      const LocalMesh& mesh = flow.mesh();
      for (int k = 0; k < 3; ++k) flow.advance(0.02);
      Tractions& tractions = flow.balance().tractions();
      const std::vector<real> means = flow.balance().pressures_at_openings();
      const std::vector<Opening>& openings = flow.balance().openings();
      ASSERT_EQ(openings.size(), 2U);
      for (std::size_t k = 0; k < openings.size(); ++k) {
        const PatchIntegral patch(mesh, {openings[k].patch});
        const real outward = mesh.part().patches[openings[k].patch] == "left" ? -1 : 1;
        EXPECT_NEAR(means[k], outward * patch.of(&tractions.pressure)[0] / patch.area(), 1e-8) << has_outlet;
      }
    }
  }
}

/// Of the force on all that bounds a fluid without friction: that of momentum is that of tractions, with jumps inside.
TEST(RotatingZones, InPartHaveTheForceOfTheirJumps) {
  for (const int dimension : {2, 3}) {
    StirredStream stream(dimension, FlowMethod::exact, false, 1e-13);
    FlowStep& flow = *stream.flow;
    const LocalMesh& mesh = flow.mesh();
    for (int k = 0; k < 3; ++k) flow.advance(0.02);
    std::vector<int> all(mesh.part().patches.size());
    std::iota(all.begin(), all.end(), 0);
    Tractions& tractions = flow.balance().tractions();
    const PatchIntegral patch(mesh, all);
    const std::vector<real> p = patch.of(&tractions.pressure), f = patch.of(&tractions.friction);
    const Vec3 force{p[0] + f[0], p[1] + f[1], dimension == 2 ? 0 : p[2] + f[2]};
    EXPECT_GT(norm(force), 1);
    EXPECT_NEAR(norm(flow.balance().force_in_fluid(ForceTestFunction(mesh, all)) - force), 0, 1e-8);
  }
}

/// Zones that divide the box and turn alike are one.
TEST(RotatingZones, ThatTurnAlikeAreOne_Slow) {
  in_methods_and_dimensions([](int dimension, FlowMethod method) {
    const int n = dimension == 2 ? 8 : 4;
    const FlowProblem problem(Comm(), with_patches(box_of_zone(dimension, n, 0), [&](const Vec3& x) {
                                return std::string(x.y > 1 - 1e-9 ? "lid" : "wall") + (x.x < 0.5 ? "-left" : "-right");
                              }));
    const LocalMesh& mesh = *problem.mesh;
    const RotatingFrame& frame = frame_of_zone(dimension);
    const auto flow_of = [&](const std::vector<FlowZone>& zones) {
      // The vorticity of triangles is not uniform at edges between zones.
      FlowStepSettings settings = settings_of_zones(method, dimension == 2 ? 1e-13 : 0.1);
      settings.zones = zones;
      std::vector<FlowBoundary> walls;
      for (const std::string& patch : mesh.part().patches) {
        walls.push_back(Wall{patch.starts_with("lid") ? Vec3{1, 0, 0} : Vec3{}});
      }
      auto flow = make_flow_step(mesh, settings, with_turning_walls(walls, zones, mesh), 0, &problem.wide);
      flow->start_from_rest();
      for (int k = 0; k < 5; ++k) flow->advance(0.02);
      return flow;
    };
    const auto one = flow_of({zone_of_all(frame)});
    const auto two = flow_of({{.name = "left", .place = ZoneBox{{-1, -1, -1}, {0.5, 2, 2}}, .rotating = frame},
                              {.name = "right", .place = ZoneBox{{0.5, -1, -1}, {2, 2, 2}}, .rotating = frame}});
    Field<Face> difference(mesh);
    difference = two->state().flux - one->state().flux;
    EXPECT_LT(norm(difference), 1e-10 * norm(one->state().flux));
    EXPECT_LT(largest_apart(pressure_shown(*two, problem), pressure_shown(*one, problem)), 1e-8);
  });
}

/// Of a fluid that turns otherwise than the zone, which enters by all sides of a square: stencils in the zone reach
/// these.
TEST(RotatingZones, TakeConvectionOfTheRelativeFlowNextToInlets) {
  const FlowProblem problem(Comm(), unit_square(12, 0.2));
  const LocalMesh& mesh = *problem.mesh;
  const Vec3 middle{0.5, 0.5, 0};
  const RotatingFrame fluid{{0, 0, 3}, middle}, zone{{0, 0, 5}, middle};
  FlowStepSettings settings = settings_of_zones(FlowMethod::exact);
  settings.zones = {{.name = "rotor", .place = ZoneBall{middle, 0.43}, .rotating = zone}};
  const std::vector<FlowBoundary> inlets(mesh.part().patches.size(), Inlet{fluid.carried(Vec3{})});
  const auto flow = make_flow_step(mesh, settings, inlets, 0, &problem.wide);
  Field<Face> flux(mesh);
  flux.copy_from(flow->rotating_zones()->solid_flux(0));
  flux = (fluid.rate.z / zone.rate.z) * flux;
  flow->project(flux);
  Field<Cell, Vec3> convection(mesh);
  flow->rotating_zones()->set_convection(flow->state(), convection);
  const std::vector<Vec3> found = convection.to_host(), velocity = flow->state().velocity.to_host();
  const std::vector<char> marks =
      cells_of(settings.zones[0], {2, mesh.geometry().cell_centre, mesh.part().cell_region, mesh.part().regions});
  real apart = 0;
  for (std::size_t c = 0; c < found.size(); ++c) {
    if (!marks[c]) continue;
    const Vec3 relative = fluid.rate - zone.rate, v = cross(relative, mesh.geometry().cell_centre[c] - middle);
    const Vec3 v_of_cell = (1 - zone.rate.z / fluid.rate.z) * velocity[c];
    apart = std::max(apart, norm(found[c] - cross(relative, v) - 2 * cross(zone.rate, v_of_cell)));
  }
  EXPECT_LT(mesh.comm().max(apart), 1e-10);
}

TEST(RotatingZones, SeeTheCourantNumberOfTheRelativeFlow) {
  in_methods_and_dimensions([](int dimension, FlowMethod method) {
    if (method != FlowMethod::exact) return;
    const FlowProblem problem(Comm(), box_of_zone(dimension, dimension == 2 ? 8 : 4, 0.2));
    const LocalMesh& mesh = *problem.mesh;
    FlowStepSettings settings = settings_of_zones(method);
    settings.zones = {zone_of_all(frame_of_zone(dimension))};
    const FlowBoundaries turning(with_turning_walls(cavity_of(mesh, Vec3{}), settings.zones, mesh));
    EXPECT_EQ(courant_rate_of_boundary(mesh, turning, 0, 0, 1), 0);
    const auto flow = make_flow_step(
        mesh, settings, with_turning_walls(cavity_of(mesh, Vec3{1, 0, 0}), settings.zones, mesh), 0, &problem.wide);
    flow->start_from_rest();
    for (int k = 0; k < 3; ++k) flow->advance(0.02);
    Field<Face> relative(mesh);
    relative = flow->state().flux - flow->rotating_zones()->solid_flux(0);
    const Vec3 place = flow->rotating_zones()->fastest_place(flow->state().flux);
    EXPECT_EQ(norm(place - fastest_place(relative)), 0);
    EXPECT_NE(norm(place - fastest_place(flow->state().flux)), 0);
  });
}

TEST(RotatingZones, AreMirroredWithTheAxes) {
  const FlowZone zone{.name = "rotor",
                      .place = ZoneCylinder{{0, 0, 1}, {1, 2, 1}, 0.5},
                      .rotating = RotatingFrame{{1, 2, 0}, {3, 0, 1}}};
  for (const Frame& frame : {Frame::of_axes({0, 1, 2}, {-1, 1, 1}), Frame::of_axes({2, 0, 1}, {1, 1, 1}),
                             Frame::of_axes({1, 0, 2}, {1, 1, 1})}) {
    const FlowZone seen = zone.seen(frame, 3);
    for (const Vec3& x : {Vec3{0.3, 0.2, 0.1}, Vec3{1, -1, 2}}) {
      const Vec3 apart = seen.rotating->velocity(frame.place(x)) - frame.turned(zone.rotating->velocity(x));
      EXPECT_NEAR(norm(apart), 0, 1e-13);
      const std::vector<std::string> none;
      const std::vector<Vec3> here{x}, there{frame.place(x)};
      EXPECT_EQ(cells_of(zone, {3, here, {}, none}), cells_of(seen, {3, there, {}, none}));
    }
  }
}

/// In integers: nothing enters or leaves by a blade in sum, beside openings, ways of net flux and in closed boxes.
TEST(RotatingZones, PassNothingThroughEachBlade_Steps) {
  in_methods_and_dimensions([](int dimension, FlowMethod method) {
    for (const bool is_open : {true, false}) {
      for (const bool has_jet : {false, true}) {
        if (has_jet && (dimension == 3 || !is_open)) continue;
        SCOPED_TRACE(is_open ? has_jet ? "jet" : "open" : "closed");
        const FlowProblem problem(Comm(), box_of_blades(dimension, has_jet));
        const LocalMesh& mesh = *problem.mesh;
        const Vec3 middle{0.49, 0.52, dimension == 2 ? real{0} : real{0.51}};
        FlowStepSettings settings = settings_of_zones(method);
        settings.zones = {{.name = "stirrer",
                           .place = ZoneBall{middle, dimension == 2 ? 0.32 : 0.4},
                           .rotating = RotatingFrame{{0, 0, 2}, middle}}};
        const auto from_hole = [](const Vec3& x) { return x - Vec3{0.86, 0.86, 0}; };
        std::vector<FlowBoundary> of_patch;
        for (const std::string& patch : mesh.part().patches) {
          const bool is_inlet = is_open && patch == "left", is_outlet = is_open && patch == "right";
          of_patch.push_back(is_inlet         ? FlowBoundary(Inlet{Vec3{1, 0, 0}})
                             : is_outlet      ? FlowBoundary(Outlet{})
                             : patch == "jet" ? FlowBoundary(Inlet{Coefficient<Vec3>::of_place(from_hole)})
                                              : FlowBoundary(Wall{}));
        }
        const auto flow =
            make_flow_step(mesh, settings, with_turning_walls(of_patch, settings.zones, mesh), 0, &problem.wide);
        flow->start_from_rest();
        for (int k = 0; k < 2; ++k) flow->advance(0.02);
        EXPECT_EQ(max_divergence(flow->state().flux), 0);
        const std::vector<real> U = flow->state().flux.to_host();
        const std::vector<real> W = flow->rotating_zones()->solid_flux(0).to_host();
        for (const std::string blade : {"first", "second"}) {
          EXPECT_EQ(outflow(mesh, flow->state().flux, blade), 0) << blade;
          real largest = 0, apart = 0;
          for (const BoundaryFace& b : mesh.boundary()) {
            if (!b.is_owned || mesh.part().patches[b.patch] != blade) continue;
            largest = std::max(largest, std::abs(U[b.face]));
            apart = std::max(apart, std::abs(U[b.face] - W[b.face]));
          }
          EXPECT_GT(mesh.comm().max(largest), 1e-3);
          EXPECT_LT(apart, 1e-13);
        }
      }
    }
  });
}

/// What is kept of the convection before is not that of zones which turn otherwise now.
TEST(RotatingZones, KnowStatesOfOtherRotations) {
  const FlowProblem problem(Comm(), unit_square(8));
  const auto flow_of = [&](const RotatingFrame& frame, real y) {
    FlowStepSettings settings = settings_of_zones(FlowMethod::exact);
    settings.zones = {{.name = "rotor", .place = ZoneBall{{0.5, y, 0}, 0.3}, .rotating = frame}};
    auto flow = make_flow_step(*problem.mesh, settings, cavity_of(*problem.mesh, Vec3{1, 0, 0}), 0, &problem.wide);
    flow->start_from_rest();
    return flow;
  };
  const auto before = flow_of(plane_of_zone, 0.5);
  for (int k = 0; k < 3; ++k) before->advance(0.02);
  KeptState kept{Comm()};
  before->visit_state(kept);
  kept.restores = true;
  const RotatingFrame other{{0, 0, -2}, plane_of_zone.point};
  for (const auto& [frame, y] : {std::pair(plane_of_zone, real{0.5}), {other, 0.5}, {plane_of_zone, 0.375}}) {
    const bool is_same = frame.rate.z == plane_of_zone.rate.z && y == real{0.5};
    const auto after = flow_of(frame, y);
    EXPECT_FALSE(after->rotating_zones()->have_changed());
    after->visit_state(kept);
    EXPECT_EQ(after->rotating_zones()->have_changed(), !is_same);
    EXPECT_FALSE(after->rotating_zones()->have_changed());
  }
  EXPECT_TRUE(kept.missing.empty());
}

}  // namespace
}  // namespace solenoid::test
