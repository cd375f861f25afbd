/// A state that goes on in a flow with another boundary or by another method: what the boundary gives counts from the
/// first step on.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/error.hpp"
#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "model/state_visitor.hpp"
#include "parallel/memory.hpp"
#include "physics/flow/momentum/diagnostics.hpp"
#include "physics/flow/step/flow_method.hpp"
#include "support/flows.hpp"
#include "support/openings.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

constexpr FlowMethod restart_methods[] = {FlowMethod::exact, FlowMethod::classical};

/// A state in memory, laid over another flow as far as that has use for it.
class KeptFlow : public StateVisitor {
 public:
  bool restores = false;
  void number(const std::string& name, real& value) override { exchange(numbers_, name, value); }
  void number(const std::string& name, std::int64_t& value) override { exchange(integers_, name, value); }
  void list(const std::string& name, std::vector<double>& values) override { exchange(lists_, name, values); }

 private:
  template <class T>
  bool exchange(std::map<std::string, T>& kept, const std::string& name, T& value) {
    if (!restores) return kept.insert_or_assign(name, value), true;
    const auto found = kept.find(name);
    if (found != kept.end()) value = found->second;
    return found != kept.end();
  }
  bool array(const std::string& name, const LocalNumbering& numbering, real* values, int components) override {
    std::vector<real> owned(static_cast<std::size_t>(numbering.owned) * components);
    copy_to_host(owned.data(), values, owned.size() * sizeof(real));
    const bool is_there = exchange(arrays_, name, owned);
    if (restores) copy_to_device(values, owned.data(), owned.size() * sizeof(real));
    return is_there;
  }
  std::map<std::string, real> numbers_;
  std::map<std::string, std::int64_t> integers_;
  std::map<std::string, std::vector<double>> lists_;
  std::map<std::string, std::vector<real>> arrays_;
};

/// A domain, and flows in it that go on from each other.
struct RestartDomain {
  int dimension;
  FlowProblem problem;
  bool is_rebuilt = false;  // the velocity of friction and convection
  real viscosity = 0.05;
  std::optional<ConvectionForm> convection = {};
  RestartDomain(int d, const MeshSource& source) : dimension(d), problem(Comm(), source) {}
  const LocalMesh& mesh() const { return *problem.mesh; }

  std::unique_ptr<FlowStep> flow(FlowMethod method, const FlowBoundaries& boundaries) const {
    FlowStepSettings settings = open_settings(viscosity, 1e-11);
    settings.method = method;
    if (is_rebuilt) settings.diffusion = DiffusionForm::stress, settings.convection = ConvectionForm::skew;
    settings.convection = convection.value_or(settings.convection);
    return make_flow_step(mesh(), settings, boundaries, 0, &problem.wide);
  }
  std::unique_ptr<FlowStep> begin(FlowMethod method, const FlowBoundaries& boundaries, int steps) const {
    auto made = flow(method, boundaries);
    made->start_from_rest();
    for (int k = 0; k < steps; ++k) made->advance(dt);
    made->require_given_fluxes();
    return made;
  }
  std::unique_ptr<FlowStep> go_on(FlowStep& before, FlowMethod method, const FlowBoundaries& boundaries,
                                  int steps) const {
    KeptFlow kept;
    before.visit_state(kept);
    auto after = flow(method, boundaries);
    kept.restores = true;
    after->visit_state(kept);
    after->state_restored();
    after->require_given_fluxes();
    for (int k = 0; k < steps; ++k) after->advance(dt);
    after->require_given_fluxes();
    EXPECT_EQ(max_divergence(after->state().flux), 0);
    return after;
  }
  static constexpr real dt = 0.02;
};

RestartDomain restart_square() { return {2, with_patches(unit_square(7, real{0.2}), side_of_square)}; }
RestartDomain restart_cube() { return {3, with_patches(unit_cube(4, real{0.1}), side_of_cube)}; }

/// Fluid enters on the left with this condition and leaves on the right; nothing rubs.
FlowBoundaries plug_flow(const LocalMesh& mesh, const FlowBoundary& entry) {
  return conditions(
      mesh, {{"left", entry}, {"right", Outlet{}}, {"bottom", Symmetry{}}, {"top", Symmetry{}}, {"side", Symmetry{}}});
}

/// The largest difference from fluxes of a constant velocity, by the largest of these. Collective.
real apart_from_plug(const LocalMesh& mesh, const Field<Face>& flux, const Vec3& velocity) {
  const Field<Face> exact = constant_flux(mesh, velocity);
  return max_magnitude(mesh, flux - exact) / max_magnitude(exact);
}

TEST(FlowRestart, WhatEntersIsThatOfTheNewBoundary_Again) {
  const auto twice = Coefficient<Vec3>::of_place_and_time([](const Vec3&, real t) {
    return Vec3{t > 0.05 ? 2.0 : 1.0, 0, 0};
  });
  for (const RestartDomain& domain : {restart_square(), restart_cube()}) {
    for (const FlowMethod method : restart_methods) {
      const FlowBoundaries one = plug_flow(domain.mesh(), Inlet{Vec3{1, 0, 0}});
      const auto before = domain.begin(method, one, 3);
      EXPECT_LT(apart_from_plug(domain.mesh(), before->state().flux, {1, 0, 0}), 1e-8);
      for (const FlowBoundary& entry :
           {FlowBoundary(Inlet{Vec3{2, 0, 0}}), FlowBoundary(Inlet{twice}), FlowBoundary(Farfield{Vec3{2, 0, 0}})}) {
        for (const int steps : {0, 1, 4}) {
          const auto after = domain.go_on(*before, method, plug_flow(domain.mesh(), entry), steps);
          EXPECT_NEAR(outflow(domain.mesh(), after->state().flux, "left"), -2, 1e-12);
          EXPECT_LT(apart_from_plug(domain.mesh(), after->state().flux, {2, 0, 0}), 1e-8) << steps;
        }
      }
      const auto at_rest = domain.go_on(*before, method, plug_flow(domain.mesh(), Wall{}), 2);  // nothing drives it
      EXPECT_LT(max_magnitude(at_rest->state().flux), 1e-6);
    }
  }
}

TEST(FlowRestart, AnOutletThatCloses_Again) {
  for (const FlowMethod method : restart_methods) {
    const RestartDomain domain(2, with_patches(square_with_hole(9), side_of_branching));
    const LocalMesh& mesh = domain.mesh();
    const FlowBoundaries open = branching(mesh, 0);
    const auto before = domain.begin(method, open, 5);
    EXPECT_GT(std::abs(outflow(mesh, before->state().flux, "upper")), 0.01);
    const Inlet entry = std::get<Inlet>(open.on(places_of_patch(mesh, "left")[0]));
    const FlowBoundaries closed = conditions(mesh, {{"left", entry}, {"lower", Outlet{}}});
    for (const int steps : {0, 1, 10}) {
      const auto after = domain.go_on(*before, method, closed, steps);
      EXPECT_EQ(outflow(mesh, after->state().flux, "upper"), 0);
      EXPECT_NEAR(outflow(mesh, after->state().flux, "lower"), real{2} / 3, 1e-12);
      const auto again = domain.go_on(*after, method, open, steps);  // and opens
      EXPECT_NEAR(outflow(mesh, again->state().flux, "lower") + outflow(mesh, again->state().flux, "upper"),
                  real{2} / 3, 1e-12);
    }
  }
}

TEST(FlowRestart, AnOutletOfACubeCloses_Again) {
  const RestartDomain domain(3, with_patches(unit_cube(4, real{0.1}), [](const Vec3& x) -> std::string {
                               const std::string side = side_of_cube(x);
                               return side == "right" && x.y > 0.5 ? "vent" : side;
                             }));
  const LocalMesh& mesh = domain.mesh();
  const FlowBoundary entry = Inlet{Vec3{1, 0, 0}};
  for (const FlowMethod method : restart_methods) {
    const auto before =
        domain.begin(method, conditions(mesh, {{"left", entry}, {"right", Outlet{}}, {"vent", Outlet{}}}), 3);
    EXPECT_GT(outflow(mesh, before->state().flux, "vent"), 0.1);
    for (const int steps : {0, 3}) {
      const auto after = domain.go_on(*before, method, conditions(mesh, {{"left", entry}, {"right", Outlet{}}}), steps);
      EXPECT_EQ(outflow(mesh, after->state().flux, "vent"), 0);
      EXPECT_NEAR(outflow(mesh, after->state().flux, "right"), 1, 1e-12);
    }
  }
}

/// Nothing is given to cross the boundary before or after: only pressures drive.
/// The vessels behind an outlet go on as full as they were, and with another capacitance.
TEST(FlowRestart, VesselsStayAsFullAsTheyWere_Again) {
  for (const RestartDomain& domain : {restart_square(), restart_cube()}) {
    const LocalMesh& mesh = domain.mesh();
    const auto drawn = [&](const Windkessel& vessels) {
      std::map<std::string, FlowBoundary> sides{{"left", Outlet{real{1}}}, {"right", Outlet{real{0}, vessels}}};
      for (const char* side : {"top", "bottom", "side"}) sides[side] = Symmetry{};
      return conditions(mesh, sides);
    };
    const Windkessel vessels{.proximal = 0.3, .capacitance = 0.05, .distal = 2};
    for (const FlowMethod method : restart_methods) {
      const auto before = domain.begin(method, drawn(vessels), 5), whole = domain.begin(method, drawn(vessels), 9);
      const auto after = domain.go_on(*before, method, drawn(vessels), 4);
      EXPECT_EQ(gather(after->state().flux), gather(whole->state().flux));
      EXPECT_EQ(after->outlets().now(), whole->outlets().now());
      EXPECT_GT(after->outlets().now()[0], 1e-3);
      const FlowMethod other = method == FlowMethod::exact ? FlowMethod::classical : FlowMethod::exact;
      const auto changed = domain.go_on(*before, other, drawn({.proximal = 0.3, .capacitance = 1e6, .distal = 2}), 4);
      const real flux = outflow(mesh, changed->state().flux, "right"),
                 begun = outflow(mesh, before->state().flux, "right");
      EXPECT_NEAR(changed->outlets().now()[0] - 0.3 * flux, before->outlets().now()[0] - 0.3 * begun, 0.02);
    }
  }
}

/// Also in steps that grow a little, for which the response of the outlets to a pressure is that of another length.
TEST(FlowRestart, OutletsGoOnInBitsInStepsThatGrow_Again) {
  for (const RestartDomain& domain : {restart_square(), restart_cube()}) {
    const FlowBoundaries drawn = conditions(
        domain.mesh(), {{"left", Outlet{real{1}}},
                        {"right", Outlet{real{0}, Windkessel{.proximal = 1, .capacitance = 2, .distal = 3}}}});
    for (const FlowMethod method : restart_methods) {
      const auto begin = [&] {
        auto made = domain.flow(method, drawn);
        made->start_from_rest();
        return made;
      };
      const auto advance = [](FlowStep& flow, int from, int to) {
        for (int k = from; k < to; ++k) flow.advance(0.02 * std::pow(1.00001, k));
      };
      const auto before = begin(), whole = begin();
      advance(*before, 0, 30);
      advance(*whole, 0, 40);
      const auto after = domain.go_on(*before, method, drawn, 0);
      advance(*after, 30, 40);
      EXPECT_EQ(gather(after->state().flux), gather(whole->state().flux)) << domain.dimension;
      EXPECT_EQ(after->outlets().now(), whole->outlets().now());
    }
  }
}

TEST(FlowRestart, AnOutletThatClosesWherePressuresDrive_Again) {
  const RestartDomain domain = restart_square();
  const LocalMesh& mesh = domain.mesh();
  for (const FlowMethod method : restart_methods) {
    const auto before =
        domain.begin(method, conditions(mesh, {{"left", Outlet{real{1}}}, {"right", Outlet{}}, {"top", Outlet{}}}), 5);
    EXPECT_GT(outflow(mesh, before->state().flux, "top"), 0.01);
    const auto after =
        domain.go_on(*before, method, conditions(mesh, {{"left", Outlet{real{1}}}, {"right", Outlet{}}}), 2);
    EXPECT_EQ(outflow(mesh, after->state().flux, "top"), 0);
    EXPECT_GT(outflow(mesh, after->state().flux, "right"), 0.01);
  }
}

TEST(FlowRestart, APairThatIsGivenAnotherFlux_Again) {
  for (const int dimension : {2, 3}) {
    MeshSource source = dimension == 2 ? with_patches(unit_square(7, real{0.2}), side_of_square)
                                       : with_patches(unit_cube(4, real{0}), side_of_cube);
    source.pairs = {{"left", "right"}};
    const RestartDomain domain(dimension, source);
    for (const FlowMethod method : restart_methods) {
      const FlowBoundaries one = conditions(domain.mesh(), {}, {PairDrive{Coefficient<real>(1), {}}}),
                           two = conditions(domain.mesh(), {}, {PairDrive{Coefficient<real>(2), {}}}),
                           free = conditions(domain.mesh(), {}, {PairDrive{}});
      const auto before = domain.begin(method, one, 4);
      EXPECT_NEAR(before->through_pairs()[0], 1, 1e-8);
      for (const int steps : {0, 1, 3}) {
        const auto after = domain.go_on(*before, method, two, steps);
        EXPECT_NEAR(after->through_pairs()[0], 2, 1e-7) << dimension << " " << steps;
      }
      const auto freed = domain.go_on(*before, method, free, 1);
      EXPECT_NEAR(freed->through_pairs()[0], 1, 0.3);  // nothing drives it now, but it is there
      EXPECT_NEAR(domain.go_on(*freed, method, two, 1)->through_pairs()[0], 2, 1e-7);
    }
  }
}

TEST(FlowRestart, TheOtherMethodGoesOnWithTheFlow_Again) {
  for (const RestartDomain& domain : {restart_square(), restart_cube()}) {
    const LocalMesh& mesh = domain.mesh();
    const FlowBoundaries developed = conditions(mesh, {{"left", Inlet{Coefficient<Vec3>::of_place([](const Vec3& x) {
                                                          return Vec3{6 * x.y * (1 - x.y), 0, 0};
                                                        })}},
                                                       {"right", Outlet{}},
                                                       {"side", Symmetry{}}});
    for (const FlowMethod method : restart_methods) {
      const FlowMethod other = method == FlowMethod::exact ? FlowMethod::classical : FlowMethod::exact;
      const auto before = domain.begin(method, developed, 40);
      const auto stays = domain.go_on(*before, method, developed, 3),
                 after = domain.go_on(*before, other, developed, 3);
      const real energy = kinetic_energy(stays->state().velocity);
      EXPECT_NEAR(kinetic_energy(after->state().velocity) / energy, 1, 2e-3) << domain.dimension;
      EXPECT_NEAR(after->balance().pressures_at_openings()[0] / stays->balance().pressures_at_openings()[0], 1, 0.02)
          << domain.dimension;
    }
  }
}

/// Fluxes stay as they are, and the vorticity that a wall had goes.
TEST(FlowRestart, AWallThatNothingRubsOnAnyMore_Again) {
  const RestartDomain domain = restart_cube();
  const LocalMesh& mesh = domain.mesh();
  for (const FlowMethod method : restart_methods) {
    const FlowBoundary entry = Inlet{Vec3{1, 0, 0}};
    const auto before = domain.begin(method, conditions(mesh, {{"left", entry}, {"right", Outlet{}}}), 3);
    const auto after = domain.go_on(*before, method, plug_flow(mesh, entry), 1);
    const std::vector<real> vorticity = after->state().vorticity.to_host();
    for (const BoundaryFace& b : mesh.boundary()) {
      if (mesh.part().patches[b.patch] != "side") continue;
      for (const int e : mesh.part().face_edges_of(b.face)) {
        if (e >= mesh.owned<Edge>()) continue;
        EXPECT_EQ(vorticity[e], 0);
      }
    }
  }
}

/// The same flow goes on in the same bits, at a first step of its own order.
TEST(FlowRestart, TheSameBoundaryChangesNothing_Again) {
  for (const RestartDomain& domain : {restart_square(), restart_cube()}) {
    for (const FlowMethod method : restart_methods) {
      const FlowBoundaries same =
          plug_flow(domain.mesh(), Inlet{Coefficient<Vec3>::of_place_and_time([](const Vec3& x, real t) {
                      return Vec3{(1 + x.y) * (1 + std::sin(3 * t)), 0, 0};
                    })});
      const auto before = domain.begin(method, same, 3);
      const auto after = domain.go_on(*before, method, same, 2);
      for (int k = 0; k < 2; ++k) before->advance(RestartDomain::dt);
      Field<Face> difference(domain.mesh());
      difference = after->state().flux - before->state().flux;
      EXPECT_EQ(max_magnitude(difference), 0) << domain.dimension;
    }
  }
}

/// Whether all of its friction is implicit or a part, in steps as long as before and in shorter ones, in which it stays
/// what it was or becomes the other.
TEST(FlowRestart, ARebuiltVelocityGoesOnInBits_Again) {
  RestartDomain domain = restart_cube();
  domain.is_rebuilt = true;
  const FlowBoundaries same =
      plug_flow(domain.mesh(), Inlet{Coefficient<Vec3>::of_place_and_time([](const Vec3& x, real t) {
                  return Vec3{(1 + x.y) * (1 + std::sin(3 * t)), 0, 0};
                })});
  struct Steps {
    real viscosity, length;
    bool was_implicit, is_implicit;
  };
  constexpr real dt = RestartDomain::dt;
  for (const auto& [viscosity, length, was_implicit, is_implicit] :
       {Steps{0.05, dt, false, false}, Steps{2.4, dt, true, true}, Steps{1.2, dt / 2, true, true},
        Steps{1.2, dt / 8, true, false}, Steps{0.7, dt, false, false}, Steps{0.7, 2 * dt, false, true}}) {
    domain.viscosity = viscosity;
    for (const FlowMethod method : restart_methods) {
      const auto before = domain.begin(method, same, 3);
      EXPECT_EQ(before->friction().is_whole_implicit(), was_implicit) << viscosity;
      const auto after = domain.go_on(*before, method, same, 0);
      for (FlowStep* const flow : {before.get(), after.get()}) {
        for (int k = 0; k < 5; ++k) flow->advance(length);  // three short ones are left out of the history
        EXPECT_EQ(flow->friction().is_whole_implicit(), is_implicit) << viscosity << ", " << length;
      }
      Field<Face> difference(domain.mesh());
      difference = after->state().flux - before->state().flux;
      EXPECT_EQ(max_magnitude(difference), 0) << viscosity << ", " << length;
    }
  }
}

/// What the state knows of another friction counts for nothing.
TEST(FlowRestart, AnotherFrictionGoesOn_Again) {
  RestartDomain domain = restart_cube();
  const FlowBoundaries walls = plug_flow(domain.mesh(), Inlet{Coefficient<Vec3>::of_place([](const Vec3& x) {
                                           return Vec3{1 + x.y, 0, 0};
                                         })});
  for (const FlowMethod method : restart_methods) {
    for (const bool was_rebuilt : {false, true}) {
      domain.is_rebuilt = was_rebuilt;
      const auto before = domain.begin(method, walls, 3);
      domain.is_rebuilt = !was_rebuilt;
      const auto after = domain.go_on(*before, method, walls, 1);
      auto anew = domain.flow(method, walls);  // with the fluxes alone
      Field<Face> flux(domain.mesh());
      flux.copy_from(before->state().flux);
      anew->project(flux);
      anew->advance(RestartDomain::dt);
      flux = after->state().flux - anew->state().flux;
      EXPECT_LE(max_magnitude(flux), 0.015 * max_magnitude(before->state().flux));  // Euler's step beside BDF2
    }
  }
}

std::vector<real> minus(std::vector<real> a, const std::vector<real>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
  return a;
}
real largest(const std::vector<real>& values) {
  real most = 0;
  for (const real value : values) most = std::max(most, std::abs(value));
  return most;
}

/// What a state has of another form of convection counts for nothing, either.
TEST(FlowRestart, AnotherConvectionGoesOn_Again) {
  const auto after_four = [](FlowStep& flow) {
    for (int k = 0; k < 4; ++k) flow.advance(RestartDomain::dt);
    return gather(flow.state().flux);
  };
  for (RestartDomain& domain : std::array{restart_square(), restart_cube()}) {
    std::vector<FlowBoundary> walls(domain.mesh().part().patches.size(), FlowBoundary(Wall{}));
    for (std::size_t p = 0; p < walls.size(); ++p) {
      if (domain.mesh().part().patches[p] == "left") walls[p] = Wall{Vec3{0, 5, 0}};
    }
    const FlowBoundaries lid(walls);
    const std::array forms{ConvectionForm::divergence, ConvectionForm::none,
                           domain.dimension == 3 ? ConvectionForm::skew : ConvectionForm::rotational};
    for (const FlowMethod method : restart_methods) {
      for (const ConvectionForm first : forms) {
        domain.convection = first;
        const auto before = domain.begin(method, lid, 6);
        std::map<ConvectionForm, std::vector<real>> gone_on, begun_anew;
        for (const ConvectionForm then : forms) {
          domain.convection = then;
          gone_on[then] = after_four(*domain.go_on(*before, method, lid, 0));
          const auto anew = domain.flow(method, lid);
          Field<Face> flux(domain.mesh());
          flux.copy_from(before->state().flux);
          anew->project(flux);
          begun_anew[then] = after_four(*anew);
        }
        // What a first step by Euler's scheme makes in the place of one by BDF2, without a change.
        const auto usual = minus(gone_on[first], begun_anew[first]);
        const real convected = largest(minus(begun_anew[ConvectionForm::divergence], begun_anew[ConvectionForm::none]));
        for (const ConvectionForm then : forms) {
          EXPECT_LE(largest(minus(minus(gone_on[then], begun_anew[then]), usual)), 0.25 * convected)
              << domain.dimension << "D, " << static_cast<int>(first) << " to " << static_cast<int>(then);
        }
      }
    }
  }
}

TEST(FlowRestart, FluxesThatAreNotThoseGivenAreFound_Again) {
  for (const RestartDomain& domain : {restart_square(), restart_cube()}) {
    for (const FlowMethod method : restart_methods) {
      const LocalMesh& mesh = domain.mesh();
      const auto flow = domain.begin(method, plug_flow(mesh, Inlet{Vec3{1, 0, 0}}), 1);
      const auto leak = [&](real share) {
        std::vector<real> U = flow->state().flux.to_host();
        for (const BoundaryFace& b : mesh.boundary()) {
          if (b.is_owned && mesh.part().patches[b.patch] == "left") U[b.face] *= 1 + share;
        }
        flow->state().flux.from_host(U);
      };
      leak(1e-3);
      try {
        flow->require_given_fluxes();
        ADD_FAILURE() << "it was not found";
      } catch (const Error& error) {
        EXPECT_TRUE(error.collective());
        EXPECT_EQ(error.code(), ExitCode::failure);
        EXPECT_NE(std::string(error.what()).find("the boundary is crossed otherwise than it says"), std::string::npos);
      }
    }
  }
}

}  // namespace
}  // namespace solenoid::test
