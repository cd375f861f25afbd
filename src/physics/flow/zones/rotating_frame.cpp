#include "physics/flow/zones/rotating_frame.hpp"

#include <array>

namespace solenoid {

Vec3 RotatingFrame::vector_potential(const Vec3& x) const {
  const real square = dot(rate, rate);
  return square > 0 ? (-centrifugal_potential(x) / square) * rate : Vec3{};
}

real RotatingFrame::circulation(const Vec3& from, const Vec3& to) const {
  if (std::array{to.x, to.y, to.z} < std::array{from.x, from.y, from.z}) return -circulation(to, from);
  const Vec3 mean = (vector_potential(from) + 4 * vector_potential((from + to) / 2) + vector_potential(to)) / 6;
  return dot(mean, to - from);
}

namespace {

/// `given` plus so many times the frame's velocity.
Coefficient<Vec3> with_frame(const Coefficient<Vec3>& given, const RotatingFrame& frame, real times,
                             const std::string& text) {
  return {[=](std::span<const Vec3> points, real time, std::span<Vec3> values) {
            given.evaluate(points, time, values);
            for (std::size_t i = 0; i < points.size(); ++i) values[i] += times * frame.velocity(points[i]);
          },
          given.depends() | Dependence{.on_place = true}, text + given.text()};
}

}  // namespace

Coefficient<Vec3> RotatingFrame::relative(const Coefficient<Vec3>& seen_from_rest) const {
  return with_frame(seen_from_rest, *this, -1, "as seen from rest ");
}

Coefficient<Vec3> RotatingFrame::carried(const Coefficient<Vec3>& seen_from_frame) const {
  return with_frame(seen_from_frame, *this, 1, "as its zone sees it, which turns, ");
}

Coefficient<real> RotatingFrame::reduced(const Coefficient<real>& pressure) const {
  return {[frame = *this, pressure](std::span<const Vec3> points, real time, std::span<real> values) {
            pressure.evaluate(points, time, values);
            for (std::size_t i = 0; i < points.size(); ++i) values[i] -= frame.centrifugal_potential(points[i]);
          },
          pressure.depends() | Dependence{.on_place = true}, pressure.text()};
}

RotatingFrame RotatingFrame::seen(const Frame& frame) const {
  const Vec3 turned = frame.factor("1/s") * frame.turned(rate);
  return {frame.mirrors() ? -turned : turned, frame.place(point)};
}

}  // namespace solenoid
