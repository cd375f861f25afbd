#include "physics/flow/boundary/rotating_frame.hpp"

namespace solenoid {

Coefficient<Vec3> RotatingFrame::relative(const Coefficient<Vec3>& seen_from_rest) const {
  return {[frame = *this, seen_from_rest](std::span<const Vec3> points, real time, std::span<Vec3> values) {
            seen_from_rest.evaluate(points, time, values);
            for (std::size_t i = 0; i < points.size(); ++i) values[i] -= frame.velocity(points[i]);
          },
          seen_from_rest.depends() | Dependence{.on_place = true}, "as seen from rest " + seen_from_rest.text()};
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
