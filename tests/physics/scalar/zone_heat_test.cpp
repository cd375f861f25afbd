/// Heat and scalars in zones: layers of two conductivities, sources, capacities, what a flow carries through pores.
#include <gtest/gtest.h>

#include "field/assign.hpp"
#include "physics/scalar/scalar_setup.hpp"
#include "support/ducts.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

FlowZone heated(const ZoneHeat& heat, const Vec3& low = {0, 0, 0}, const Vec3& high = {1, 1, 1}) {
  FlowZone zone{"body", ZoneBox{low, high}};
  zone.heat = heat;
  return zone;
}

std::map<std::string, FlowBoundary> ends_of(const Vec3& velocity) {
  if (velocity.x == 0) return {{"left", Wall{}}, {"right", Wall{}}};
  return {{"left", Inlet{velocity}}, {"right", Outlet{}}};
}

/// A scalar in the duct, in a fluid at rest or in this plug flow.
struct InDuct {
  std::unique_ptr<LocalMesh> mesh;
  NodePairs pairs;
  DualFluxes duals;
  ScalarTransport scalar;

  InDuct(int dimension, real wiggle, const ScalarSetup& setup, const std::vector<FlowZone>& zones,
         const Vec3& velocity = {}, int finer = 1)
      : mesh(make_mesh(Comm(), duct(dimension, finer * (dimension == 2 ? 8 : 4), wiggle))),
        pairs(*mesh),
        duals(pairs),
        scalar(pairs, setup.problem(*mesh, frictionless(*mesh, ends_of(velocity)), zones), setup.settings, 0) {
    duals.set(constant_flux(*mesh, velocity));
    scalar.set_values(setup.initial);
  }
  void advance(int steps, real dt) {
    for (int k = 0; k < steps; ++k) scalar.advance(dt, duals);
  }
  /// The largest difference of nodes' values from these. Collective.
  real apart_from(const std::function<real(const Vec3&)>& known) {
    const std::vector<real> found = scalar.values().to_host(), wanted = sampled_field<Node>(*mesh, known).to_host();
    real farthest = 0;
    for (std::size_t n = 0; n < found.size(); ++n) farthest = std::max(farthest, std::abs(found[n] - wanted[n]));
    return mesh->comm().max(farthest);
  }
};

ScalarSetup scalar_of(bool is_temperature, real diffusivity) {
  ScalarSetup setup;
  setup.name = is_temperature ? "temperature" : "dye";
  setup.is_temperature = is_temperature;
  setup.diffusivity = diffusivity;
  setup.settings.solver.tolerance = 1e-13;
  setup.initial = Coefficient<real>(0);
  return setup;
}

TEST(ZoneHeat, GoesThroughTwoConductivities) {
  constexpr real fluid = 0.5, body = 3;
  for (const int dimension : {2, 3}) {
    ScalarSetup setup = scalar_of(true, fluid);
    setup.boundary = {{"left", setup.given_value(Coefficient<real>(0))},
                      {"right", setup.given_value(Coefficient<real>(1))}};
    InDuct duct(dimension, 0, setup, {heated({.conductivity = body}, {0.25, 0, 0}, {0.75, 1, 1})});
    duct.advance(30, 100);
    const real flux = 1 / (0.5 / fluid + 0.5 / body);
    EXPECT_LE(duct.apart_from([&](const Vec3& x) {
      const real inside = std::clamp(x.x - real{0.25}, real{0}, real{0.5});
      return flux * ((x.x - inside) / fluid + inside / body);
    }),
              1e-10);
  }
}

/// Parabolic in the zone, linear outside.
TEST(ZoneHeat, OfASourceLeavesToBothSides_Long) {
  constexpr real fluid = 0.5, body = 3, heat = 2, density = heat / 0.5;
  const auto known = [](const Vec3& x) {
    const real outside = std::min({x.x, 1 - x.x, real{0.25}});
    const real inside = std::max(real{0}, (x.x - real{0.25}) * (real{0.75} - x.x));
    return heat / 2 * outside / fluid + density / (2 * body) * inside;
  };
  for (const int dimension : {2, 3}) {
    ScalarSetup setup = scalar_of(true, fluid);
    setup.boundary = {{"left", setup.given_value(Coefficient<real>(0))},
                      {"right", setup.given_value(Coefficient<real>(0))}};
    const FlowZone zone = heated({.conductivity = body, .heat = Coefficient<real>(heat)}, {0.25, 0, 0}, {0.75, 1, 1});
    std::vector<real> errors;
    for (const int finer : {2, 4}) {
      InDuct duct(dimension, 0, setup, {zone}, {}, finer);
      duct.advance(30, 100);
      errors.push_back(distance(gather(duct.scalar.values()), gather(sampled_field<Node>(*duct.mesh, known))));
      const HeatBalance balance = duct.scalar.balance();
      EXPECT_NEAR(balance.source, heat, 1e-12);
      EXPECT_NEAR(balance.imbalance(), 0, 1e-10 * heat);
    }
    EXPECT_LE(errors[1], 0.005);
    EXPECT_GE(rate(errors[0], errors[1], 2), 1.8) << dimension;
  }
}

/// A heater in a porous body says nothing of its porosity.
TEST(ZoneHeat, HasThePorosityOfAnotherZoneWhereItHasNone) {
  const FlowZone body = heated({.porosity = 0.4, .solid_capacity = 2, .conductivity = {}}),
                 heater = heated({.conductivity = {}, .heat = Coefficient<real>(3)});
  for (const int dimension : {2, 3}) {
    for (const auto& zones : {std::vector<FlowZone>{body, heater}, std::vector<FlowZone>{heater, body}}) {
      InDuct whole(dimension, 0.2, scalar_of(true, 0.1), zones);
      whole.advance(10, 0.1);
      EXPECT_NEAR(whole.scalar.range().low, 3 / (0.4 + 0.6 * 2), 1e-10);
      EXPECT_NEAR(whole.scalar.content(), 3, 1e-10);
    }
  }
}

TEST(ZoneHeat, IsStoredByFluidAndBody) {
  const auto growing = Coefficient<real>::of_time([](real t) { return 2 * t; });
  for (const int dimension : {2, 3}) {
    for (const bool is_temperature : {true, false}) {
      const ZoneHeat body{.porosity = 0.4,
                          .solid_capacity = 2,
                          .conductivity = {},
                          .heat = Coefficient<real>(3),
                          .sources = {{"dye", 3}}};
      const real capacity = is_temperature ? 0.4 + 0.6 * 2 : 0.4;
      InDuct whole(dimension, 0.2, scalar_of(is_temperature, 0.1), {heated(body)});
      whole.advance(10, 0.1);
      EXPECT_NEAR(whole.scalar.range().low, 3 / capacity, 1e-10);
      EXPECT_NEAR(whole.scalar.range().high, 3 / capacity, 1e-10);
      EXPECT_NEAR(whole.scalar.content(), 3, 1e-10);

      ZoneHeat half = body;
      half.heat = half.sources["dye"] = growing;
      InDuct part(dimension, 0.2, scalar_of(is_temperature, 0.1), {heated(half, {0, 0, 0}, {0.5, 1, 1})});
      part.advance(10, 0.1);
      const HeatBalance balance = part.scalar.balance();
      EXPECT_NEAR(balance.source, 2, 1e-11);  // at the end of the step
      EXPECT_NEAR(balance.stored, 2, 1e-10);
      EXPECT_NEAR(balance.imbalance(), 0, 1e-10);
    }
  }
}

/// A front of x - u t / c, c the capacity, which the scheme keeps.
TEST(ZoneHeat, IsCarriedAsFastAsPoresLet) {
  const ZoneHeat body{.porosity = 0.25, .solid_capacity = 3, .conductivity = {}};
  for (const int dimension : {2, 3}) {
    for (const bool is_temperature : {true, false}) {
      const real speed = is_temperature ? 1 / *body.capacity() : 4;
      ScalarSetup setup = scalar_of(is_temperature, 1e-3);
      setup.initial = Coefficient<real>::of_place([](const Vec3& x) { return x.x; });
      const auto front = Coefficient<real>::of_place_and_time([=](const Vec3& x, real t) { return x.x - speed * t; });
      setup.boundary = {{"left", setup.entering_value(front, BoundaryKind::value)},
                        {"right", setup.given_flux(Coefficient<real>(1e-3))}};
      InDuct duct(dimension, 0.2, setup, {heated(body)}, {1, 0, 0});
      duct.scalar.advance(0.01, duct.duals);  // Euler's, which keeps it, too
      duct.advance(9, 0.01);
      EXPECT_LE(duct.apart_from([&](const Vec3& x) { return x.x - speed * real{0.1}; }), 1e-10);
    }
  }
}

TEST(ZoneHeat, IsSeenInOtherFrames) {
  const Frame units = Frame::of_units(1, 2);  // a metre is 2, a second 4
  const FlowZone zone = heated({.conductivity = 4, .heat = Coefficient<real>(8), .sources = {{"dye", 8}}});
  EXPECT_EQ(zone.seen(units, 3).heat->conductivity, 4 * real{4} / 4);
  EXPECT_EQ(zone.seen(units, 3).heat->heat.at(Vec3{}, 0), 8 * real{8} / 4);
  EXPECT_EQ(zone.seen(units, 2).heat->sources.at("dye").at(Vec3{}, 0), 8 * real{4} / 4);
}

}  // namespace
}  // namespace solenoid::test
