/// Fluids whose viscosity follows a law of the shear rate, through a round pipe: exact profiles and their order.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "support/flows.hpp"
#include "support/geometries.hpp"
#include "support/openings.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

constexpr real radius_of_pipe = 0.5, stress_at_wall = 0.5;

/// The shear stress is in proportion to the distance from the axis: u = integral of the shear rate from there to the
/// wall, by Simpson's rule.
class PipeProfile {
 public:
  explicit PipeProfile(const ViscosityLaw& law) : velocity_(count + 1, 0) {
    for (int k = count; k-- > 0;) {
      const auto shear = [&](real place) { return rate_of(law, stress_at_wall * place / count); };
      velocity_[k] =
          velocity_[k + 1] + (shear(k) + 4 * shear(k + real{0.5}) + shear(k + 1)) * radius_of_pipe / (6 * count);
    }
  }
  real operator()(const Vec3& x) const {
    const real place = std::min(std::hypot(x.y, x.z) / radius_of_pipe, real{1}) * count;
    const int k = std::min(static_cast<int>(place), count - 1);
    return velocity_[k] + (place - k) * (velocity_[k + 1] - velocity_[k]);
  }

 private:
  static constexpr int count = 2000;
  /// The shear rate of a stress, by bisection.
  static real rate_of(const ViscosityLaw& law, real stress) {
    real low = 0, high = 1e4;
    for (int k = 0; k < 100; ++k) {
      const real rate = (low + high) / 2;
      (law(rate * rate) * rate < stress ? low : high) = rate;
    }
    return low;
  }
  std::vector<real> velocity_;
};

struct PipeFlow {
  real error;  ///< relative, of the fluxes
  real cells;
};

/// The steady flow, which enters and leaves by its profile.
PipeFlow flow_in_pipe(FlowMethod method, const ViscosityLaw& law, real size) {
  const FlowProblem problem(Comm(), read_geometry("quarter-pipe.geo", size));
  const LocalMesh& mesh = *problem.mesh;
  const PipeProfile profile(law);
  const auto velocity = [&](const Vec3& x) { return Vec3{profile(x), 0, 0}; };
  const Inlet end{Coefficient<Vec3>::of_place(velocity)};
  FlowStepSettings settings = tight_settings(law.usual(), 1e-9);
  settings.method = method;
  settings.law = law;
  settings.diffusion = DiffusionForm::automatic;
  settings.convection = ConvectionForm::none;
  const auto flow = make_flow_step(
      mesh, settings,
      conditions(mesh, {{"inlet", end}, {"outlet", end}, {"wall", Wall{}}, {"y0", Symmetry{}}, {"z0", Symmetry{}}}), 0,
      &problem.wide);
  flow->start_from_rest();
  for (int k = 0; k < 200 && (k < 5 || flow->rate_of_change() > 1e-7); ++k) flow->advance(4);
  EXPECT_LE(flow->rate_of_change(), 1e-7);
  const Field<Face> exact = flux_of_velocity(mesh, velocity);
  Field<Face> error(mesh);
  error = flow->state().flux - exact;
  return {norm(error) / norm(exact), static_cast<real>(mesh.owned<Cell>())};
}

TEST(ViscosityLawsInPipes, ProfilesConverge_Long) {
  struct Row {
    const char* name;
    ViscosityLaw law;
    real largest;
  };
  using Kind = ViscosityLaw::Kind;
  for (const auto& [name, law, largest] :
       {Row{"power", {.kind = Kind::power, .zero = 0.4, .exponent = 0.6, .least = 1e-3, .most = 10}, 0.009},
        Row{"carreau", {.kind = Kind::carreau, .zero = 1, .infinite = 0.05, .time = 4, .exponent = 0.4}, 0.0122}}) {
    const PipeFlow coarse = flow_in_pipe(FlowMethod::exact, law, 0.2), fine = flow_in_pipe(FlowMethod::exact, law, 0.1),
                   classical = flow_in_pipe(FlowMethod::classical, law, 0.2);
    EXPECT_LE(fine.error, largest) << name;
    EXPECT_GE(rate(coarse.error, fine.error, std::cbrt(fine.cells / coarse.cells)), 1.35) << name;
    EXPECT_NEAR(classical.error, coarse.error, 1e-4 * coarse.error) << name;
  }
}

}  // namespace
}  // namespace solenoid::test
