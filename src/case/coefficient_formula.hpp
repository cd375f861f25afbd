/// Conversion of a case file's formulas to the Coefficients of the physics.
#pragma once

#include <array>

#include "case/formula.hpp"
#include "model/coefficient.hpp"

namespace solenoid {

Coefficient<real> given(const Formula& formula);
Coefficient<Vec3> given(const std::array<Formula, 3>& components);

/// Lower bound 0 of a user-supplied function, and whether 0 itself is allowed.
struct LowerBound {
  bool allows_zero;
  std::string subject;  ///< for messages: the file and the key
};
/// Its evaluation throws Error (exit code 2) at a value below zero, or at zero if that is not allowed.
Coefficient<real> given(const Formula& formula, const LowerBound& bound);

}  // namespace solenoid
