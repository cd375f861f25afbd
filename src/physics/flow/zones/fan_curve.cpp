#include "physics/flow/zones/fan_curve.hpp"

#include "base/error.hpp"

namespace solenoid {

namespace {

bool has_value(const Coefficient<real>& curve, real flux) {
  try {
    curve.at(Vec3{flux, 0, 0}, 0);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

real within_curve(const Coefficient<real>& pressure_jump, real flux) {
  constexpr int halvings = 60;
  if (pressure_jump.constant() || has_value(pressure_jump, flux)) return flux;
  real known = 0, beyond = flux;
  pressure_jump.at(Vec3{known, 0, 0}, 0);
  for (int k = 0; k < halvings; ++k) {
    const real middle = known + (beyond - known) / 2;
    (has_value(pressure_jump, middle) ? known : beyond) = middle;
  }
  return known;
}

}  // namespace solenoid
