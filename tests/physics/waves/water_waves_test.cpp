/// Water waves: frequencies of a basin, energy and volume, and what open sides and quays send back.
#include "physics/waves/water_waves.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "operators/p1.hpp"
#include "physics/waves/wave_height.hpp"
#include "support/water_waves.hpp"

namespace solenoid::test {
namespace {

using Given = Coefficient<real>;

/// Frequency with which the mode cos(pi x) of the unit square swings, over the model's, from the recurrence of its
/// amplitude with the error of the steps, which is known, taken off.
real frequency_over_model(int n, real depth) {
  const auto mesh = make_mesh(Comm(), unit_square(n, 0.1));
  const auto mode = [](const Vec3& x) { return std::cos(pi * x.x); };
  const Sea sea = tuned_to(pi, depth);
  WaterWaves waves(*mesh, basin(*mesh, sea, depth, Given::of_place(mode)), tight_elliptic(), 0);
  const real exact = model_frequency(pi, depth, sea.gravity, integrals_of(sea, depth)), dt = 2 * pi / exact / 60;
  EXPECT_LT(dt, waves.longest_step());
  std::vector<real> amplitude;
  const std::vector<real> area = p1_lumped_mass(*mesh);
  for (int step = 0; step <= 90; ++step) {
    const std::vector<real> zeta = waves.elevation().to_host();
    real sum = 0;
    for (std::size_t i = 0; i < zeta.size(); ++i) sum += area[i] * zeta[i] * mode(mesh->part().points[i]);
    amplitude.push_back(mesh->comm().sum(sum));
    waves.advance(dt);
  }
  real products = 0, squares = 0;
  for (std::size_t k = 1; k + 1 < amplitude.size(); ++k) {
    products += amplitude[k] * (amplitude[k - 1] + amplitude[k + 1]) / 2;
    squares += amplitude[k] * amplitude[k];
  }
  return 2 / dt * std::sin(std::acos(products / squares) / 2) / exact;
}

TEST(WaterWaves, ABasinHasTheModelsFrequency_Slow) {
  for (const real depth : {0.1, 1.0}) {
    const real coarse = std::abs(frequency_over_model(12, depth) - 1),
               fine = std::abs(frequency_over_model(24, depth) - 1);
    RecordProperty("fine", std::to_string(fine));
    EXPECT_LE(fine, 1e-3) << depth;
    EXPECT_GE(std::log2(coarse / fine), 1.8) << depth;
  }
}

TEST(WaterWaves, KeepsEnergyAndVolume_Steps) {
  for (const NamedPartitioner& p : partitioners()) {
    const auto mesh = make_mesh(Comm(), unit_square(10, 0.3), p.partition);
    WaterWaves waves(*mesh, basin(*mesh, tuned_to(6, 0.4), shelving(), mound()), tight_elliptic(), 0);
    const real energy = waves.energy(), volume = waves.volume(), dt = 0.7 * waves.longest_step();
    EXPECT_GT(energy, 0.01);
    waves.advance(dt);
    const real first = waves.energy();  // as of two half steps
    real drift = 0;
    for (int step = 0; step < 1000; ++step) {
      waves.advance(dt);
      drift = std::max(drift, std::abs(waves.energy() / first - 1));
    }
    EXPECT_LE(drift, 1e-10) << p.name;
    EXPECT_NEAR(first / energy, 1, 0.2);
    EXPECT_NEAR(waves.volume() / volume, 1, 1e-12) << p.name;
  }
}

TEST(WaterWaves, AreUnstableBeyondTheLongestStep_Slow) {
  const auto mesh = make_mesh(Comm(), unit_square(10, 0.3));
  for (const auto& [share, grows] : {std::pair{0.99, false}, std::pair{1.01, true}}) {
    WaterWaves waves(*mesh, basin(*mesh, tuned_to(6, 0.4), shelving(), mound()), tight_elliptic(), 0);
    const real energy = waves.energy(), dt = share * waves.longest_step();
    for (int step = 0; step < 400; ++step) waves.advance(dt);
    EXPECT_EQ(std::abs(waves.energy()) > 10 * energy, grows) << share;
  }
}

/// Waves enter a square along x at x = 0 and meet what is at its end; the amplitudes along it tell the reflected part.
/// `zone`: along the end, in wave lengths; 0: none.
real reflection(real coming, real tuned, const WaterSide& end, real zone = 0) {
  constexpr real depth = 1;
  const real length = 2 * pi / coming;
  const auto side = [](const Vec3& x) { return x.x < 1e-9 ? "left" : x.x > 0.999 ? "right" : "walls"; };
  const real wave_lengths = zone > 0 ? 3.5 : 2.25;
  MeshSource source = with_patches(unit_square(static_cast<int>(24 * wave_lengths)), side);
  for (Vec3& x : source.points) x = wave_lengths * length * x;
  const auto mesh = make_mesh(Comm(), source);
  WaterProblem problem = basin(*mesh, tuned_to(tuned, depth), depth, real{0});
  const ProfileIntegrals of = integrals_of(problem.sea, depth);
  const real w = model_frequency(coming, depth, problem.sea.gravity, of);
  for (std::size_t p = 0; p < problem.sides.size(); ++p) {
    const std::string& name = mesh->part().patches[p];
    if (name == "left") problem.sides[p] = {0, true, {{1, w, {1, 0, 0}, 0}}};
    if (name == "right") problem.sides[p] = end;
    if (name == "right" && zone > 0) problem.zones = {{{static_cast<int>(p)}, zone * length, {}}};
  }
  WaterWaves waves(*mesh, problem, tight_elliptic(1e-8), 0);
  return reflection_along(*mesh, waves, w, length, 22);
}

TEST(WaterWaves, AnOpenSideSendsLittleBack_Long) {
  for (const real tuned : {1.0, 3.0}) {
    const real found = reflection(tuned, tuned, {0});
    RecordProperty("tuned_to_" + std::to_string(tuned), std::to_string(found));
    EXPECT_LE(found, 0.01) << tuned;
  }
  const real longer = reflection(0.5, 1, {0});
  RecordProperty("longer", std::to_string(longer));
  EXPECT_LE(longer, 0.06);
}

/// Of other periods than the tuned one, over a strip along the open side.
TEST(WaterWaves, AZoneTakesWavesOfOtherPeriods_Long) {
  for (const real coming : {0.5, 1.0, 2.0}) {
    const real found = reflection(coming, 1, {0}, 1.5);
    RecordProperty("coming_" + std::to_string(coming), std::to_string(found));
    EXPECT_LE(found, 0.02) << coming;
  }
}

/// A wave that fills the domain goes on through the strip at the side where it enters.
TEST(WaterWaves, AZoneHoldsTheWavesOfItsSide_Steps) {
  const auto side = [](const Vec3& x) { return x.x < 1e-9 ? "left" : x.x > 0.999 ? "right" : "walls"; };
  MeshSource source = with_patches(unit_square(56), side);
  for (Vec3& x : source.points) x = 10 * x;
  const auto mesh = make_mesh(Comm(), source);
  WaterProblem problem = basin(*mesh, tuned_to(1.5, 1), real{1}, real{0});
  const real k = 1.5, w = problem.sea.frequency, g = problem.sea.gravity;
  const auto elevation = [&](const Vec3& x, real t) { return 0.3 * std::cos(k * x.x - w * t + 1); };
  problem.elevation = Given::of_place([=](const Vec3& x) { return elevation(x, 0); });
  problem.potential = Given::of_place([=](const Vec3& x) { return 0.3 * g / w * std::sin(k * x.x + 1); });
  const IncomingWave wave{0.3, w, {1, 0, 0}, 1};
  for (std::size_t p = 0; p < problem.sides.size(); ++p) {
    const std::string& name = mesh->part().patches[p];
    if (name == "left") problem.zones = {{{static_cast<int>(p)}, 5, {wave}}};
    if (name == "left") problem.sides[p] = {0, true, {wave}};
    if (name == "right") problem.sides[p] = {0, true, {}};
  }
  WaterWaves waves(*mesh, problem, tight_elliptic(1e-8), 0);
  for (int step = 0; step < 100 * 10; ++step) waves.advance(2 * pi / w / 100);
  const std::vector<real> zeta = waves.elevation().to_host();
  real most = 0;
  for (std::size_t n = 0; n < zeta.size(); ++n) {
    most = std::max(most, std::abs(zeta[n] - elevation(mesh->part().points[n], waves.time())));
  }
  RecordProperty("error", std::to_string(mesh->comm().max(most) / 0.3));
  EXPECT_LE(mesh->comm().max(most), 0.02 * 0.3);
}

/// A wave that enters over an uneven bottom far from the origin is the one that enters near it.
TEST(WaterWaves, ComeInAlikeFarFromTheOrigin_Slow) {
  const auto elevations = [](const Vec3& origin) {
    MeshSource source = with_patches(unit_square(16), [](const Vec3& x) { return x.x < 1e-9 ? "left" : "walls"; });
    for (Vec3& x : source.points) x = 10 * x + origin;
    const auto mesh = make_mesh(Comm(), source);
    const Given uneven = Given::of_place([=](const Vec3& x) { return 1 + 0.03 * (x - origin).y; });
    WaterProblem problem = basin(*mesh, tuned_to(1.5, 1), uneven, real{0});
    const auto at_left = [&](std::size_t p) { return mesh->part().patches[p] == "left"; };
    const real depth = 1.15;  // mean along the side
    const real w = problem.sea.frequency, k = model_wave(w, depth, 9.81, integrals_of(problem.sea, depth)).number;
    const Vec3 along{0.8, 0.6, 0};
    const IncomingWave wave{0.3, w, along, 1 - k * dot(along, origin)};
    for (std::size_t p = 0; p < problem.sides.size(); ++p) {
      if (!at_left(p)) continue;
      problem.sides[p] = {0, true, {wave}};
      problem.zones = {{{static_cast<int>(p)}, 2.5, {wave}}};
    }
    WaterWaves waves(*mesh, problem, tight_elliptic(), 0);
    for (int step = 0; step < 60; ++step) waves.advance(0.05);
    return gather(waves.elevation());
  };
  const std::vector<real> near = elevations({0, 0, 0}), far = elevations({400'000, 5'900'000, 0});
  real largest = 0;
  for (std::size_t n = 0; n < near.size(); ++n) {
    EXPECT_NEAR(far[n], near[n], 2e-5);  // rounding of the coordinates
    largest = std::max(largest, std::abs(near[n]));
  }
  if (!near.empty()) {
    EXPECT_GT(largest, 0.1);
  }
}

/// One group or two of the same waves: the strip along them is the same.
TEST(WaterWaves, AZoneAlongTwoGroupsMakesItsWavesOnce) {
  const auto elevations = [](bool in_two) {
    MeshSource source = with_patches(unit_square(16), [&](const Vec3& x) {
      if (x.x > 1e-9) return "walls";
      return in_two && x.y > 0.5 ? "upper" : "lower";
    });
    for (Vec3& x : source.points) x = 10 * x;
    const auto mesh = make_mesh(Comm(), source);
    WaterProblem problem = basin(*mesh, tuned_to(1.5, 1), real{1}, real{0});
    const IncomingWave wave{0.3, problem.sea.frequency, {0.8, 0.6, 0}, 1};
    std::vector<int> sea;
    for (std::size_t p = 0; p < problem.sides.size(); ++p) {
      if (mesh->part().patches[p] == "walls") continue;
      problem.sides[p] = {0, true, {wave}};
      sea.push_back(static_cast<int>(p));
    }
    problem.zones = {{sea, 5, {wave}}};
    WaterWaves waves(*mesh, problem, tight_elliptic(), 0);
    for (int step = 0; step < 60; ++step) waves.advance(0.05);
    return gather(waves.elevation());
  };
  expect_equal(elevations(true), elevations(false), "two groups", 1e-11);
}

/// zeta_in of two strips that overlap is the mean weighted by strengths, and nothing is stronger than 0.7 w.
TEST(RelaxationZones, ShareWhatTheyOverlap) {
  const auto mesh = make_mesh(Comm(), with_patches(unit_square(10), [](const Vec3& x) {
                                return x.x < 1e-9 ? "left" : x.y < 1e-9 ? "bottom" : "walls";
                              }));
  const Sea sea = tuned_to(1e-6, 1);  // waves so long that the phase is the same everywhere
  const auto index_of = [&](const std::string& name) {
    const std::vector<std::string>& names = mesh->part().patches;
    return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  const IncomingWave wave{2, sea.frequency, {1, 0, 0}, 0};
  const RelaxationZones zones(*mesh, {{{index_of("left")}, 0.5, {wave}}, {{index_of("bottom")}, 0.8, {}}}, sea,
                              {{1, {}}, {1, {}}});
  Field<Node> elevation(*mesh), potential(*mesh), values(*mesh), none(*mesh);
  zones.sample(0, elevation, potential);
  std::vector<real> ones(static_cast<std::size_t>(mesh->owned<Node>()), 1);
  values.from_host(ones);
  const real dt = 0.1 / sea.frequency;
  zones.relax(dt, none, values);
  const std::vector<real> zeta = elevation.to_host(), faded = values.to_host();
  for (std::size_t n = 0; n < zeta.size(); ++n) {
    const Vec3& x = mesh->part().points[n];
    const auto inward = [](real d) { return std::pow(std::max(1 - d, real{0}), 2); };
    const real of_left = inward(x.x / 0.5), of_bottom = inward(x.y / 0.8), both = of_left + of_bottom;
    EXPECT_NEAR(zeta[n], both > 0 ? 2 * of_left / both : 0, 1e-4);
    EXPECT_NEAR(faded[n], std::exp(-0.07 * std::min(both, real{1})), 1e-12);
  }
}

TEST(WaterWaves, AQuayReflectsItsPart_Long) {
  for (const real part : {0.25, 0.5, 0.75}) EXPECT_NEAR(reflection(1, 1, {part}), part, 0.01) << part;
}

/// Of a sum of two waves of one period, over whole periods.
TEST(WaveHeight, IsThatOfTheElevations) {
  const auto mesh = make_mesh(Comm(), unit_square(4));
  for (const auto& [meaning, factor] :
       {std::pair{HeightMeaning::regular, 2.0}, std::pair{HeightMeaning::significant, std::sqrt(8.0)}}) {
    WaveHeight height(*mesh, meaning, 1);
    Field<Node> zeta(*mesh);
    for (int step = 0; step <= 300; ++step) {
      const real time = step * 0.01;  // periods of 1 s; what is before the span does not count
      std::vector<real> values;
      for (int n = 0; n < mesh->owned<Node>(); ++n) {
        values.push_back(time < 0.995 ? 100 : (1 + mesh->part().points[n].x) * std::cos(2 * pi * time));
      }
      zeta.from_host(values);
      height.sample(zeta, time);
    }
    const std::vector<real> found = height.now().to_host();
    for (std::size_t n = 0; n < found.size(); ++n) {
      EXPECT_NEAR(found[n], factor * (1 + mesh->part().points[n].x), 1e-12);
    }
  }
}

/// The elevations after some steps of a basin with these ships.
std::vector<real> after_passing(const std::vector<Ship>& ships) {
  const auto mesh = make_mesh(Comm(), unit_square(16));
  WaterProblem problem = basin(*mesh, tuned_to(6, 0.4), real{0.4}, real{0});
  problem.ships = ships;
  WaterWaves waves(*mesh, problem, tight_elliptic(1e-13), 0);
  for (int step = 0; step < 40; ++step) waves.advance(0.01);
  return gather(waves.elevation());
}

TEST(WaterWaves, ShipsAddUp) {
  const Ship one = ship_from({0.2, 0.3, 0}, {1, 0.5, 0}), other = ship_from({0.8, 0.7, 0}, {-1, 0, 0});
  const std::vector<real> of_one = after_passing({one}), of_other = after_passing({other}),
                          of_both = after_passing({one, other});
  real largest = 0;
  for (std::size_t n = 0; n < of_both.size(); ++n) {
    EXPECT_NEAR(of_both[n], of_one[n] + of_other[n], 1e-11);
    largest = std::max(largest, std::abs(of_both[n]));
  }
  if (!of_both.empty()) {
    EXPECT_GT(largest, 0.005);
  }
}

/// The surface below a ship at rest lies lower by its draught; a slope pushes the ship downhill with its weight.
TEST(WaterWaves, AShipAtRestFloats) {
  const auto mesh = make_mesh(Comm(), unit_square(40));
  Ship ship = ship_from({0.5, 0.5, 0}, {1, 0, 0});
  ship.position = Vec3{0.5, 0.5, 0};
  Fleet fleet(*mesh, {ship}, 9.81);
  fleet.move_to(3);
  Field<Node> pressure(*mesh);
  fleet.compute_pressure(pressure);
  const std::vector<real> values = pressure.to_host();
  real most = 0;
  for (const real value : values) most = std::max(most, value);
  EXPECT_NEAR(mesh->comm().max(most), 9.81 * 0.05, 1e-12);
  Field<Cell, Vec3> slope(*mesh);
  slope.from_host(std::vector<Vec3>(static_cast<std::size_t>(mesh->owned<Cell>()), Vec3{0.01, -0.02, 0}));
  const ShipForce force = fleet.forces(slope).front();
  const real weight = 1025 * 9.81 * 0.05 * (0.3 * 0.75) * (0.15 * 0.75);  // a cosine over half of each half
  EXPECT_NEAR(force.surge / (-0.01 * weight), 1, 0.02);
  EXPECT_NEAR(force.sway / (0.02 * weight), 1, 0.02);
  EXPECT_NEAR(force.yaw, 0, 1e-3 * 0.3 * weight * 0.02);
}

TEST(WaterWaves, AreTheSameOnAnyPartition) {
  std::vector<std::vector<real>> found;
  for (const NamedPartitioner& p : partitioners()) {
    const auto mesh = make_mesh(Comm(), unit_square(9, 0.3), p.partition);
    WaterProblem problem = basin(*mesh, tuned_to(6, 0.4), shelving(), mound());
    problem.sides.front() = {0.2, true, {{0.1, 5, {0.6, 0.8, 0}, 1}, {0.05, 8, {-1, 0, 0}, 0}}};
    problem.zones = {{{0}, 0.3, problem.sides.front().incoming}, {{1}, 0.25, {}}};
    problem.ships = {ship_from({0.2, 0.3, 0}, {1, 0.5, 0})};
    WaterWaves waves(*mesh, problem, tight_elliptic(), 0);
    for (int step = 0; step < 30; ++step) waves.advance(0.01);
    found.push_back(gather(waves.elevation()));
    for (std::size_t n = 0; n < found.front().size(); ++n) EXPECT_NEAR(found.back()[n], found.front()[n], 1e-10);
  }
}

}  // namespace
}  // namespace solenoid::test
