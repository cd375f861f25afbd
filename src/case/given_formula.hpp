/// From the formulas of a case file to the functions that the physics takes.
#pragma once

#include <array>

#include "case/formula.hpp"
#include "model/given.hpp"

namespace solenoid {

Given<real> given(const Formula& formula);
Given<Vec3> given(const std::array<Formula, 3>& components);

/// The lowest value that a given function may take, and whether it may take it.
struct LowerBound {
  bool allows_zero;
  std::string subject;  ///< for messages: the file and the key
};
/// Its evaluation throws Error (exit code 2) where a value is below zero, or zero where that is not allowed.
Given<real> given(const Formula& formula, const LowerBound& bound);

}  // namespace solenoid
