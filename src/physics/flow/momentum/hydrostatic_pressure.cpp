#include "physics/flow/momentum/hydrostatic_pressure.hpp"

#include <array>
#include <cmath>

#include "base/vec3.hpp"

namespace solenoid {

namespace {

/// Gauss's rule of three points on [0, 1].
struct GaussPoint {
  real place, weight;
};
const std::array<GaussPoint, 3> gauss{{{real{0.5} - std::sqrt(real{0.15}), real{5} / 18},
                                       {real{0.5}, real{4} / 9},
                                       {real{0.5} + std::sqrt(real{0.15}), real{5} / 18}}};

}  // namespace

Coefficient<real> hydrostatic_pressure(const BuoyancySettings& buoyancy, const Coefficient<real>& temperature) {
  constexpr int parts = 16;
  return {[buoyancy, temperature](std::span<const Vec3> points, real time, std::span<real> values) {
            const real g = norm(buoyancy.gravity);
            const Vec3 down = g > 0 ? buoyancy.gravity / g : Vec3{};
            std::vector<Vec3> places;
            for (const Vec3& x : points) {
              const real depth = dot(x, down);
              for (int part = 0; part < parts; ++part) {
                for (const GaussPoint& at : gauss) {
                  const real share = (static_cast<real>(part) + at.place) / parts;
                  places.push_back(x + (share - 1) * depth * down);
                }
              }
            }
            const std::vector<real> T = temperature.at(places, time);
            std::size_t next = 0;
            for (std::size_t i = 0; i < points.size(); ++i) {
              real mean = 0;
              for (int part = 0; part < parts; ++part) {
                for (const GaussPoint& at : gauss) mean += at.weight / parts * (T[next++] - buoyancy.reference);
              }
              values[i] = -buoyancy.expansion * g * mean * dot(points[i], down);
            }
          },
          temperature.depends() | Dependence{.on_place = true}, "hydrostatic"};
}

}  // namespace solenoid
