/// Water waves on a current: conserved energy, the Doppler shift, and what open sides send back.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "physics/waves/water_waves.hpp"
#include "support/water_waves.hpp"

namespace solenoid::test {
namespace {

using Given = Coefficient<real>;
using Current3 = Coefficient<Vec3>;

/// Round the unit square along its walls, of a stream function; up to pi/4 of `strength` [m/s].
Current3 round_the_square(real strength) {
  return Current3::of_place([=](const Vec3& x) {
    return strength / 4 *
           Vec3{pi * std::sin(pi * x.x) * std::cos(pi * x.y), -pi * std::cos(pi * x.x) * std::sin(pi * x.y), 0};
  });
}

WaterWaves in_basin(const LocalMesh& mesh, const std::optional<Current3>& current) {
  WaterProblem problem = basin(mesh, tuned_to(6, 0.4), shelving(), mound());
  problem.current = current;
  return WaterWaves(mesh, problem, tight_elliptic(), 0);
}

/// Relative loss of energy in a closed basin over a time.
real loss_of_energy(const LocalMesh& mesh, real time, int steps) {
  WaterWaves waves = in_basin(mesh, round_the_square(0.4));
  const real first = waves.energy();
  for (int step = 0; step < steps; ++step) waves.advance(time / steps);
  return 1 - waves.energy() / first;
}

TEST(WavesOnCurrent, KeepEnergyToFifthOrderAndVolume_Steps) {
  const auto mesh = make_mesh(Comm(), unit_square(8, 0.3));
  WaterWaves waves = in_basin(*mesh, round_the_square(0.4));
  const real volume = waves.volume(), dt = 0.25 * waves.longest_step();
  const real coarse = loss_of_energy(*mesh, 200 * dt, 200), fine = loss_of_energy(*mesh, 200 * dt, 400);
  RecordProperty("loss", std::to_string(1e6 * fine) + "e-6");
  RecordProperty("order", std::to_string(std::log2(coarse / fine)));
  EXPECT_GT(fine, 0);  // fourth order damps
  EXPECT_LE(fine, 1e-4);
  EXPECT_GE(std::log2(coarse / fine), 4.7);
  for (int step = 0; step < 50; ++step) waves.advance(dt);
  EXPECT_NEAR(waves.volume() / volume, 1, 1e-13);
}

TEST(WavesOnCurrent, AreUnstableBeyondTheLongestStep_Steps) {
  const auto mesh = make_mesh(Comm(), unit_square(10, 0.3));
  for (const auto& [share, grows] : {std::pair{0.99, false}, std::pair{1.04, true}}) {
    WaterWaves waves = in_basin(*mesh, round_the_square(0.8));
    const real energy = waves.energy(), dt = share * waves.longest_step();
    for (int step = 0; step < 400; ++step) waves.advance(dt);
    EXPECT_EQ(std::abs(waves.energy()) > 10 * energy, grows) << share;
  }
}

/// Of the square in all four of its sides, two of which the current crosses, with zones or without.
TEST(WavesOnCurrent, LeaveThroughOpenSides_Steps) {
  const auto mesh = make_mesh(Comm(), unit_square(10, 0.3));
  for (const bool has_zones : {false, true}) {
    for (const real speed : {-0.5, 0.5}) {
      WaterProblem problem = basin(*mesh, tuned_to(6, 0.4), real{0.4}, mound());
      problem.current = Vec3{speed, 0.3, 0};
      for (WaterSide& side : problem.sides) side = {0, true, {}};
      if (has_zones) problem.zones = {{{0}, 0.3, {}}};
      WaterWaves waves(*mesh, problem, tight_elliptic(1e-8), 0);
      const real energy = waves.energy(), dt = stable_share * waves.longest_step();
      for (int step = 0; step < 1500; ++step) waves.advance(dt);
      EXPECT_LE(std::abs(waves.energy()), 1e-6 * energy) << speed;
    }
  }
}

/// Without water that moves, Runge and Kutta's steps are at the same time where Verlet's arrive.
TEST(WavesOnCurrent, AtRestAreThoseWithout_Slow) {
  const auto mesh = make_mesh(Comm(), unit_square(8, 0.3));
  const auto after = [&](const std::optional<Current3>& current, int steps) {
    WaterWaves waves = in_basin(*mesh, current);
    for (int step = 0; step < steps; ++step) waves.advance(real{0.6} / steps);
    return waves.elevation().to_host();
  };
  const std::vector<real> found = after(Vec3{}, 160), coarse = after({}, 160), fine = after({}, 320);
  std::vector<real> extrapolated;  // Verlet's errors are of second order
  for (std::size_t n = 0; n < fine.size(); ++n) extrapolated.push_back(fine[n] + (fine[n] - coarse[n]) / 3);
  expect_equal(found, extrapolated, "at rest", 2e-4);
}

/// A channel along x of this many wave lengths; with the patches left, right and walls.
std::unique_ptr<LocalMesh> channel(int cells_per_wave, real waves, real length) {
  const auto side = [](const Vec3& x) { return x.x < 1e-9 ? "left" : x.x > 0.999 ? "right" : "walls"; };
  const int cells = static_cast<int>(cells_per_wave * waves);
  MeshSource source = with_patches(unit_square(cells), side);
  for (Vec3& x : source.points) x = waves * length * x;
  return make_mesh(Comm(), source);
}

/// Largest error, over the amplitude, of a wave along the channel with its frequency on the current `along`, held by
/// its own waves in zones at both ends, after four periods.
real error_of_doppler_shift(int cells_per_wave, real along, real across = 0) {
  constexpr real depth = 1, number = 1.5, amplitude = 0.3;
  const real length = 2 * pi / number;
  const auto mesh = channel(cells_per_wave, 3, length);
  WaterProblem problem = basin(*mesh, tuned_to(number, depth), depth, real{0});
  const real g = problem.sea.gravity;
  const real intrinsic = model_frequency(number, depth, g, integrals_of(problem.sea, depth)),
             w = intrinsic + number * along;
  const IncomingWave wave{amplitude, w, {1, 0, 0}, 1};
  const auto elevation = [=](const Vec3& x, real t) { return amplitude * std::cos(number * x.x - w * t + 1); };
  problem.elevation = Given::of_place([=](const Vec3& x) { return elevation(x, 0); });
  problem.potential =
      Given::of_place([=](const Vec3& x) { return amplitude * g / intrinsic * std::sin(number * x.x + 1); });
  problem.current = Vec3{along, across, 0};
  for (std::size_t p = 0; p < problem.sides.size(); ++p) {
    if (mesh->part().patches[p] == "walls") continue;
    problem.sides[p] = {0, true, {wave}};
    problem.zones.push_back({{static_cast<int>(p)}, length, {wave}});
  }
  WaterWaves waves(*mesh, problem, tight_elliptic(1e-9), 0);
  const int steps = 4 * 4 * cells_per_wave;
  for (int step = 0; step < steps; ++step) waves.advance(4 * 2 * pi / w / steps);
  const std::vector<real> zeta = waves.elevation().to_host();
  real most = 0;
  for (std::size_t n = 0; n < zeta.size(); ++n) {
    most = std::max(most, std::abs(zeta[n] - elevation(mesh->part().points[n], waves.time())));
  }
  return mesh->comm().max(most) / amplitude;
}

TEST(WavesOnCurrent, HaveTheDopplerShift_Steps) {
  for (const real along : {0.6, -0.4}) {
    const real coarse = error_of_doppler_shift(12, along), fine = error_of_doppler_shift(24, along);
    RecordProperty("fine_" + std::to_string(along), std::to_string(fine));
    RecordProperty("order_" + std::to_string(along), std::to_string(std::log2(coarse / fine)));
    EXPECT_LE(fine, 0.03) << along;
    EXPECT_GE(std::log2(coarse / fine), 1.9) << along;
  }
}

/// The part of a wave with `frequency_share` times the tuned frequency, that comes from the left and is reflected at
/// the right end, on a current of this Froude number; `zone`: along the right end, in wave lengths.
real reflection_on_current(real frequency_share, real froude, real zone = 0) {
  constexpr real depth = 1, tuned = 1;
  const Sea sea = tuned_to(tuned, depth);
  const ProfileIntegrals of = integrals_of(sea, depth);
  const real along = froude * std::sqrt(sea.gravity * depth), w = frequency_share * sea.frequency;
  const real length = 2 * pi / wave_on_current(w, along, depth, sea.gravity, of).value().number;
  const auto mesh = channel(24, zone > 0 ? 3.5 : 2.25, length);
  WaterProblem problem = basin(*mesh, sea, depth, real{0});
  problem.current = Vec3{along, 0, 0};
  for (std::size_t p = 0; p < problem.sides.size(); ++p) {
    const std::string& name = mesh->part().patches[p];
    if (name == "left") problem.sides[p] = {0, true, {{1, w, {1, 0, 0}, 0}}};
    if (name == "right") problem.sides[p] = {0, true, {}};
    if (name == "right" && zone > 0) problem.zones = {{{static_cast<int>(p)}, zone * length, {}}};
  }
  WaterWaves waves(*mesh, problem, tight_elliptic(1e-8), 0);
  return reflection_along(*mesh, waves, w, length, 30);
}

/// With 36 points in a wave half of it, at the period.
TEST(WavesOnCurrent, ReflectLittleAtOpenSides_Long) {
  for (const real froude : {0.15, -0.15}) {
    const real found = reflection_on_current(1, froude), in_zone = reflection_on_current(0.6, froude, 1.5);
    RecordProperty("tuned_" + std::to_string(froude), std::to_string(found));
    RecordProperty("longer_in_zone_" + std::to_string(froude), std::to_string(in_zone));
    EXPECT_LE(found, 0.02) << froude;
    EXPECT_LE(in_zone, 0.01) << froude;
  }
}

TEST(WavesOnCurrent, AreTheSameOnAnyPartition) {
  std::vector<std::vector<real>> found;
  for (const NamedPartitioner& p : partitioners()) {
    const auto mesh = make_mesh(Comm(), unit_square(9, 0.3), p.partition);
    WaterProblem problem = basin(*mesh, tuned_to(6, 0.4), shelving(), mound());
    problem.current = round_the_square(0.4);
    problem.sides.front() = {0, true, {{0.1, 5, {0.6, 0.8, 0}, 1}, {0.05, 8, {-1, 0, 0}, 0}}};
    problem.zones = {{{0}, 0.3, problem.sides.front().incoming}, {{1}, 0.25, {}}};
    problem.ships = {ship_from({0.2, 0.3, 0}, {1, 0.5, 0})};
    WaterWaves waves(*mesh, problem, tight_elliptic(), 0);
    EXPECT_GT(waves.longest_step(), 0.01);
    for (int step = 0; step < 30; ++step) waves.advance(0.01);
    found.push_back(gather(waves.elevation()));
    for (std::size_t n = 0; n < found.front().size(); ++n) EXPECT_NEAR(found.back()[n], found.front()[n], 1e-10);
  }
}

TEST(WavesOnCurrent, RefuseWhatNoWaveCanRunAgainst) {
  const auto mesh = make_mesh(Comm(), unit_square(6));
  const auto fault_of = [&](const Vec3& velocity, bool is_open) {
    WaterProblem problem = basin(*mesh, tuned_to(6, 0.4), real{0.4}, real{0});
    problem.current = velocity;
    if (is_open) problem.sides.front() = {0, true, {{0.1, 30, {1, 0, 0}, 0}}};
    try {
      const WaterWaves waves(*mesh, problem, tight_elliptic(), 0);
    } catch (const Error& error) {
      EXPECT_TRUE(error.collective());
      EXPECT_EQ(error.code(), ExitCode::bad_input);
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(fault_of({0, 2, 0}, false).find("the Froude number is 1.01, expected less than 1"), std::string::npos);
  EXPECT_NE(fault_of({0, 1, 0.1}, false).find("has a z-component, 0.1 m/s"), std::string::npos);
  EXPECT_NE(fault_of({-1.9, 0, 0}, true).find("waves of a period of 0.2094 s cannot run against the current"),
            std::string::npos);
  EXPECT_EQ(fault_of({-0.5, 0, 0}, false), "");
}

}  // namespace
}  // namespace solenoid::test
