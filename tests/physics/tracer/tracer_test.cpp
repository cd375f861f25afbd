/// Tracers: each step is one of the Runge-Kutta method with the quadratic velocity, on any ranks, however many cells it
/// crosses; walls, openings and periodic pairs; releases; a state that can be brought back.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "mesh/host_exchange.hpp"
#include "model/seed_points.hpp"
#include "physics/flow/flow_advection.hpp"
#include "physics/tracer/tracer_set.hpp"
#include "support/flows.hpp"
#include "support/kept_state.hpp"
#include "support/openings.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

using VelocityOf = std::function<NodeVelocity(const Vec3& x, real t)>;

/// A velocity that is known everywhere; what comes to the patch "right" leaves.
class KnownCarrier : public AdvectingVelocity {
 public:
  KnownCarrier(const LocalMesh& mesh, VelocityOf velocity) : mesh_(mesh), velocity_(std::move(velocity)) {}
  real time = 0;
  Exchanged<Node, NodeVelocity> velocity(Field<Node, NodeVelocity>& nodes) override {
    std::vector<NodeVelocity> values;
    for (int n = 0; n < mesh_.owned<Node>(); ++n) values.push_back(velocity_(mesh_.part().points[n], time));
    nodes.from_host(values);
    return halo(nodes);
  }
  bool is_open(int patch) const override { return mesh_.part().patches[static_cast<std::size_t>(patch)] == "right"; }

 private:
  const LocalMesh& mesh_;
  VelocityOf velocity_;
};

/// A set of tracers on its way through a known flow.
struct Voyage {
  const LocalMesh& mesh;
  KnownCarrier carrier;
  TracerAdvection paths;
  TracerSet set;
  Field<Node, NodeVelocity> first, second;

  Voyage(const LocalMesh& of, const VelocityOf& velocity, const std::vector<Vec3>& seeds, const Releases& releases = {})
      : mesh(of),
        carrier(of, velocity),
        paths(of, carrier),
        set(of, "dye", PointSampler(of, seeds), releases),
        first(of),
        second(of) {}
  void start() { set.start(0); }
  void step(real dt) {
    const Exchanged<Node, NodeVelocity> before = carrier.velocity(first);
    const real begin = std::exchange(carrier.time, carrier.time + dt);
    set.advance(paths, {dt, before, carrier.velocity(second)}, begin);
  }
  /// By their ids, on every rank.
  std::map<std::int64_t, Tracer> all() const {
    std::map<std::int64_t, Tracer> found;
    for (const Tracer& tracer : from_all_ranks(mesh.comm(), set.tracers())) {
      EXPECT_TRUE(found.emplace(tracer.id, tracer).second) << "is on two ranks";
    }
    EXPECT_EQ(static_cast<std::int64_t>(found.size()), set.counts().alive);
    return found;
  }
};

/// A vortex about the middle of the square or cube, bent by quadratic terms, that grows in time.
NodeVelocity bent_vortex(const Vec3& at, real t) {
  const real x = at.x - real{0.5}, y = at.y - real{0.5}, z = at.z - real{0.5}, grown = 1 + t / 2;
  NodeVelocity u{{-y + real{0.3} * x * y, x + real{0.2} * x * x - real{0.1} * y * y, 0},
                 {{real{0.3} * y, 1 + real{0.4} * x, 0}, {-1 + real{0.3} * x, -real{0.2} * y, 0}, {}}};
  if (at.z != 0) {
    u.value.z = real{0.2} * x * y - real{0.1} * z;
    u.gradient[0].z = real{0.2} * y, u.gradient[1].z = real{0.2} * x, u.gradient[2].z = -real{0.1};
  }
  NodeVelocity result{};
  result.add(grown, u);
  return result;
}

/// A step of the classical method, with velocities that are linear in time within it.
Vec3 runge_kutta(const VelocityOf& u, const Vec3& x, real t, real dt) {
  const auto at = [&](const Vec3& place, real part) {
    return (1 - part) * u(place, t).value + part * u(place, t + dt).value;
  };
  const Vec3 a = at(x, 0), b = at(x + dt / 2 * a, real{0.5}), c = at(x + dt / 2 * b, real{0.5}), d = at(x + dt * c, 1);
  return x + dt / 6 * (a + 2 * b + 2 * c + d);
}

std::vector<Vec3> seeds_in(int dimension) {
  const real z = dimension == 3 ? real{0.45} : 0;
  return {{0.5, 0.5, z}, {0.7, 0.45, z}, {0.25, 0.5, z}, {0.31, 0.62, z}, {0.5, 0.8, z}, {0.72, 0.71, z}};
}

MeshSource square_or_cube(int dimension) {
  return dimension == 2 ? unit_square(12, real{0.3}) : unit_cube(6, real{0.2});
}

TEST(Tracers, TakeRungeKuttaStepsOnAnyPartitionThroughManyCells) {
  for (const int dimension : {2, 3}) {
    for (const NamedPartitioner& way : partitioners()) {
      SCOPED_TRACE(std::to_string(dimension) + "D, " + way.name);
      const auto mesh = make_mesh(Comm(), square_or_cube(dimension), way.partition);
      const std::vector<Vec3> seeds = seeds_in(dimension);
      Voyage voyage(*mesh, bent_vortex, seeds);
      voyage.start();
      std::vector<Vec3> expected = seeds;
      for (int k = 0; k < 6; ++k) {
        const real dt = k % 2 == 0 ? real{0.6} : real{0.05};  // up to five cells at once
        for (Vec3& x : expected) x = runge_kutta(bent_vortex, x, voyage.carrier.time, dt);
        voyage.step(dt);
      }
      const auto all = voyage.all();
      ASSERT_EQ(all.size(), seeds.size());
      for (std::size_t i = 0; i < seeds.size(); ++i) {
        EXPECT_LT(norm(all.at(static_cast<std::int64_t>(i)).place - expected[i]), 1e-12) << i;
      }
      EXPECT_EQ(voyage.set.counts().lost, 0);
    }
  }
}

real error_after_a_turn(int steps) {
  const auto turn = [](const Vec3& x, real) {
    return NodeVelocity{{real{0.5} - x.y, x.x - real{0.5}, 0}, {{0, 1, 0}, {-1, 0, 0}, {}}};
  };
  const auto mesh = make_mesh(Comm(), unit_square(9, real{0.3}));
  const Vec3 seed{0.8, 0.5, 0};
  Voyage voyage(*mesh, turn, {seed});
  voyage.start();
  for (int k = 0; k < steps; ++k) voyage.step(2 * pi / static_cast<real>(steps));
  return norm(voyage.all().at(0).place - seed);
}

TEST(Tracers, ComeBackAfterATurnWithOrderFourInTime) {
  const real coarse = error_after_a_turn(20), fine = error_after_a_turn(40);
  const real angle = 2 * pi / 40;  // of a step, which turns by its fifth power / 120 too little
  EXPECT_NEAR(fine, real{0.3} * 2 * pi * std::pow(angle, 4) / 120, 0.02 * fine);
  EXPECT_GT(std::log2(coarse / fine), 3.9);
}

NodeVelocity wind(const Vec3&, real) { return {{real{1.3}, real{0.7}, 0}, {{}, {}, {}}}; }

TEST(Tracers, GoOnBeyondPeriodicPairs) {
  MeshSource source = with_patches(unit_square(7), side_of_square);
  source.pairs = {{"left", "right"}, {"bottom", "top"}};
  for (const NamedPartitioner& way : partitioners()) {
    SCOPED_TRACE(way.name);
    const auto mesh = make_mesh(Comm(), source, way.partition);
    const std::vector<Vec3> seeds{{0.1, 0.2, 0}, {0.95, 0.9, 0}, {0, 0.5, 0}};
    Voyage voyage(*mesh, wind, seeds);
    voyage.start();
    real time = 0;
    for (const real dt : {0.1, 0.35, 0.8, 1.7, 0.2}) voyage.step(dt), time += dt;
    const auto all = voyage.all();
    ASSERT_EQ(all.size(), seeds.size());
    for (const auto& [id, tracer] : all) {
      const Vec3 moved = seeds[static_cast<std::size_t>(id)] + time * wind({}, 0).value;
      const Vec3 off = tracer.place - moved;
      EXPECT_NEAR(off.x, std::round(off.x), 1e-12);
      EXPECT_NEAR(off.y, std::round(off.y), 1e-12);
      EXPECT_GE(std::min(tracer.place.x, tracer.place.y), -1e-12);
      EXPECT_LE(std::max(tracer.place.x, tracer.place.y), 1 + 1e-12);
    }
  }
}

TEST(Tracers, LeaveThroughOpeningsAndSlideAlongWalls) {
  const auto mesh = make_mesh(Comm(), with_patches(unit_square(8, real{0.2}), side_of_square));
  Voyage voyage(*mesh, wind, {{0.9, 0.1, 0}, {0.1, 0.3, 0}, {0.1, 0.95, 0}});
  voyage.start();
  for (int k = 0; k < 4; ++k) voyage.step(real{0.1});
  const auto all = voyage.all();
  const TracerCounts& counts = voyage.set.counts();
  const auto right = static_cast<std::size_t>(places_of_patch(*mesh, "right").at(0));
  EXPECT_EQ(counts.left[right], 1);
  EXPECT_EQ(counts.alive, 2);
  EXPECT_EQ(all.count(0), 0u);
  EXPECT_LT(norm(all.at(1).place - Vec3{real{0.62}, real{0.58}, 0}), 1e-12);
  EXPECT_LT(norm(all.at(2).place - Vec3{real{0.62}, 1, 0}), 1e-12);
  for (int k = 0; k < 8; ++k) voyage.step(real{0.1});
  EXPECT_EQ(counts.left[right], 3);
  EXPECT_EQ(counts.alive + counts.lost, 0);
}

TEST(Tracers, StayInTheCornerTheyAreBlownInto) {
  const auto mesh = make_mesh(Comm(), unit_cube(4, real{0.2}));  // walls all around
  const auto gust = [](const Vec3&, real) { return NodeVelocity{{1, -2, real{0.5}}, {{}, {}, {}}}; };
  Voyage voyage(*mesh, gust, {{0.3, 0.4, 0.2}, {0.9, 0.9, 0.9}});
  voyage.start();
  for (int k = 0; k < 4; ++k) voyage.step(real{0.1});
  EXPECT_LT(norm(voyage.all().at(0).place - Vec3{real{0.7}, 0, real{0.4}}), 1e-10);
  for (int k = 0; k < 30; ++k) voyage.step(real{0.1});
  for (const auto& [id, tracer] : voyage.all()) EXPECT_LT(norm(tracer.place - Vec3{1, 0, 1}), 1e-10) << id;
  EXPECT_EQ(voyage.set.counts().alive, 2);
}

TEST(Tracers, AreReleasedWhenTheyAreDueWithinSteps) {
  const auto mesh = make_mesh(Comm(), unit_square(5));
  const auto breeze = [](const Vec3&, real) { return NodeVelocity{{real{0.2}, 0, 0}, {{}, {}, {}}}; };
  Voyage voyage(*mesh, breeze, {{0.1, 0.2, 0}, {0.3, 0.7, 0}}, {real{0.2}, real{0.3}, real{1.1}});
  voyage.start();
  EXPECT_FALSE(voyage.set.is_busy(real{0.19}));
  EXPECT_TRUE(voyage.set.is_busy(real{0.2}));
  for (int k = 0; k < 8; ++k) voyage.step(real{0.25});
  const auto all = voyage.all();
  ASSERT_EQ(all.size(), 8u);  // at .2, .5, .8 and 1.1, of two seeds
  for (const auto& [id, tracer] : all) {
    const real born = real{0.2} + real{0.3} * static_cast<real>(id / 2);
    EXPECT_NEAR(tracer.born, born, 1e-14);
    EXPECT_NEAR(tracer.place.x, (id % 2 == 0 ? 0.1 : 0.3) + 0.2 * (2 - born), 1e-13);
    EXPECT_NEAR(tracer.place.y, id % 2 == 0 ? 0.2 : 0.7, 1e-13);
  }
}

TEST(Tracers, GoOnInTheSameBitsFromAStateThatIsBroughtBack) {
  const auto mesh = make_mesh(Comm(), with_patches(unit_square(9, real{0.3}), side_of_square));
  const Releases often{0, real{0.07}, 5};
  const auto drift = [](const Vec3& x, real t) {
    NodeVelocity u = bent_vortex(x, t);
    u.value.x += real{1.2};
    return u;
  };
  Voyage whole(*mesh, drift, seeds_in(2), often);
  whole.start();
  for (int k = 0; k < 6; ++k) whole.step(real{0.11});
  KeptState kept(mesh->comm());
  whole.set.visit_state(kept);
  Voyage again(*mesh, drift, seeds_in(2), often);
  again.start();
  again.step(real{0.11});  // what it has done before does not matter
  kept.restores = true;
  again.set.visit_state(kept);
  EXPECT_TRUE(kept.missing.empty());
  again.carrier.time = whole.carrier.time;
  again.set.restored(again.carrier.time);
  for (int k = 0; k < 10; ++k) {
    const auto expected = whole.all(), found = again.all();
    ASSERT_EQ(found.size(), expected.size());
    for (const auto& [id, tracer] : expected) {
      EXPECT_EQ(norm(found.at(id).place - tracer.place), 0) << id;
      EXPECT_EQ(found.at(id).cell_id, tracer.cell_id) << id;
      EXPECT_EQ(found.at(id).born, tracer.born) << id;
    }
    EXPECT_EQ(again.set.counts().left, whole.set.counts().left);
    EXPECT_EQ(again.set.counts().released, whole.set.counts().released);
    whole.step(real{0.13});
    again.step(real{0.13});
  }
  EXPECT_GT(whole.set.counts().left.at(static_cast<std::size_t>(places_of_patch(*mesh, "right").at(0))), 0);
}

/// Up to t = 0.5 from three seeds each 0.1 s, then as another case has it.
struct GoneOn {
  std::unique_ptr<LocalMesh> mesh = make_mesh(Comm(), unit_square(5));
  static NodeVelocity breeze(const Vec3&, real) { return {{real{0.2}, 0, 0}, {{}, {}, {}}}; }
  static std::vector<Vec3> seeds(int count) {
    std::vector<Vec3> found;
    for (int k = 1; k <= count; ++k) found.push_back({real{0.1}, real{0.1} * static_cast<real>(k), 0});
    return found;
  }
  Voyage first, second;
  KeptState kept{Comm{}};

  GoneOn(int count, const Releases& releases)
      : first(*mesh, breeze, seeds(3), {0, real{0.1}}), second(*mesh, breeze, seeds(count), releases) {
    first.start();
    for (int k = 0; k < 10; ++k) first.step(real{0.05});
    first.set.visit_state(kept);
    kept.restores = true;
    bring_back(second, first.carrier.time);
  }
  void bring_back(Voyage& voyage, real time) {
    voyage.set.visit_state(kept);
    voyage.carrier.time = time;
    voyage.set.restored(time);
  }
  /// When tracers of the second voyage were born, and how many.
  std::map<int, int> births() const {
    std::map<int, int> found;
    for (const auto& [id, tracer] : second.all()) ++found[static_cast<int>(std::lround(100 * tracer.born))];
    return found;
  }
};

TEST(Tracers, KeepTheirIdsWhereTheSeedsBecomeFewerOrMore) {
  for (const int count : {2, 3, 7}) {
    SCOPED_TRACE(count);
    GoneOn run(count, {0, real{0.1}});
    ASSERT_EQ(run.first.all().size(), 18u);
    for (int k = 0; k < 10; ++k) run.first.step(real{0.05}), run.second.step(real{0.05});
    const auto expected = run.first.all(), found = run.second.all();  // all() finds no id twice
    ASSERT_EQ(found.size(), 18u + 5 * count);
    for (const auto& [id, tracer] : expected) {
      if (id >= 18) continue;  // of seeds that the second has not, or that have other ids there
      EXPECT_EQ(norm(found.at(id).place - tracer.place), 0) << id;
    }
    EXPECT_EQ(found.rbegin()->first, 17 + 5 * count);
    Voyage again(*run.mesh, GoneOn::breeze, GoneOn::seeds(count), {0, real{0.1}});  // and once more
    run.kept = KeptState(Comm{});
    run.second.set.visit_state(run.kept);
    run.kept.restores = true;
    run.bring_back(again, run.second.carrier.time);
    const auto brought_back = again.all();
    ASSERT_EQ(brought_back.size(), found.size());
    for (const auto& [id, tracer] : found) EXPECT_EQ(norm(brought_back.at(id).place - tracer.place), 0) << id;
  }
}

TEST(Tracers, AreReleasedAsTheCaseSaysThatGoesOn) {
  using Births = std::map<int, int>;
  const Births before{{0, 3}, {10, 3}, {20, 3}, {30, 3}, {40, 3}, {50, 3}};
  const auto with = [&](const Births& later) {
    Births all = before;
    all.insert(later.begin(), later.end());
    return all;
  };
  const std::pair<Releases, Births> cases[] = {
      {{0, real{0.1}}, with({{60, 3}, {70, 3}, {80, 3}, {90, 3}, {100, 3}})},
      {{0, real{0.3}}, with({{60, 3}, {90, 3}})},
      {{0, real{0.07}}, with({{56, 3}, {63, 3}, {70, 3}, {77, 3}, {84, 3}, {91, 3}, {98, 3}})},
      {{real{0.72}, real{0.2}}, with({{72, 3}, {92, 3}})},
      {{0, real{0.1}, real{0.7}}, with({{60, 3}, {70, 3}})},
      {{0, real{0.1}, real{0.2}}, before},
      {{0, 0}, before},
      {{real{0.8}, 0}, with({{80, 3}})}};
  for (const auto& [releases, expected] : cases) {
    GoneOn run(3, releases);
    for (int k = 0; k < 10; ++k) run.second.step(real{0.05});
    EXPECT_EQ(run.births(), expected) << "from " << releases.start << " every " << releases.every;
  }
}

TEST(Tracers, ThatAreNewToAStateComeAtOnceAndOnlyOnce) {
  const auto mesh = make_mesh(Comm(), unit_square(5));
  for (const auto& [releases, count] :
       {std::pair(Releases{0, real{0.2}}, 3), std::pair(Releases{0, 0}, 1), std::pair(Releases{real{0.7}, 0}, 1)}) {
    Voyage voyage(*mesh, GoneOn::breeze, GoneOn::seeds(2), releases);
    voyage.carrier.time = real{0.5};
    voyage.set.restored(real{0.5});
    voyage.step(real{0.05});
    EXPECT_EQ(voyage.set.counts().released, releases.start < real{0.5} ? 2 : 0);
    for (int k = 0; k < 6; ++k) voyage.step(real{0.05});
    EXPECT_EQ(voyage.set.counts().released, 2 * count) << "from " << releases.start << " every " << releases.every;
  }
}

TEST(Tracers, AreCarriedByTheVelocityOfTheFlow) {
  const auto through = [](const Vec3& x) { return Vec3{x.y * (1 - x.y), 0, 0}; };
  const auto profile = Coefficient<Vec3>::of_place(through);
  const FlowProblem problem(Comm(), with_patches(unit_square(8, real{0.3}), side_of_square));
  const LocalMesh& mesh = *problem.mesh;
  const auto flow = make_flow_step(
      mesh, open_settings(1), conditions(mesh, {{"left", Inlet{profile}}, {"right", Outlet{Coefficient<real>(0)}}}), 0,
      &problem.wide);
  VelocityReconstruction fit(mesh, problem.wide, flow->boundaries());
  FlowAdvection carrier(*flow, problem.wide, fit);
  flow->state().flux.copy_from(flux_of(mesh, [](const Vec3& x) { return x.y * x.y / 2 - x.y * x.y * x.y / 3; }));
  Field<Node, NodeVelocity> nodes(mesh);
  carrier.velocity(nodes);
  const std::vector<NodeVelocity> found = nodes.all_to_host();
  for (int n = 0; n < mesh.total<Node>(); ++n) {
    const Vec3 x = mesh.part().points[n];
    EXPECT_LT(norm(found[n].value - through(x)), 1e-11);
    EXPECT_LT(norm(found[n].gradient[0]) + norm(found[n].gradient[1] - Vec3{1 - 2 * x.y, 0, 0}), 1e-9);
  }
  const auto& patches = mesh.part().patches;
  for (int p = 0; p < static_cast<int>(patches.size()); ++p) {
    EXPECT_EQ(carrier.is_open(p), patches[p] == "left" || patches[p] == "right");
  }
}

TEST(SeedPoints, AreInTheirPlaceAndEven) {
  const auto mesh = make_mesh(Comm(), square_with_hole(9));
  const std::vector<Vec3> box = seed_points(*mesh, BoxOfPoints{{-1, 0, 0}, {1, 0.5, 0}}, 300, "box");
  ASSERT_EQ(box.size(), 300u);
  int left = 0;
  for (const Vec3& x : box) {
    EXPECT_TRUE(x.x >= 0 && x.x <= 1 && x.y >= 0 && x.y <= 0.5);
    EXPECT_FALSE(x.x > 0.334 && x.x < 0.666 && x.y > 0.334);
    left += x.x < 0.5;
  }
  EXPECT_NEAR(left, 150, 6);  // of independent random ones 9 would be a usual deviation
  for (const Vec3& x : seed_points(*mesh, BallOfPoints{{0.2, 0.2, 0}, 0.1}, 50, "disc")) {
    EXPECT_LE(norm(x - Vec3{0.2, 0.2, 0}), 0.1);
  }
  EXPECT_THROW(seed_points(*mesh, BallOfPoints{{0.5, 0.5, 0}, 0.1}, 5, "in the hole"), Error);
}

}  // namespace
}  // namespace solenoid::test
