/// Flows past a step that is far shorter than those around it, as between two output times: it costs nothing, and any
/// number of them leaves the flow stable.
#include <gtest/gtest.h>

#include <cmath>

#include "physics/flow/momentum/diagnostics.hpp"
#include "support/flows.hpp"
#include "support/openings.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

real swelling(real t) { return 1 + std::sin(3 * t) / 2; }
real with_a_kink(real t) { return 1 + std::max(real{0}, 4 * (t - real{0.2})); }

/// A wall that slides along itself, or an inlet and an outlet.
FlowBoundaries moving(const LocalMesh& mesh, bool is_open, real (*speed)(real)) {
  const Coefficient<Vec3> velocity(
      [speed](std::span<const Vec3> x, real t, std::span<Vec3> u) {
        for (std::size_t i = 0; i < x.size(); ++i) {
          const auto bump = [](real s) { return 4 * s * (1 - s); };
          const real across = x[i].x < 1e-6 ? bump(x[i].y) : bump(x[i].x);
          u[i] = {speed(t) * across * (x[i].z > 0 ? bump(x[i].z) : 1), 0, 0};
        }
      },
      Dependence{.on_place = true, .on_time = true});
  return is_open ? conditions(mesh, {{"left", Inlet{velocity}}, {"right", Outlet{real{0}}}})
                 : conditions(mesh, {{"lid", Wall{velocity}}});
}

struct Way {
  FlowMethod method;
  int dimension;
  bool is_open;
  DiffusionForm diffusion;
  int passes;
};

std::vector<Way> all_ways() {
  std::vector<Way> ways;
  for (const int dimension : {2, 3}) {
    for (const bool is_open : {false, true}) {
      ways.push_back({FlowMethod::exact, dimension, is_open, DiffusionForm::rotational, 1});
      for (const DiffusionForm diffusion : {DiffusionForm::rotational, DiffusionForm::face_average}) {
        for (const int passes : {1, 2, 3}) {
          ways.push_back({FlowMethod::classical, dimension, is_open, diffusion, passes});
        }
      }
    }
  }
  return ways;
}

std::string name_of(const Way& way) {
  return std::string(way.method == FlowMethod::exact ? "exact" : "classical") + std::to_string(way.dimension) +
         (way.is_open ? "open" : "closed") + (way.diffusion == DiffusionForm::rotational ? "" : "face_average") +
         std::to_string(way.passes);
}

class ShortStep : public testing::TestWithParam<Way> {
 protected:
  void SetUp() override {
    if (Comm().size() > 1 && GetParam().passes > 1) GTEST_SKIP() << "takes long: on one rank";
  }
};

struct Trial {
  std::unique_ptr<LocalMesh> mesh;
  std::unique_ptr<FlowStep> flow;
  explicit Trial(const Way& way, real tolerance = 1e-11, real (*speed)(real) = swelling) {
    const auto side = [&](const Vec3& x) -> std::string {
      if (!way.is_open) return x.y > 1 - 1e-6 ? "lid" : "wall";
      return x.x < 1e-6 ? "left" : x.x > 1 - 1e-6 ? "right" : "wall";
    };
    mesh = make_mesh(Comm(), with_patches(way.dimension == 2 ? unit_square(6, 0.2) : unit_cube(3, 0.15), side));
    FlowStepSettings settings = tight_settings(0.02, tolerance);
    settings.method = way.method;
    settings.convection = ConvectionForm::central;
    settings.diffusion = way.diffusion;
    settings.passes = way.passes;
    flow = make_flow_step(*mesh, settings, moving(*mesh, way.is_open, speed), 0, nullptr);
    flow->start_from_rest();
  }
};

/// Of the fluid on its boundary's faces, on this rank.
std::vector<real> tractions(FlowStep& flow) {
  const Tractions& now = flow.balance().tractions();
  std::vector<real> values;
  for (const auto* part : {&now.pressure, &now.friction}) {
    for (const Vec3& t : part->to_host()) values.insert(values.end(), {t.x, t.y, t.z});
  }
  return values;
}

/// In L2 over all ranks, relative to the second.
real distance_on(const Comm& comm, const std::vector<real>& a, const std::vector<real>& b) {
  real sums[2]{};
  for (std::size_t i = 0; i < a.size(); ++i) sums[0] += (a[i] - b[i]) * (a[i] - b[i]), sums[1] += b[i] * b[i];
  comm.sum(std::span<real>(sums));
  return std::sqrt(sums[0] / sums[1]);
}

/// One step of any length among equal ones changes the flow and what it does to its boundary by no more than the time
/// that it takes.
TEST_P(ShortStep, LeavesFlowAndForcesAsTheyWere_Again) {
  constexpr real dt = 0.025;
  Trial even(GetParam());
  for (int k = 0; k < 20; ++k) even.flow->advance(dt);
  std::vector<std::vector<real>> forces;  // after the first steps that follow
  for (int k = 0; k < 3; ++k) {
    even.flow->advance(dt);
    forces.push_back(tractions(*even.flow));
  }
  const std::vector<real> flux = gather(even.flow->state().flux);
  for (const real ratio : {1e-2, 1e-5, 1e-8}) {
    Trial uneven(GetParam());
    for (int k = 0; k < 20; ++k) uneven.flow->advance(dt);
    uneven.flow->advance(ratio * dt);
    for (const std::vector<real>& expected : forces) {
      uneven.flow->advance(dt);
      EXPECT_LE(distance_on(even.mesh->comm(), tractions(*uneven.flow), expected), 0.5 * ratio + 4e-3) << ratio;
    }
    EXPECT_LE(distance(gather(uneven.flow->state().flux), flux), 0.05 * ratio + 1e-4) << ratio;
  }
}

/// Every other step is that short, or two of three.
TEST_P(ShortStep, ManyOfThemLeaveTheFlowStable_Steps) {
  constexpr real dt = 0.025;
  Trial even(GetParam());
  for (int k = 0; k < 30; ++k) even.flow->advance(dt);
  const std::vector<real> flux = gather(even.flow->state().flux);
  for (const auto& [ratio, in_a_row] : {std::pair(real{1e-3}, 1), {real{1e-8}, 1}, {real{1e-4}, 2}}) {
    Trial uneven(GetParam(), 1e-6);
    for (int k = 0; k < 30; ++k) {
      uneven.flow->advance(dt);
      for (int j = 1; j <= in_a_row; ++j) uneven.flow->advance(std::pow(ratio, static_cast<real>(j)) * dt);
      ASSERT_EQ(max_divergence(uneven.flow->state().flux), 0);
    }
    EXPECT_LE(distance(gather(uneven.flow->state().flux), flux), 0.1 * ratio + 2e-3) << ratio << " " << in_a_row;
  }
}

/// After a kink in time of what is given the classical step's forces are the exact one's.
TEST_P(ShortStep, ForcesDoNotRingAfterAKink_Again) {
  const Way& way = GetParam();
  if (way.method == FlowMethod::exact || way.diffusion != DiffusionForm::rotational) GTEST_SKIP() << "compares the two";
  constexpr real dt = 0.01;
  Way exact = way;
  exact.method = FlowMethod::exact, exact.passes = 1;
  Trial expected(exact, 1e-11, with_a_kink), found(way, 1e-11, with_a_kink);
  for (int k = 0; k < 35; ++k) {
    expected.flow->advance(dt);
    found.flow->advance(dt);
    if (k < 15) continue;  // the kink is at the end of step 19
    EXPECT_LE(distance_on(found.mesh->comm(), tractions(*found.flow), tractions(*expected.flow)),
              way.is_open ? 0.02 : 0.04)
        << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, ShortStep, testing::ValuesIn(all_ways()),
                         [](const auto& test) { return name_of(test.param); });

}  // namespace
}  // namespace solenoid::test
