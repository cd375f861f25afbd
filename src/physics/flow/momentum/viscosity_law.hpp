/// Laws of a kinematic viscosity that varies with the shear rate.
#pragma once

#include <cmath>

#include "base/real.hpp"
#include "model/frame.hpp"

namespace solenoid {

/// nu(g) of the shear rate g = sqrt(2 D:D) [1/s], D the symmetric part of grad u, x = time g:
///   power    zero x^(exponent - 1), from `least` to `most` (Ostwald 1925; de Waele 1923),
///   carreau  infinite + (zero - infinite) (1 + x^2)^((exponent - 1)/2) (Carreau 1972),
///   cross    infinite + (zero - infinite) / (1 + x^exponent) (Cross 1965),
///   bingham  infinite + yield time (1 - e^-x)/x (Bingham 1922; regularised by Papanastasiou 1987).
struct ViscosityLaw {
  enum class Kind { power, carreau, cross, bingham };
  Kind kind = Kind::carreau;
  real zero = 0, infinite = 0;  ///< [m^2/s]
  real time = 1;                ///< [s]
  real exponent = 1;
  real yield = 0;            ///< stress over density [m^2/s^2]
  real least = 0, most = 0;  ///< of a power law [m^2/s]

  /// From g^2.
  SOLENOID_HD real operator()(real squared_rate) const {
    const real square = time * time * squared_rate;
    if (kind == Kind::carreau) return infinite + (zero - infinite) * pow(1 + square, (exponent - 1) / 2);
    if (kind == Kind::cross) return infinite + (zero - infinite) / (1 + pow(square, exponent / 2));
    if (kind == Kind::bingham) {
      const real x = sqrt(square);
      return infinite + yield * time * (x > 0 ? -expm1(-x) / x : 1);
    }
    if (square == 0) return exponent < 1 ? most : least;
    const real free = zero * pow(square, (exponent - 1) / 2);
    return free < least ? least : free > most ? most : free;
  }

  /// The value of a law that does not vary, else 0.
  real constant() const;
  /// Least and largest d ln(nu g) / d ln g over all shear rates: 1 without any variation.
  struct Slopes {
    real least, largest;
  };
  Slopes slopes() const;
  /// One of its values, greater than 0, the same in any frame.
  real usual() const { return kind == Kind::bingham ? infinite : kind == Kind::power ? std::sqrt(least * most) : zero; }
  ViscosityLaw seen(const Frame& frame) const;
};

}  // namespace solenoid
