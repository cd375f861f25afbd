/// Flows in a frame that turns, by both methods in the plane and in space: powers of its forces, what is at rest in it
/// or outside it, pressures, inertial oscillations, Ekman's layer.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "model/patch_integral.hpp"
#include "model/tractions.hpp"
#include "operators/interpolation.hpp"
#include "physics/flow/momentum/diagnostics.hpp"
#include "support/ducts.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

const RotatingFrame turning_plane{{0, 0, 1.5}, {0.3, -0.2, 0}};
const RotatingFrame turning_space{{0.5, -1, 1.2}, {0.3, -0.2, 0.6}};
const RotatingFrame& turning_in(int dimension) { return dimension == 2 ? turning_plane : turning_space; }

FlowStepSettings in_frame(const RotatingFrame& frame, FlowMethod method, real viscosity = 0.1) {
  FlowStepSettings settings = settings_of(method, viscosity);
  settings.frame = frame;
  return settings;
}

/// The fluxes of a velocity, at the corners of faces.
Field<Face> flux_of_linear(const LocalMesh& mesh, const std::function<Vec3(const Vec3&)>& u) {
  std::vector<real> values;
  for (int f = 0; f < mesh.owned<Face>(); ++f) {
    values.push_back(mesh.geometry().face_area[f] *
                     dot(u(mesh.geometry().face_centre[f]), mesh.geometry().face_normal[f]));
  }
  return {mesh, values};
}

/// The pressure in cells as outputs show it.
std::vector<real> shown_pressure(FlowStep& flow, const FlowProblem& problem) {
  VelocityReconstruction fit(*problem.mesh, problem.wide, flow.boundaries());
  Field<Node, NodeVelocity> nodes(*problem.mesh);
  return flow.balance().pressure(fit.fit(flow.state().flux, flow.time(), nodes)).to_host();
}

/// These values in owned cells less their mean over the volume.
std::vector<real> centred(const LocalMesh& mesh, std::vector<real> values) {
  real sums[2] = {0, 0};
  for (std::size_t c = 0; c < values.size(); ++c) {
    sums[0] += mesh.geometry().cell_volume[c] * values[c];
    sums[1] += mesh.geometry().cell_volume[c];
  }
  mesh.comm().sum(std::span<real>(sums));
  for (real& value : values) value -= sums[0] / sums[1];
  return values;
}

std::vector<real> potential_in_cells(const LocalMesh& mesh, const RotatingFrame& frame) {
  std::vector<real> values;
  for (int c = 0; c < mesh.owned<Cell>(); ++c) {
    values.push_back(frame.centrifugal_potential(mesh.geometry().cell_centre[c]));
  }
  return values;
}

/// Means over owned cells of the stream function s, u = (s_y, -s_x).
std::vector<real> stream_in_cells(FlowStep& flow) {
  Field<Edge>& stream = flow.stream_function();
  halo(stream);
  const std::vector<real> at_nodes = stream.all_to_host();
  std::vector<real> means;
  for (int c = 0; c < flow.mesh().owned<Cell>(); ++c) {
    real sum = 0;
    for (const int n : flow.mesh().part().cell_nodes_of(c)) sum += at_nodes[n];
    means.push_back(sum / 3);
  }
  return means;
}

real largest_difference(const std::vector<real>& a, const std::vector<real>& b) {
  real largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

TEST(RotatingFrame, CoriolisForceHasNoPower) {
  for (const int dimension : {2, 3}) {
    const FlowProblem problem(Comm(), unit_box(dimension, dimension == 2 ? 12 : 5, 0.3));
    const LocalMesh& mesh = *problem.mesh;
    const ClosedParts closed(mesh, std::vector<char>(mesh.boundary().size(), 0));
    FrameForces forces(mesh, turning_in(dimension), closed);
    Field<Face> flux = scattered_field<Face>(mesh), explicit_part(mesh);
    Field<Cell, Vec3> velocity(mesh), force(mesh);
    interpolate(halo(flux), velocity);
    forces.set(velocity);
    const real size = norm(turning_in(dimension).rate) * 2 * kinetic_energy(velocity);
    EXPECT_GT(size, 0.1);
    EXPECT_NEAR(forces.power(velocity), 0, 1e-13 * size);
    force = 0 * force;
    forces.add_to(force);
    integrate(halo(force), explicit_part);
    EXPECT_NEAR(dot(flux, explicit_part), 0, 1e-13 * size);  // of the fluxes along the duals
    EXPECT_GT(norm(explicit_part), 0.01);
  }
}

TEST(RotatingFrame, BetweenWallsOfThePlaneItsForcesAreAPressure_Steps) {
  const FlowProblem problem(Comm(), unit_square(10, 0.3));
  const LocalMesh& mesh = *problem.mesh;
  const RotatingFrame& frame = turning_plane;
  for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
    const int steps = method == FlowMethod::exact ? 20 : 800;  // the classical method's splitting is of the pressure
    std::vector<std::vector<real>> fluxes, pressures, potentials;
    for (const bool turns : {false, true}) {
      FlowStepSettings settings = in_frame(frame, method, 0.02);
      if (!turns) settings.frame.reset();
      const auto flow = flow_in(problem, settings, cavity_walls(mesh));
      flow->start_from_rest();
      for (int k = 0; k < steps; ++k) {
        if (k >= steps - 3) potentials.push_back(stream_in_cells(*flow));
        flow->advance(0.03);
      }
      EXPECT_EQ(max_divergence(flow->state().flux), 0);
      fluxes.push_back(flow->state().flux.to_host());
      pressures.push_back(shown_pressure(*flow, problem));
    }
    EXPECT_LT(largest_difference(fluxes[1], fluxes[0]), 1e-11);
    std::vector<real> expected = potential_in_cells(mesh, frame);
    for (std::size_t c = 0; c < expected.size(); ++c) {
      const real at_end = 2.5 * potentials[5][c] - 2 * potentials[4][c] + potentials[3][c] / 2;  // extrapolated
      expected[c] -= 2 * frame.rate.z * at_end;
      pressures[1][c] -= pressures[0][c];
    }
    EXPECT_LT(largest_difference(pressures[1], centred(mesh, expected)), 1e-8);
  }
}

/// Walls and fluid that turn with the frame, told as seen from rest.
TEST(RotatingFrame, SolidRotationStaysAtRestInIt) {
  in_both_methods([](int dimension, FlowMethod method) {
    const FlowProblem problem(Comm(), unit_box(dimension, dimension == 2 ? 8 : 4, 0.3));
    const LocalMesh& mesh = *problem.mesh;
    const RotatingFrame& frame = turning_in(dimension);
    const auto solid = Coefficient<Vec3>::of_place([&](const Vec3& x) { return frame.velocity(x); });
    const auto flow = flow_in(problem, in_frame(frame, method), Wall{frame.relative(solid)});
    const Coefficient<Vec3> seen = frame.relative(solid);
    Field<Face> start = flux_of_linear(mesh, [&](const Vec3& x) { return seen.at(x, 0); });
    flow->project(start);
    for (int k = 0; k < 10; ++k) flow->advance(0.1);
    EXPECT_LT(max_magnitude(flow->state().flux), 1e-15);
    const std::vector<real> pressure = shown_pressure(*flow, problem),
                            potential = centred(mesh, potential_in_cells(mesh, frame));
    EXPECT_LT(largest_difference(pressure, potential), 1e-13);
    // The pressure carries the fluid around: its force on the boundary is the centrifugal one.
    std::vector<int> all(mesh.part().patches.size());
    std::iota(all.begin(), all.end(), 0);
    const std::vector<real> force = PatchIntegral(mesh, all).of(&flow->balance().tractions().pressure);
    const Vec3 middle = dimension == 2 ? Vec3{0.5, 0.5, 0} : Vec3{0.5, 0.5, 0.5},
               outwards = -cross(frame.rate, frame.velocity(middle));
    EXPECT_NEAR(norm(Vec3{force[0], force[1], force[2]} - outwards), 0, 1e-12);
    EXPECT_NEAR(norm(flow->balance().force_in_fluid(ForceTestFunction(mesh, all)) - outwards), 0, 1e-12);
  });
}

struct RestErrors {
  real flux, pressure;  ///< relative in L2; largest of a pressure that is uniform [m^2/s^2]
};

/// Of a fluid that is at rest outside the frame, after .4 s.
RestErrors errors_of_rest(const MeshSource& source, FlowMethod method, int steps) {
  const FlowProblem problem(Comm(), source);
  const LocalMesh& mesh = *problem.mesh;
  const RotatingFrame& frame = turning_in(mesh.dimension());
  const auto flow = flow_in(problem, in_frame(frame, method), Inlet{frame.relative(Vec3{})});
  Field<Face> exact = flux_of_linear(mesh, [&](const Vec3&x) { return -frame.velocity(x); }), error(mesh);
  flow->project(exact);
  for (int k = 0; k < steps; ++k) flow->advance(real{0.4} / steps);
  error = flow->state().flux - exact;
  RestErrors found{norm(error) / norm(exact), 0};
  for (const real p : shown_pressure(*flow, problem)) found.pressure = std::max(found.pressure, std::abs(p));
  found.pressure = mesh.comm().max(found.pressure);
  return found;
}

TEST(RotatingFrame, FluidAtRestOutsideItStaysThereInSecondOrder_Long) {
  for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
    const RestErrors coarse = errors_of_rest(unit_cube(4, 0.2), method, 16),
                     fine = errors_of_rest(unit_cube(8, 0.2), method, 32);
    EXPECT_LT(fine.flux, 3e-4);
    EXPECT_GT(std::log2(coarse.flux / fine.flux), 1.9) << coarse.flux << " " << fine.flux;
    EXPECT_GT(std::log2(coarse.pressure / fine.pressure), 0.9) << coarse.pressure << " " << fine.pressure;
  }
}

std::string side_of_turning_duct(const Vec3& x) {
  constexpr real near = 1e-9;
  return x.x < near ? "left" : x.x > 1 - near ? "right" : "side";
}

/// A plug through a duct that slips: the pressure balances 2 Omega x u and the centrifugal force.
TEST(RotatingFrame, PlugsKeepToTheirPressure_Steps) {
  in_both_methods([](int dimension, FlowMethod method) {
    const FlowProblem problem(Comm(),
                              with_patches(unit_box(dimension, dimension == 2 ? 8 : 4, 0.2), side_of_turning_duct));
    const LocalMesh& mesh = *problem.mesh;
    const RotatingFrame& frame = turning_in(dimension);
    const Vec3 speed{0.7, 0, 0}, pull = 2 * cross(frame.rate, speed);
    const auto pressure = [&](const Vec3& x) { return frame.centrifugal_potential(x) - dot(pull, x); };
    const auto flow = flow_in(problem, in_frame(frame, method),
                              conditions(mesh, {{"left", Inlet{speed}},
                                                {"right", Outlet{frame.reduced(Coefficient<real>::of_place(pressure))}},
                                                {"side", Symmetry{}}}));
    Field<Face> plug = constant_flux(mesh, speed), error(mesh);
    flow->project(plug);
    for (int k = 0; k < (method == FlowMethod::exact ? 10 : 300); ++k) flow->advance(0.05);
    error = flow->state().flux - plug;
    EXPECT_LT(norm(error), 1e-10 * norm(plug));
    std::vector<real> exact;
    for (int c = 0; c < mesh.owned<Cell>(); ++c) exact.push_back(pressure(mesh.geometry().cell_centre[c]));
    EXPECT_LT(largest_difference(shown_pressure(*flow, problem), exact), 1e-9);
    const std::vector<real> on_boundary = flow->balance().wall_pressure().to_host();
    std::vector<real> means(2, 0), on_faces, exact_on_faces;
    for (int i = 0; i < mesh.boundary().size(); ++i) {
      const BoundaryFace& b = mesh.boundary()[i];
      if (!b.is_owned) continue;
      const real there = pressure(mesh.geometry().face_centre[b.face]);
      on_faces.push_back(on_boundary[i]), exact_on_faces.push_back(there);
      const std::string& patch = mesh.part().patches[b.patch];
      if (patch != "side") means[patch == "left" ? 0 : 1] += there * norm(b.outward_area);
    }
    mesh.comm().sum(std::span<real>(means));
    EXPECT_LT(largest_difference(on_faces, exact_on_faces), 1e-9);
    const std::vector<Opening>& openings = flow->balance().openings();
    const std::vector<real> shown = flow->balance().pressures_at_openings();
    ASSERT_EQ(openings.size(), 2U);
    for (std::size_t k = 0; k < openings.size(); ++k) {
      EXPECT_NEAR(shown[k], means[mesh.part().patches[openings[k].patch] == "left" ? 0 : 1], 1e-9);
    }
    const EnergyBudget budget = flow->balance().energy_budget();
    EXPECT_GT(std::abs(budget.frame), 0.1);
    EXPECT_NEAR(budget.change,
                budget.pressure + budget.inflow + budget.frame + budget.boundary_friction - budget.dissipation -
                    budget.numerical,
                1e-10);
    EXPECT_NEAR(budget.numerical, 0, 1e-10);
  });
}

/// Relative error of fluxes of a stream along the axis, which does not turn, drawn in by the total pressure of the
/// fluid at rest outside, and the largest error of its pressure.
RestErrors errors_of_drawn_stream(FlowMethod method, ConvectionForm convection, int n) {
  const auto side = [](const Vec3& x) {
    constexpr real near = 1e-9;
    return std::string(x.z < near ? "below" : x.z > 1 - near ? "above" : "side");
  };
  const FlowProblem problem(Comm(), with_patches(unit_cube(n, 0.15), side));
  const LocalMesh& mesh = *problem.mesh;
  const RotatingFrame frame{{0, 0, 1.2}, {0.4, 0.6, 0}};
  const Vec3 stream{0, 0, 0.7};
  Outlet opening{frame.reduced(Coefficient<real>(dot(stream, stream) / 2))};
  opening.inflow = OutletInflow::directed;
  opening.drift = frame.relative(Vec3{});
  FlowStepSettings settings = in_frame(frame, method, 0.02);
  settings.convection = convection;
  const auto flow = flow_in(problem, settings,
                            conditions(mesh, {{"below", opening},
                                              {"above", Outlet{frame.reduced(Coefficient<real>(0))}},
                                              {"side", Inlet{frame.relative(stream)}}}));
  Field<Face> exact = flux_of_linear(mesh, [&](const Vec3&x) { return stream - frame.velocity(x); }), error(mesh);
  flow->project(exact);
  for (int k = 0; k < 8 * n; ++k) flow->advance(real{0.06} / n);
  error = flow->state().flux - exact;
  RestErrors found{norm(error) / norm(exact), 0};
  for (const real p : shown_pressure(*flow, problem)) found.pressure = std::max(found.pressure, std::abs(p));
  found.pressure = mesh.comm().max(found.pressure);
  return found;
}

TEST(RotatingFrame, FluidThatDoesNotTurnIsDrawnInByItsTotalPressure_Long) {
  for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
    for (const ConvectionForm convection : {ConvectionForm::skew, ConvectionForm::central}) {
      const RestErrors coarse = errors_of_drawn_stream(method, convection, 4),
                       fine = errors_of_drawn_stream(method, convection, 8);
      const bool is_rebuilt = convection == ConvectionForm::skew;
      EXPECT_LT(fine.flux, is_rebuilt ? 6e-4 : 1.2e-2);
      EXPECT_GT(std::log2(coarse.flux / fine.flux), is_rebuilt ? 1.9 : 1.2) << coarse.flux << " " << fine.flux;
      EXPECT_LT(fine.pressure, coarse.pressure);
    }
  }
}

/// Of the mean velocity after a turn of about one radian in so many steps, in a box without boundary.
Vec3 oscillation(int dimension, FlowMethod method, int steps, real end = 1) {
  const auto side = [](const Vec3& x) {
    constexpr real near = 1e-9;
    return std::string(x.x < near       ? "left"
                       : x.x > 1 - near ? "right"
                       : x.y < near     ? "bottom"
                       : x.y > 1 - near ? "top"
                       : x.z < near     ? "back"
                                        : "front");
  };
  MeshSource source = with_patches(unit_box(dimension, 4, 0), side);
  source.pairs = {{"left", "right"}, {"bottom", "top"}};
  if (dimension == 3) source.pairs.emplace_back("back", "front");
  const FlowProblem problem(Comm(), source);
  const LocalMesh& mesh = *problem.mesh;
  const auto flow = flow_in(problem, in_frame({{0, 0, 0.5}, {}}, method), conditions(mesh, {}));
  Field<Face> start = constant_flux(mesh, {1, 0, 0});
  flow->project(start);
  for (int k = 0; k < steps; ++k) flow->advance(end / steps);
  const std::vector<real> through = flow->through_pairs();
  return {through[0], through[1], 0};
}

TEST(RotatingFrame, StreamsOscillateInSecondOrder_Slow) {
  in_both_methods([](int dimension, FlowMethod method) {
    const Vec3 exact{std::cos(real{1}), -std::sin(real{1}), 0};
    const real coarse = norm(oscillation(dimension, method, 20) - exact),
               fine = norm(oscillation(dimension, method, 40) - exact);
    EXPECT_LT(fine, 1e-3);
    EXPECT_GT(std::log2(coarse / fine), 1.8) << coarse << " " << fine;
    if (dimension == 3) {  // 4e5 by an extrapolation from two times
      EXPECT_LT(norm(oscillation(dimension, method, 200, 100)), 0.2);
    }
  });
}

/// Between a plate at rest and one that moves as the layer there: u + i v = 1 - exp(-(1 + i) z / d), d^2 = nu/Omega,
/// in units of
/// a stream that a force drives. Relative error of the fluxes.
real error_of_ekman_layer(FlowMethod method, int n) {
  constexpr real nu = 0.04, rate_of_turn = 0.5, stream = 0.1;
  const real depth = std::sqrt(nu / rate_of_turn);
  const auto velocity = [depth](const Vec3& x) {
    const real decay = std::exp(-x.z / depth);
    return stream * Vec3{1 - decay * std::cos(x.z / depth), decay * std::sin(x.z / depth), 0};
  };
  const auto side = [](const Vec3& x) {
    constexpr real near = 1e-9;
    return std::string(x.z < near       ? "floor"
                       : x.z > 1 - near ? "lid"
                       : x.x < near     ? "left"
                       : x.x > 1 - near ? "right"
                       : x.y < near     ? "front"
                                        : "back");
  };
  MeshSource source = with_patches(unit_cube(n), side);
  source.pairs = {{"left", "right"}, {"front", "back"}};
  const FlowProblem problem(Comm(), source);
  const LocalMesh& mesh = *problem.mesh;
  const auto flow = flow_in(problem, in_frame({{0, 0, rate_of_turn}, {}}, method, nu),
                            conditions(mesh, {{"floor", Wall{}}, {"lid", Wall{velocity({0, 0, 1})}}}));
  flow->set_body_force(Vec3{0, 2 * rate_of_turn * stream, 0});
  Field<Face> exact = flux_of_velocity(mesh, velocity), error(mesh);
  flow->project(exact);
  for (int k = 0; k < 1000 && (k < 5 || flow->rate_of_change() > 1e-10); ++k) flow->advance(0.1);
  EXPECT_LE(flow->rate_of_change(), 1e-10);
  const EnergyBudget budget = flow->balance().energy_budget();
  EXPECT_NEAR(budget.frame, 0, 1e-7 * budget.dissipation);
  EXPECT_NEAR(budget.change,
              budget.pressure + budget.inflow + budget.force + budget.frame + budget.boundary_friction -
                  budget.dissipation - budget.numerical,
              1e-7 * budget.dissipation);
  error = flow->state().flux - exact;
  return norm(error) / norm(exact);
}

TEST(RotatingFrame, EkmansLayerIsOfSecondOrder_Long) {
  for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
    const real coarse = error_of_ekman_layer(method, 4), fine = error_of_ekman_layer(method, 8);
    EXPECT_LT(fine, 0.02);
    EXPECT_GT(std::log2(coarse / fine), 1.8) << coarse << " " << fine;
  }
}

}  // namespace
}  // namespace solenoid::test
