#include "physics/flow/momentum/viscosity_law.hpp"

#include <algorithm>

namespace solenoid {

real ViscosityLaw::constant() const {
  switch (kind) {
    case Kind::power:
      return exponent == 1 ? std::clamp(zero, least, most) : least == most ? least : 0;
    case Kind::carreau:
      return exponent == 1 || zero == infinite ? zero : 0;
    case Kind::cross:
      return exponent == 0 ? (zero + infinite) / 2 : zero == infinite ? zero : 0;
    case Kind::bingham:
      return yield == 0 ? infinite : 0;
  }
  return 0;
}

ViscosityLaw::Slopes ViscosityLaw::slopes() const {
  constexpr int decades = 12, per_decade = 40;
  Slopes found{1, 1};
  real before = 0;
  for (int k = -decades * per_decade; k <= decades * per_decade; ++k) {
    const real rate = std::pow(real{10}, static_cast<real>(k) / per_decade) / time;
    const real stress = std::log((*this)(rate * rate) * rate);
    const real slope = (stress - before) * (per_decade / std::log(real{10}));
    before = stress;
    if (k == -decades * per_decade) continue;
    found = {std::min(found.least, slope), std::max(found.largest, slope)};
  }
  return found;
}

ViscosityLaw ViscosityLaw::seen(const Frame& frame) const {
  ViscosityLaw other = *this;
  for (real* const viscosity : {&other.zero, &other.infinite, &other.least, &other.most}) {
    *viscosity *= frame.factor("m^2/s");
  }
  other.time *= frame.factor("s");
  other.yield *= frame.factor("m^2/s^2");
  return other;
}

}  // namespace solenoid
