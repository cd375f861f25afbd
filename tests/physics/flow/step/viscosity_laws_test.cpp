/// Flows whose viscosity follows a law of the shear rate, or the temperature, by both methods, in the plane and in
/// space: exact profiles, their order, where their energy goes, and steps of any length.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "model/tractions.hpp"
#include "physics/flow/momentum/diagnostics.hpp"
#include "physics/flow/step/flow_method.hpp"
#include "support/flows.hpp"
#include "support/openings.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

constexpr FlowMethod methods_of_laws[] = {FlowMethod::exact, FlowMethod::classical};

constexpr ViscosityLaw power{
    .kind = ViscosityLaw::Kind::power, .zero = 0.4, .exponent = 0.6, .least = 1e-3, .most = 10};
constexpr ViscosityLaw thickening{
    .kind = ViscosityLaw::Kind::power, .zero = 0.4, .exponent = 1.25, .least = 1e-2, .most = 10};
constexpr ViscosityLaw carreau{
    .kind = ViscosityLaw::Kind::carreau, .zero = 1, .infinite = 0.05, .time = 4, .exponent = 0.4};
constexpr ViscosityLaw cross{
    .kind = ViscosityLaw::Kind::cross, .zero = 1, .infinite = 0.05, .time = 4, .exponent = 0.7};
constexpr ViscosityLaw bingham{.kind = ViscosityLaw::Kind::bingham, .infinite = 0.1, .time = 100, .yield = 0.2};

/// Between plates at y = 0 and 1 by a pressure drop of 1 a length: the stress is y - 1/2.
class LawProfile {
 public:
  explicit LawProfile(const std::function<real(real stress)>& rate) {
    for (int k = 0; k < count; ++k) {
      const real u = velocity_.back() +
                     (rate(stress_at(k)) + 4 * rate(stress_at(k + real{0.5})) + rate(stress_at(k + 1))) / (6 * count);
      const real middle = (velocity_.back() + u) / 2 + (rate(stress_at(k)) - rate(stress_at(k + 1))) / (8 * count);
      potential_.push_back(potential_.back() + (velocity_.back() + 4 * middle + u) / (6 * count));
      velocity_.push_back(u);
    }
  }
  real potential(real y) const { return between(potential_, y); }
  real velocity(real y) const { return between(velocity_, y); }

 private:
  static constexpr int count = 20000;
  static real stress_at(real k) { return real{0.5} - k / count; }
  static real between(const std::vector<real>& values, real y) {
    const real place = std::min(std::max(y, real{0}), real{1}) * count;
    const int k = std::min(static_cast<int>(place), count - 1);
    return values[k] + (place - k) * (values[k + 1] - values[k]);
  }
  std::vector<real> velocity_{0}, potential_{0};
};

/// The shear rate of a stress, by bisection.
real rate_of(const ViscosityLaw& law, real stress) {
  real low = 0, high = 1e6;
  for (int k = 0; k < 200; ++k) {
    const real rate = (low + high) / 2;
    (law(rate * rate) * rate < std::abs(stress) ? low : high) = rate;
  }
  return stress < 0 ? -low : low;
}

MeshSource between_plates(int dimension, int n) {
  const auto side = [](const Vec3& x) -> std::string {
    constexpr real near = 1e-9;
    return x.x < near ? "left" : x.x > 1 - near ? "right" : x.y < near || x.y > 1 - near ? "wall" : "side";
  };
  MeshSource source = with_patches(dimension == 2 ? unit_square(n, 0.2) : unit_cube(n, 0.1), side);
  source.pairs = {{"left", "right"}};
  return source;
}

FlowProblem problem_of(int dimension, const MeshSource& source) {
  return {Comm(), source, partition_cells, dimension == 2 ? 2 : 1};
}

FlowStepSettings settings_with(FlowMethod method, const ViscosityLaw& law) {
  FlowStepSettings settings = tight_settings(law.usual(), 1e-10);
  settings.method = method;
  settings.law = law;
  settings.diffusion = DiffusionForm::automatic;
  settings.convection = ConvectionForm::none;
  return settings;
}

struct LawErrors {
  real flux, dissipation;
};

/// Relative errors of the steady flow between plates.
LawErrors errors_between_plates(FlowMethod method, const ViscosityLaw& law, int dimension, int n, int steps = 80) {
  const FlowProblem problem = problem_of(dimension, between_plates(dimension, n));
  const LocalMesh& mesh = *problem.mesh;
  PairDrive drive;
  drive.drop = Coefficient<real>(1);
  const auto flow =
      make_flow_step(mesh, settings_with(method, law),
                     conditions(mesh, {{"wall", Wall{}}, {"side", Symmetry{}}}, {drive}), 0, &problem.wide);
  flow->start_from_rest();
  for (int k = 0; k < steps; ++k) flow->advance(1);
  const LawProfile profile([&](real stress) { return rate_of(law, stress); });
  Field<Face> exact = dimension == 2 ? flux_of(mesh, [&](const Vec3& x) { return profile.potential(x.y); })
                                     : flux_of_velocity(mesh, [&](const Vec3& x) {
                                         return Vec3{profile.velocity(x.y), 0, 0};
                                       });
  Field<Face> error(mesh);
  error = flow->state().flux - exact;
  const EnergyBudget budget = flow->balance().energy_budget();
  EXPECT_NEAR(budget.change, budget.pressure - budget.dissipation, 1e-7 * budget.dissipation);
  EXPECT_NEAR(flow->dissipation(), budget.dissipation, 1e-10 * budget.dissipation);
  return {norm(error) / norm(exact), budget.dissipation / profile.potential(1) - 1};
}

struct ExpectedErrors {
  const char* name;
  ViscosityLaw law;
  real largest, least_order;  ///< of the fluxes, on the finer mesh
};

TEST(ViscosityLaws, ProfilesBetweenPlatesConverge_Long) {
  for (const auto& [name, law, largest, least_order] : {ExpectedErrors{"power", power, 0.0051, 1.8},
                                                        {"thickening", thickening, 0.0016, 1.9},
                                                        {"carreau", carreau, 0.0092, 1.7},
                                                        {"cross", cross, 0.0065, 1.75},
                                                        {"bingham", bingham, 0.0165, 0.85}}) {
    const LawErrors coarse = errors_between_plates(FlowMethod::exact, law, 2, 12),
                    fine = errors_between_plates(FlowMethod::exact, law, 2, 24),
                    classical = errors_between_plates(FlowMethod::classical, law, 2, 24);
    EXPECT_LE(fine.flux, largest) << name;
    EXPECT_GE(rate(coarse.flux, fine.flux, 2), least_order) << name << " " << coarse.flux << " " << fine.flux;
    EXPECT_LE(std::abs(fine.dissipation), 1.2 * largest) << name;
    EXPECT_NEAR(classical.flux, fine.flux, 1e-5 * fine.flux) << name;
  }
}

TEST(ViscosityLaws, ProfilesBetweenPlatesInSpace_Long) {
  for (const ViscosityLaw& law : {power, carreau}) {
    const LawErrors coarse = errors_between_plates(FlowMethod::exact, law, 3, 4, 30),
                    fine = errors_between_plates(FlowMethod::exact, law, 3, 8, 30),
                    classical = errors_between_plates(FlowMethod::classical, law, 3, 4, 30);
    EXPECT_LE(fine.flux, 0.054);
    EXPECT_GE(rate(coarse.flux, fine.flux, 2), 1.5) << coarse.flux << " " << fine.flux;
    EXPECT_NEAR(classical.flux, coarse.flux, 1e-5 * coarse.flux);
  }
}

/// The shear stress is the same everywhere: u' is in proportion to 1/nu = 10 e^(2 T), T = y.
real error_of_couette_flow(FlowMethod method, int dimension, int n) {
  const FlowProblem problem = problem_of(dimension, between_plates(dimension, n));
  const LocalMesh& mesh = *problem.mesh;
  FlowStepSettings settings = settings_with(method, carreau);
  settings.law.reset();
  settings.of_temperature = Coefficient<real>::of_place([](const Vec3& T) { return real{0.1} * std::exp(-2 * T.x); });
  const Coefficient<Vec3> upper = Coefficient<Vec3>::of_place([](const Vec3& x) {
    return Vec3{x.y > 0.5 ? real{1} : real{0}, 0, 0};
  });
  std::vector<real> temperature;
  for (int node = 0; node < mesh.owned<Node>(); ++node) temperature.push_back(mesh.part().points[node].y);
  Field<Node> T(mesh, temperature);
  halo(T);
  const auto flow = make_flow_step(
      mesh, settings, conditions(mesh, {{"wall", Wall{upper}}, {"side", Symmetry{}}}, {{}}), 0, &problem.wide);
  flow->set_temperature(T);
  flow->start_from_rest();
  for (int k = 0; k < 60; ++k) flow->advance(5);
  const auto velocity = [](real y) { return std::expm1(2 * y) / std::expm1(real{2}); };
  Field<Face> exact =
      dimension == 2
          ? flux_of(mesh, [](const Vec3& x) { return (std::expm1(2 * x.y) / 2 - x.y) / std::expm1(real{2}); })
          : flux_of_velocity(mesh, [&](const Vec3& x) {
              return Vec3{velocity(x.y), 0, 0};
            });
  Field<Face> error(mesh);
  error = flow->state().flux - exact;
  const EnergyBudget budget = flow->balance().energy_budget();
  EXPECT_NEAR(budget.boundary_friction, budget.dissipation, 1e-7 * budget.dissipation);
  return norm(error) / norm(exact);
}

TEST(ViscosityLaws, CouetteFlowOfAViscosityOfTheTemperature_Long) {
  for (const FlowMethod method : methods_of_laws) {
    const real coarse = error_of_couette_flow(method, 2, 8), fine = error_of_couette_flow(method, 2, 16);
    EXPECT_LE(fine, 1e-3);
    EXPECT_GE(rate(coarse, fine, 2), 1.7);
  }
  const real coarse = error_of_couette_flow(FlowMethod::exact, 3, 4),
             fine = error_of_couette_flow(FlowMethod::exact, 3, 8);
  EXPECT_GE(rate(coarse, fine, 2), 1.6);
}

/// Through a channel with an outlet: what the pressure and the friction do to the whole boundary, and where the energy
/// goes, by the actual stress.
TEST(ViscosityLaws, ForcesOnTheBoundaryAreTheFluidsAndPowersBalance_Long) {
  for (const int dimension : {2, 3}) {
    for (const FlowMethod method : methods_of_laws) {
      MeshSource source = between_plates(dimension, dimension == 2 ? 8 : 4);
      source.pairs.clear();
      const FlowProblem problem = problem_of(dimension, source);
      const LocalMesh& mesh = *problem.mesh;
      FlowStepSettings settings = settings_with(method, carreau);
      settings.convection = ConvectionForm::automatic;
      const Inlet inlet{Coefficient<Vec3>::of_place([](const Vec3& x) {
        return Vec3{4 * x.y * (1 - x.y) * (1 + x.y), 0, 0};
      })};
      const auto flow = make_flow_step(
          mesh, settings,
          conditions(mesh, {{"left", inlet}, {"right", Outlet{}}, {"wall", Wall{}}, {"side", Symmetry{}}}), 0,
          &problem.wide);
      flow->start_from_rest();
      for (int k = 0; k < 400; ++k) flow->advance(0.04);
      const EnergyBudget powers = flow->balance().energy_budget();
      const real given = powers.pressure + powers.inflow + powers.boundary_friction;
      EXPECT_NEAR(powers.change, given - powers.dissipation - powers.numerical, 1e-7 * powers.dissipation);
      EXPECT_NEAR(flow->dissipation(), powers.dissipation, 1e-12 * powers.dissipation);
      std::vector<int> everywhere;
      for (std::size_t p = 0; p < mesh.part().patches.size(); ++p) everywhere.push_back(static_cast<int>(p));
      const Vec3 in_fluid = flow->balance().force_in_fluid(ForceTestFunction(mesh, everywhere));
      const Tractions& tractions = flow->balance().tractions();
      const std::vector<Vec3> pressure = tractions.pressure.to_host(), friction = tractions.friction.to_host();
      Vec3 force;
      real magnitudes = 0;
      for (std::size_t i = 0; i < pressure.size(); ++i) {
        const BoundaryFace& b = mesh.boundary()[static_cast<int>(i)];
        if (!b.is_owned) continue;
        const Vec3 on_face = norm(b.outward_area) * (pressure[i] + friction[i]);
        force += on_face;
        magnitudes += norm(on_face);
      }
      mesh.comm().sum(std::span<real>(&force.x, 3));
      EXPECT_LE(norm(force - in_fluid), 1e-7 * mesh.comm().sum(magnitudes)) << dimension;
    }
  }
}

/// In steps far longer than friction takes through a cell, and of a fluid that thickens: scattered flows come to rest.
TEST(ViscosityLaws, FlowsComeToRestInStepsOfAnyLength_Long) {
  for (const ViscosityLaw& law : {power, thickening, bingham}) {
    for (const FlowMethod method : methods_of_laws) {
      for (const real dt : {0.01, 1.0, 100.0}) {
        const FlowProblem problem =
            problem_of(2, with_patches(unit_square(8, 0.3), [](const Vec3&) { return "wall"; }));
        const LocalMesh& mesh = *problem.mesh;
        const auto flow =
            make_flow_step(mesh, settings_with(method, law), conditions(mesh, {{"wall", Wall{}}}), 0, &problem.wide);
        Field<Edge> potential = scattered_field<Edge>(mesh);
        Field<Face> flux(mesh);
        flux = mesh.C * halo(potential);
        flow->project(flux);
        const auto energy = [&] { return kinetic_energy(flow->state().velocity); };
        const real first = energy();
        real before = first;
        for (int k = 0; k < 20; ++k) {
          flow->advance(dt);
          EXPECT_LE(energy(), before + 1e-7 * first) << static_cast<int>(law.kind) << " " << dt << " " << k;
          before = energy();
        }
        EXPECT_LE(before, first / 100);
      }
    }
  }
}

}  // namespace
}  // namespace solenoid::test
