/// The exact fractional step: divergence at round-off, the same flow on any number of ranks, holes, and observed
/// orders.
#include "physics/flow/step/exact_step.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "physics/flow/momentum/diagnostics.hpp"
#include "solve/boomeramg.hpp"
#include "support/flows.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

TEST(ExactStep, DivergenceIsZeroAtAnyTolerance) {
  const auto mesh = make_mesh(Comm(), unit_square(24, 0.3));
  for (real tolerance : {1e-1, 1e-2, 1e-4, 1e-8, 1e-12}) {
    ExactStep flow(*mesh, tight_settings(1e-2, tolerance), cavity_walls(*mesh), 0);
    for (int k = 0; k < 10; ++k) {
      flow.advance(0.01);
      EXPECT_EQ(max_divergence(flow.state().flux), 0) << "tolerance " << tolerance;
    }
    EXPECT_GT(kinetic_energy(flow.state().velocity), 1e-3);
  }
}

/// Steps the cavity on these ranks; the potential by global id on every rank.
std::vector<real> cavity_potential(const Comm& comm, const MeshSource& source, const Partitioner& partition) {
  const auto mesh = make_mesh(comm, source, partition);
  ExactStep flow(*mesh, tight_settings(1e-2, 1e-12), cavity_walls(*mesh), 0);
  for (int k = 0; k < 8; ++k) flow.advance(k < 4 ? 0.02 : 0.01);
  return gather(flow.stream_function());
}

TEST(ExactStep, FlowsTheSameOnAnyPartition) {
  for (const MeshSource& source : {unit_square(12, 0.3), square_with_hole(12)}) {
    const std::vector<real> expected = cavity_potential(alone(), source, partition_cells);
    real scale = 0;
    for (real s : expected) scale = std::max(scale, std::abs(s));
    for (const NamedPartitioner& p : partitioners()) {
      const std::vector<real> found = cavity_potential(Comm(), source, p.partition);
      for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-10 * scale) << p.name;
    }
  }
}

/// As those in space, see Flow3d.
TEST(ExactStep, EddiesWithoutFrictionGainNoEnergy_Steps) {
  const auto mesh = make_mesh(Comm(), unit_square(12, 0.2));
  for (const ConvectionForm form : {ConvectionForm::rotational, ConvectionForm::central}) {
    FlowStepSettings settings = tight_settings(1e-12, 1e-10);
    settings.convection = form;
    ExactStep flow(*mesh, settings, FlowBoundaries(Wall{Vec3{}}), 0);
    Field<Edge> potential = scattered_field<Edge>(*mesh);
    Field<Face> start(*mesh);
    start = mesh->C * halo(potential);
    flow.project(start);
    const real before = kinetic_energy(flow.state().velocity), dt = 0.8 / courant_rate(flow.state().flux);
    for (int k = 0; k < 400; ++k) flow.advance(dt);
    const real after = kinetic_energy(flow.state().velocity);
    EXPECT_LE(after, 1.01 * before) << static_cast<int>(form);
    EXPECT_GE(after, 0.9 * before) << static_cast<int>(form);
  }
}

/// With multigrid, also hypre's, steps take as many iterations on a finer mesh, of short steps and of ones in which
/// friction travels far, and lead to the flow that jacobi's lead to.
TEST(ExactStep, NeedsFewIterationsOnAnyMesh_Long) {
  for (const real viscosity : {1e-3, 1e-2, 1e-1}) {
    for (const int n : {12, 24, 48, -24}) {
      const auto mesh = make_mesh(Comm(), n > 0 ? unit_square(n, 0.3) : square_with_hole(-n));
      const auto run = [&](PreconditionerKind preconditioner, int& iterations) {
        FlowStepSettings settings = tight_settings(viscosity, 1e-9);
        settings.potential.preconditioner = preconditioner;
        ExactStep flow(*mesh, settings, cavity_walls(*mesh), 0);
        for (int k = 0; k < 4; ++k) flow.advance(real{0.25} / std::abs(n));
        iterations = flow.solves().entries().at("potential").iterations_max;
        EXPECT_EQ(flow.solves().entries().at("potential").control.preconditioner, preconditioner);
        return gather(flow.stream_function());
      };
      int with_multigrid = 0, with_jacobi = 0, with_gauss_seidel = 0;
      const std::vector<real> found = run(PreconditionerKind::multigrid, with_multigrid);
      expect_equal(found, run(PreconditionerKind::jacobi, with_jacobi), "the flow", 1e-7);
      expect_equal(found, run(PreconditionerKind::gauss_seidel, with_gauss_seidel), "with Gauss-Seidel", 1e-7);
      EXPECT_LT(4 * with_gauss_seidel, 3 * with_jacobi) << viscosity << ", " << n;
      EXPECT_LE(with_multigrid, viscosity < 0.05 ? 16 : 26) << viscosity << ", " << n;
      EXPECT_LT(2 * with_multigrid, with_jacobi) << viscosity << ", " << n;
      if (hypre_version().empty()) continue;
      int with_boomeramg = 0;
      expect_equal(run(PreconditionerKind::boomeramg, with_boomeramg), found, "the flow with BoomerAMG", 1e-7);
      EXPECT_LE(with_boomeramg, viscosity < 0.05 ? 16 : 26) << viscosity << ", " << n;
    }
  }
}

TEST(ExactStep, RepeatsItsBits) {
  const MeshSource source = unit_square(12, 0.3);
  EXPECT_EQ(cavity_potential(Comm(), source, partition_cells), cavity_potential(Comm(), source, partition_cells));
}

/// A tolerance against the whole of the equation would let a slow flow coast: its extrapolation is good enough.
TEST(ExactStep, ALooseToleranceLeadsToTheSameSteadyFlow_Slow) {
  const auto mesh = make_mesh(Comm(), unit_square(6, 0.3));
  const auto steady = [&](real tolerance) {
    ExactStep flow(*mesh, tight_settings(0.1, tolerance), cavity_walls(*mesh), 0);
    for (int k = 0; k < 150; ++k) {
      flow.advance(0.05);
      const bool changes = flow.rate_of_change() > 1e-13;
      EXPECT_GE(flow.solves().entries().at("potential").last.iterations, changes ? 1 : 0);
    }
    return gather(flow.stream_function());
  };
  const std::vector<real> exact = steady(1e-12);
  const real largest = std::abs(*std::min_element(exact.begin(), exact.end()));
  for (real tolerance : {1e-1, 1e-2, 1e-3}) {
    const std::vector<real> found = steady(tolerance);
    for (std::size_t i = 0; i < found.size(); ++i)
      ASSERT_NEAR(found[i], exact[i], 1e-6 * largest) << "tolerance " << tolerance << ", node " << i;
  }
}

/// From a vortex to nothing: 70 orders of magnitude in energy between two pressures.
TEST(ExactStep, AFlowMayComeToRest_Steps) {
  FlowProblem problem(Comm(), unit_square(5, 0.3));
  const LocalMesh& mesh = *problem.mesh;
  const FlowBoundaries at_rest(Wall{});
  VelocityReconstruction fit(mesh, problem.wide, at_rest);
  Field<Node, NodeVelocity> nodes(mesh);
  ExactStep flow(mesh, tight_settings(1, 1e-8), at_rest, 0);
  const ManufacturedFlow field;
  Field<Edge> s = sampled_field<Edge>(mesh, [&](const Vec3& x) { return field.potential(x, 0); });
  Field<Face> flux(mesh);
  flux = mesh.C * halo(s);
  flow.project(flux);
  real before = kinetic_energy(flow.state().velocity);
  for (int k = 0; k < 12; ++k) {
    for (int j = 0; j < 40; ++j) flow.advance(0.1);
    flow.balance().pressure(fit.fit(flow.state().flux, flow.time(), nodes));
    const real now = kinetic_energy(flow.state().velocity);
    EXPECT_TRUE(now < before || now == 0) << now;
    before = now;
  }
  EXPECT_EQ(before, 0);
}

TEST(Diagnostics, TheFastestPlaceIsTheSameOnAnyPartition) {
  const auto around = [](const Vec3& x) {  // a small eddy: fast half a width from its middle
    const real r2 = (x.x - 0.7) * (x.x - 0.7) + (x.y - 0.3) * (x.y - 0.3);
    return std::exp(-r2 / 0.005);
  };
  const auto fastest = [&](const Comm& comm, const Partitioner& partition) {
    const auto mesh = make_mesh(comm, unit_square(12, 0.3), partition);
    Field<Edge> s = sampled_field<Edge>(*mesh, around);
    Field<Face> flux(*mesh);
    flux = mesh->C * halo(s);
    return fastest_place(flux);
  };
  const Vec3 expected = fastest(alone(), partition_cells);
  EXPECT_NEAR(norm(expected - Vec3{0.7, 0.3, 0}), 0.05, 0.08);
  for (const NamedPartitioner& p : partitioners()) {
    EXPECT_EQ(norm(fastest(Comm(), p.partition) - expected), 0) << p.name;
  }
}

/// The lid's speed counts on the lid's own cells, not on the smallest cell of the mesh.
TEST(ExactStep, AWallsSpeedCountsOnItsOwnCells) {
  MeshSource source = unit_square(8);
  for (Vec3& x : source.points) x.x *= 0.2 + 0.8 * x.y;  // cells far from the lid are narrow
  const auto mesh = make_mesh(Comm(), source);
  const IncidenceRows& faces = mesh->D.host();
  real on_lid = 0, anywhere = 0;
  for (int c = 0; c < mesh->owned<Cell>(); ++c) {
    real flow = 0;
    for (int k = faces.offset[c]; k < faces.offset[c + 1]; ++k)
      flow += std::abs(mesh->geometry().face_normal[faces.index[k]].x) * mesh->geometry().face_area[faces.index[k]];
    anywhere = std::max(anywhere, flow / (2 * mesh->geometry().cell_volume[c]));
  }
  for (const BoundaryFace& b : mesh->boundary()) {
    if (!b.is_owned || mesh->part().patches[b.patch] != "lid") continue;
    const int c = b.cell;
    real flow = 0;
    for (int k = faces.offset[c]; k < faces.offset[c + 1]; ++k)
      flow += std::abs(mesh->geometry().face_normal[faces.index[k]].x) * mesh->geometry().face_area[faces.index[k]];
    on_lid = std::max(on_lid, flow / (2 * mesh->geometry().cell_volume[c]));
  }
  on_lid = mesh->comm().max(on_lid);
  anywhere = mesh->comm().max(anywhere);
  EXPECT_NEAR(courant_rate_of_boundary(*mesh, cavity_walls(*mesh), 0, 1, 3), on_lid, 1e-12 * on_lid);
  EXPECT_LT(on_lid, 0.9 * anywhere);
}

TEST(ExactStep, KeepsTheEnergyOfAnInviscidFlow_Steps) {
  const auto mesh = make_mesh(Comm(), unit_square(16, 0.3));
  const ManufacturedFlow field;
  ExactStep flow(*mesh, tight_settings(1e-12, 1e-12), Wall{}, 0);
  Field<Edge> s = sampled_field<Edge>(*mesh, [&](const Vec3& x) { return field.potential(x, 0); });
  Field<Face> flux(*mesh);
  flux = mesh->C * halo(s);
  flow.project(flux);
  const real before = kinetic_energy(flow.state().velocity);
  for (int k = 0; k < 20; ++k) flow.advance(0.002);
  EXPECT_NEAR(kinetic_energy(flow.state().velocity) / before, 1,
              2e-5);  // the space part is exact, BDF2 loses O(dt^3) a step
}

TEST(ExactStep, ProjectionKeepsADivergenceFreeField) {
  const auto mesh = make_mesh(Comm(), square_with_hole(12));
  ExactStep flow(*mesh, tight_settings(1e-2, 1e-13), cavity_walls(*mesh), 0);
  Field<Edge> s(*mesh);
  std::vector<real> values;
  for (int n = 0; n < mesh->owned<Node>(); ++n) {
    const int wall = mesh->part().node_boundary_loop[n];
    values.push_back(wall < 0                                   ? value_of(mesh->numbering<Node>().global_id[n])
                     : mesh->part().boundary_loop_is_hole[wall] ? 0.7
                                                                : 0);
  }
  s.from_host(values);
  Field<Face> flux(*mesh), difference(*mesh);
  flux = mesh->C * halo(s);
  flow.project(flux);
  difference = flow.state().flux - flux;
  EXPECT_LE(max_magnitude(difference), 1e-10);
}

/// A flow around the hole: between a resting square and a hole whose wall turns, the potential of the hole is not zero.
TEST(ExactStep, AHoleTakesTheFlowAroundIt) {
  const auto mesh = make_mesh(Comm(), square_with_hole(12));
  const auto along_hole = [](const Vec3& x) {
    const real h = 1e-9;  // along each side of the hole, counter-clockwise
    if (std::abs(x.y - real{1} / 3) < h && x.x > 0.34 && x.x < 0.66) return Vec3{1, 0, 0};
    if (std::abs(x.y - real{2} / 3) < h && x.x > 0.34 && x.x < 0.66) return Vec3{-1, 0, 0};
    if (std::abs(x.x - real{1} / 3) < h && x.y > 0.34 && x.y < 0.66) return Vec3{0, -1, 0};
    if (std::abs(x.x - real{2} / 3) < h && x.y > 0.34 && x.y < 0.66) return Vec3{0, 1, 0};
    return Vec3{};
  };
  std::vector<FlowBoundary> turning;
  for (const std::string& patch : mesh->part().patches) {
    turning.push_back(Wall{patch == "hole" ? Coefficient<Vec3>::of_place(along_hole) : Coefficient<Vec3>{}});
  }
  ExactStep flow(*mesh, tight_settings(0.1, 1e-12), turning, 0);
  for (int k = 0; k < 20; ++k) flow.advance(0.05);
  const std::vector<real> s = gather(flow.stream_function());
  const GlobalMesh whole = build_topology(square_with_hole(12));
  real on_hole = 0;
  for (int n = 0; n < whole.nodes(); ++n) {
    if (whole.node_boundary_loop[n] >= 0 && whole.boundary_loop_is_hole[whole.node_boundary_loop[n]]) {
      if (on_hole == 0) on_hole = s[n];
      EXPECT_EQ(s[n], on_hole);
    }
  }
  EXPECT_GT(on_hole, 0.01);  // counter-clockwise flow: u = (ds/dy, -ds/dx) falls from the hole outwards to s = 0
  EXPECT_LE(max_divergence(flow.state().flux), 1e-14);
}

TEST(ExactStep, AMeshWithoutInnerNodesStaysAtRest) {
  const auto mesh = make_mesh(Comm(), unit_square(1));
  ExactStep flow(*mesh, tight_settings(0.1), cavity_walls(*mesh), 0);
  flow.advance(0.1);
  EXPECT_EQ(kinetic_energy(flow.state().velocity), 0);
}

/// Each end of a chord of the turning circle has a velocity across the chord; the fluid does not.
TEST(ExactStep, ACurvedWallMayTurn_Slow) {
  MeshSource source = unit_square(8);
  for (Vec3& x : source.points) {  // the square pulled out to a disc
    const Vec3 d = 2 * x - Vec3{1, 1, 0};
    const real longest = std::max(std::abs(d.x), std::abs(d.y)), length = norm(d);
    x = length > 0 ? (longest / length) * d : Vec3{};
  }
  const auto mesh = make_mesh(Comm(), source);
  const FlowBoundaries turning = Wall{Coefficient<Vec3>::of_place([](const Vec3& x) { return Vec3{-x.y, x.x, 0}; })};
  ExactStep flow(*mesh, tight_settings(0.5), turning, 0);
  for (int k = 0; k < 100; ++k) flow.advance(0.1);
  // Solid-body rotation with omega = 2: the kinetic energy of a disc of radius 1 is pi/4 (the polygon's is 4 % less).
  EXPECT_NEAR(kinetic_energy(flow.state().velocity) / (3.14159265358979 / 4), 1, 0.08);
}

TEST(ExactStep, RefusesAWallThatLetsFluidThrough) {
  const auto mesh = make_mesh(Comm(), unit_square(4));
  try {
    ExactStep(*mesh, tight_settings(0.1), Wall{Vec3{1, 0, 0}}, 0);
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    EXPECT_TRUE(error.collective());
    EXPECT_NE(std::string(error.what()).find("wall \"wall\""), std::string::npos) << error.what();
  }
}

/// Without a step the pressure follows from the momentum equation at the start: of a flow that changes, too.
TEST(ExactStep, InitialPressureConverges_Long) {
  ManufacturedFlow manufactured;
  manufactured.steady = false;
  const auto error = [&](int n) {
    FlowProblem problem(Comm(), unit_square(n, 0.1));
    return run_manufactured(problem, manufactured, tight_settings(0.01), 0, 0).pressure;
  };
  const real coarse = error(16), fine = error(32);
  RecordProperty("pressure", std::to_string(rate(coarse, fine, 2)));
  EXPECT_GE(rate(coarse, fine, 2), 1.2) << coarse << " " << fine;
  EXPECT_LE(fine, 0.05);
}

/// The pressure of the cells alone would be of first order on the wall.
TEST(ExactStep, WallPressureConverges_Long) {
  const auto error = [](int n) {
    FlowProblem problem(Comm(), unit_square(n, 0.1));
    return run_manufactured(problem, {}, tight_settings(0.01), 0.1, 20).wall_pressure;
  };
  const real coarse = error(16), fine = error(32);
  RecordProperty("wall_pressure", std::to_string(rate(coarse, fine, 2)));
  EXPECT_GE(rate(coarse, fine, 2), 1.2) << coarse << " " << fine;
  EXPECT_LE(fine, 0.01);
}

TEST(ExactStep, InitialPressureLeavesTheRunAsItIs) {
  FlowProblem problem(Comm(), unit_square(8, 0.3));
  const LocalMesh& mesh = *problem.mesh;
  const FlowBoundaries walls = cavity_walls(mesh);
  VelocityReconstruction fit(mesh, problem.wide, walls);
  const auto potential = [&](bool asked) {
    ExactStep flow(mesh, tight_settings(0.01), cavity_walls(mesh), 0);
    start(flow, {});
    if (asked) {
      Field<Node, NodeVelocity> nodes(mesh);
      flow.balance().pressure(fit.fit(flow.state().flux, 0, nodes));
    }
    for (int k = 0; k < 3; ++k) flow.advance(0.01);
    return gather(flow.stream_function());
  };
  EXPECT_EQ(potential(true), potential(false));
}

/// The potential after a time-dependent manufactured run; `uneven` makes every other step half as long.
std::vector<real> potential_after(const LocalMesh& mesh, TimeScheme scheme, int steps, bool uneven) {
  ManufacturedFlow manufactured;
  manufactured.steady = false;
  FlowStepSettings settings = tight_settings(0.01, 1e-12);
  settings.scheme = scheme;
  ExactStep flow(mesh, settings, manufactured.walls(), 0);
  start(flow, manufactured);
  for (int k = 0; k < steps; ++k) flow.advance(real{0.8} / steps * (uneven ? (k % 2 ? real{4} / 3 : real{2} / 3) : 1));
  return gather(flow.stream_function());
}

real order_in_time(TimeScheme scheme, bool uneven) {
  const auto mesh = make_mesh(Comm(), unit_square(10, 0.2));
  const auto distance = [](const std::vector<real>& a, const std::vector<real>& b) {
    real sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return std::sqrt(sum);
  };
  static const std::vector<real> exact = potential_after(*mesh, TimeScheme::second_order, 1600, false);
  return rate(distance(potential_after(*mesh, scheme, 100, uneven), exact),
              distance(potential_after(*mesh, scheme, 200, uneven), exact), 2);
}

TEST(ExactStep, IsOfSecondOrderInTime_Long) {
  const real even = order_in_time(TimeScheme::second_order, false),
             uneven = order_in_time(TimeScheme::second_order, true);
  RecordProperty("even", std::to_string(even));
  RecordProperty("uneven", std::to_string(uneven));
  EXPECT_GE(even, 1.9);
  EXPECT_GE(uneven, 1.9);
}

TEST(ExactStep, EulerIsOfFirstOrderInTime_Steps) {
  const real order = order_in_time(TimeScheme::euler, false);
  EXPECT_GE(order, 0.9);
  EXPECT_LE(order, 1.3);
}

}  // namespace
}  // namespace solenoid::test
