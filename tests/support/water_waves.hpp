/// Water waves for the tests: basins, and the setup of a bay.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

#include "physics/waves/water_waves_setup.hpp"
#include "support/values.hpp"

namespace solenoid::test {

inline SolveControl tight_elliptic(real tolerance = 1e-12) {
  SolveControl control = elliptic_solver();
  control.tolerance = tolerance;
  return control;
}

/// Tuned to the wave number [1/m] in water of this depth [m].
inline Sea tuned_to(real number, real depth, VerticalProfile profile = VerticalProfile::cosh) {
  Sea sea;
  sea.profile = profile;
  sea.frequency = std::sqrt(sea.gravity * number * std::tanh(number * depth));
  return sea;
}

/// Between quays.
inline WaterProblem basin(const LocalMesh& mesh, const Sea& sea, const Coefficient<real>& depth,
                          const Coefficient<real>& elevation) {
  return {sea, depth, std::vector<WaterSide>(mesh.part().patches.size()), elevation, real{0}};
}

/// Share [-] sent back along x, by the amplitudes of frequency w [1/s] between .75 and 2 wave lengths [m] over the last
/// of these periods. Collective.
inline real reflection_along(const LocalMesh& mesh, WaterWaves& waves, real w, real length, int periods) {
  const real period = 2 * std::numbers::pi_v<real> / w;
  const int steps = std::max(60, static_cast<int>(std::ceil(period / (0.7 * waves.longest_step()))));
  std::vector<std::complex<real>> amplitude(static_cast<std::size_t>(mesh.owned<Node>()), 0);
  for (int step = 1; step <= steps * periods; ++step) {
    waves.advance(period / steps);
    if (step <= steps * (periods - 1)) continue;
    const std::vector<real> zeta = waves.elevation().to_host();
    const std::complex<real> turn = std::polar(real{2} / steps, w * waves.time());
    for (std::size_t n = 0; n < zeta.size(); ++n) amplitude[n] += turn * zeta[n];
  }
  real most = 0, least = 1e9;
  for (std::size_t n = 0; n < amplitude.size(); ++n) {
    const real x = mesh.part().points[n].x / length;
    if (x < 0.75 || x > 2) continue;
    most = std::max(most, std::abs(amplitude[n])), least = std::min(least, std::abs(amplitude[n]));
  }
  most = mesh.comm().max(most), least = -mesh.comm().max(-least);
  return (most - least) / (most + least);
}

/// Bottom and surface of a basin on the unit square.
inline Coefficient<real> shelving() {
  return Coefficient<real>::of_place([](const Vec3& x) { return 0.2 + 0.5 * x.x * x.y; });
}
inline Coefficient<real> mound() {
  return Coefficient<real>::of_place([](const Vec3& x) {
    const Vec3 d = x - Vec3{0.4, 0.6, 0};
    return std::exp(-30 * dot(d, d));
  });
}

/// From `start` on with this velocity, ahead.
inline Ship ship_from(const Vec3& start, const Vec3& velocity) {
  Ship ship;
  ship.name = "ferry";
  ship.length = 0.3, ship.beam = 0.15, ship.draught = 0.05;
  ship.position = Coefficient<Vec3>::of_time([=](real t) { return start + t * velocity; });
  ship.heading = velocity / norm(velocity);
  return ship;
}

/// Waves that come in through the lid of the unit square over a sloping bottom, and a ship.
inline WaterWavesSetup bay_with_ship() {
  WaterWavesSetup setup;
  setup.time.emplace();
  setup.time->end = 1;
  setup.time->step.cfl = 0.8;
  setup.sea.frequency = 5;
  setup.depth = Coefficient<real>::of_place([](const Vec3& x) { return 0.2 + 0.3 * x.x; });
  setup.sides = {{"lid", {0, true, {{0.1, 5, {0.6, -0.8, 0}, 1}}}}, {"wall", {0.5}}};
  setup.elevation = Coefficient<real>::of_place([](const Vec3& x) { return std::exp(-20 * dot(x, x)); });
  setup.zones = {{{"lid"}, 0.3}};
  Ship ship = ship_from({0, 0.5, 0}, {1, 0, 0});
  ship.length = 0.4, ship.beam = ship.draught = 0.1, ship.ramp = 0.3;
  setup.ships = {ship};
  return setup;
}

}  // namespace solenoid::test
