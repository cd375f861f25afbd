/// Outlets whose pressure follows from the flux through them.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "base/error.hpp"
#include "physics/flow/momentum/diagnostics.hpp"
#include "physics/flow/step/flow_method.hpp"
#include "support/ducts.hpp"
#include "support/flows.hpp"
#include "support/openings.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

/// Fluid of length 1 between planes of symmetry, drawn by a pressure of 1 on the left against a windkessel on the
/// right: du/dt = 1 - p_r u - p_c, c dp_c/dt = u - p_c / d.
struct DrawnColumn {
  int dimension;
  FlowProblem problem;
  Windkessel behind;

  DrawnColumn(int d, const Windkessel& vessels)
      : dimension(d),
        problem(Comm(), d == 2 ? with_patches(unit_square(4, 0.2), side_of_square)
                               : with_patches(unit_cube(2, 0.2), side_of_cube)),
        behind(vessels) {}

  /// Speed after 1 s in so many steps, and the pressure on the outlet.
  std::array<real, 2> run(FlowMethod method, int steps) const {
    const LocalMesh& mesh = *problem.mesh;
    std::map<std::string, FlowBoundary> sides{{"left", Outlet{real{1}}}, {"right", Outlet{real{0}, behind}}};
    for (const char* side : {"top", "bottom", "side"}) sides[side] = Symmetry{};
    FlowStepSettings settings = open_settings(0.01, 1e-12, ConvectionForm::none);
    settings.method = method;
    const auto flow = make_flow_step(mesh, settings, conditions(mesh, sides), 0, &problem.wide);
    flow->start_from_rest();
    for (int k = 0; k < steps; ++k) flow->advance(real{1} / static_cast<real>(steps));
    EXPECT_EQ(max_divergence(flow->state().flux), 0);
    const std::vector<real> at_openings = flow->balance().pressures_at_openings();
    EXPECT_NEAR(at_openings[1], flow->outlets().now()[0], 1e-12);
    return {outflow(mesh, flow->state().flux, "right"), flow->outlets().now()[0]};
  }

  /// The same of the differential equations, by Runge and Kutta's method of fourth order.
  std::array<real, 2> exact() const {
    using State = std::array<real, 2>;
    constexpr int steps = 20000;
    const real dt = real{1} / steps;
    const auto rate = [&](const State& s) {
      return State{1 - behind.proximal * s[0] - s[1], (s[0] - s[1] / behind.distal) / behind.capacitance};
    };
    const auto moved = [](const State& s, real by, const State& k) {
      return State{s[0] + by * k[0], s[1] + by * k[1]};
    };
    State s{0, behind.initial};
    for (int k = 0; k < steps; ++k) {
      const State a = rate(s), b = rate(moved(s, dt / 2, a)), c = rate(moved(s, dt / 2, b)), d = rate(moved(s, dt, c));
      for (int i = 0; i < 2; ++i) s[i] += dt / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
    }
    return {s[0], behind.proximal * s[0] + s[1]};
  }
};

TEST(OutletPressures, AWindkesselFollowsItsEquationInSecondOrder_Steps) {
  for (const int dimension : {2, 3}) {
    const DrawnColumn column(dimension, {.proximal = 0.7, .capacitance = 0.4, .distal = 1.5, .initial = -0.3});
    const std::array<real, 2> exact = column.exact();
    for (const FlowMethod method : both_methods) {
      const std::array<real, 2> coarse = column.run(method, 80), fine = column.run(method, 160);
      for (int i = 0; i < 2; ++i) {
        EXPECT_LE(std::abs(fine[i] - exact[i]), 2e-3 * std::abs(exact[i]));
        EXPECT_GE(rate(std::abs(coarse[i] - exact[i]), std::abs(fine[i] - exact[i]), 2), 1.8)
            << dimension << "D " << coarse[i] - exact[i] << " " << fine[i] - exact[i];
      }
    }
  }
}

/// Flux and pressure belong together however stiff the outlet is, where a lagged pressure grows without bound.
TEST(OutletPressures, AStiffResistanceIsStable_Slow) {
  for (const int dimension : {2, 3}) {
    for (const real resistance : {real{1e-3}, real{1}, real{1e6}}) {
      const DrawnColumn column(dimension, {.proximal = resistance});
      for (const FlowMethod method : both_methods) {
        const auto [speed, pressure] = column.run(method, 20);
        EXPECT_NEAR(pressure, resistance * speed, 1e-9);
        const real exact = -std::expm1(-resistance) / resistance;
        EXPECT_NEAR(speed, exact, 0.02 * exact);
      }
    }
  }
}

/// Of the unit square or cube: what leaves on the right leaves above or below.
std::string side_with_two_outlets(const Vec3& x) {
  if (x.x > 1 - 1e-6) return x.y < 0.5 ? "lower" : "upper";
  return x.x < 1e-6 ? "left" : "side";
}

struct TwoOutlets {
  FlowProblem problem;
  int dimension;
  explicit TwoOutlets(int d, const Comm& comm = Comm(), const Partitioner& partition = partition_cells)
      : problem(comm,
                d == 2 ? with_patches(square_with_hole(9), side_of_branching)
                       : with_patches(unit_cube(4, 0.1), side_with_two_outlets),
                partition),
        dimension(d) {}
  const LocalMesh& mesh() const { return *problem.mesh; }

  std::unique_ptr<FlowStep> flow(FlowMethod method, const Outlet& lower, const Outlet& upper) const {
    const auto profile = [d = dimension](const Vec3& x, real t) {
      const real across = d == 2 ? 1 : 4 * x.z * (1 - x.z);
      return Vec3{4 * x.y * (1 - x.y) * across * (1 + std::sin(3 * t) / 2), 0, 0};
    };
    FlowStepSettings settings = open_settings(0.05, 1e-11);
    settings.method = method;
    return make_flow_step(mesh(), settings,
                          conditions(mesh(), {{"left", Inlet{Coefficient<Vec3>::of_place_and_time(profile)}},
                                              {"lower", lower},
                                              {"upper", upper}}),
                          0, &problem.wide);
  }
};

Coefficient<real> breathing() {
  return Coefficient<real>::of_time([](real t) { return real{0.2} + real{0.3} * std::sin(4 * t); });
}

TEST(OutletPressures, GivenFluxesLeave_Again) {
  for (const int dimension : {2, 3}) {
    for (const FlowMethod method : both_methods) {
      std::vector<real> expected;
      for (const NamedPartitioner& p : partitioners()) {
        const TwoOutlets domain(dimension, Comm(), p.partition);
        for (const bool is_share : {false, true}) {
          const Outlet upper{real{0}, is_share ? decltype(Outlet::behind)(OutletShare{real{0.3}})
                                               : decltype(Outlet::behind)(OutletRate{breathing()})};
          const auto flow = domain.flow(method, Outlet{}, upper);
          flow->start_from_rest();
          for (int k = 0; k < 6; ++k) {
            if (k > 0) flow->advance(k < 4 ? 0.03 : 0.02);
            flow->require_given_fluxes();
            EXPECT_EQ(max_divergence(flow->state().flux), 0);
            const Field<Face>& flux = flow->state().flux;
            const real enters = -outflow(domain.mesh(), flux, "left"), leaves = outflow(domain.mesh(), flux, "upper");
            EXPECT_NEAR(leaves, is_share ? 0.3 * enters : breathing().at(Vec3{}, flow->time()), 1e-12) << k;
            EXPECT_NEAR(leaves + outflow(domain.mesh(), flux, "lower"), enters, 1e-12);
          }
          if (is_share) continue;
          if (expected.empty()) expected = gather(flow->state().flux);
          expect_equal(gather(flow->state().flux), expected, p.name, 1e-9);
        }
      }
    }
  }
}

/// A flow goes on the same if the pressures that followed from its fluxes are given instead.
TEST(OutletPressures, AreThoseThatMomentumNeeds_Steps) {
  constexpr int steps = 8;
  constexpr real dt = 0.02;
  const std::vector<decltype(Outlet::behind)> kinds{OutletRate{breathing()}, OutletShare{real{0.6}},
                                                    Windkessel{.proximal = 2},
                                                    Windkessel{.proximal = 0.5, .capacitance = 0.3, .distal = 4}};
  for (const int dimension : {2, 3}) {
    const TwoOutlets domain(dimension);
    for (const FlowMethod method : both_methods) {
      for (const auto& behind : kinds) {
        const auto flow = domain.flow(method, Outlet{real{0}, Windkessel{.proximal = 0.2}}, Outlet{real{0.1}, behind});
        flow->start_from_rest();
        Field<Face> start(domain.mesh());
        start.copy_from(flow->state().flux);
        std::vector<std::vector<real>> pressures;
        for (int k = 0; k < steps; ++k) {
          flow->advance(dt);
          pressures.push_back(flow->outlets().now());
        }
        const auto given = [&](std::size_t outlet, real besides) {
          return Outlet{Coefficient<real>::of_time([=](real t) {
            const auto step = static_cast<std::size_t>(std::lround(t / dt));
            return step == 0 ? real{0} : pressures[step - 1][outlet] + besides;
          })};
        };
        const auto other = domain.flow(method, given(0, 0), given(1, 0.1));
        other->project(start);
        for (int k = 0; k < steps; ++k) other->advance(dt);
        expect_equal(gather(other->state().flux), gather(flow->state().flux),
                     std::to_string(dimension) + "D, " + std::to_string(behind.index()),
                     method == FlowMethod::exact ? 1e-7 : 1e-2);
        expect_equal(other->balance().pressures_at_openings(), flow->balance().pressures_at_openings(), "pressure",
                     method == FlowMethod::exact ? 1e-5 : 2e-2);
      }
    }
  }
}

TEST(OutletPressures, OneOutletTakesTheRest) {
  const TwoOutlets domain(2);
  EXPECT_THROW(
      domain.flow(FlowMethod::exact, Outlet{real{0}, OutletShare{real{0.5}}}, Outlet{real{0}, OutletRate{breathing()}}),
      Error);
}

}  // namespace
}  // namespace solenoid::test
