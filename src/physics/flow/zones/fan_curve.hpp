/// The fluxes for which the curve of a fan has a pressure jump.
#pragma once

#include "model/coefficient.hpp"

namespace solenoid {

/// The flux itself, or the last one on the way to it from 0 for which the curve has a value. Throws what the curve
/// throws where it has none at 0.
real within_curve(const Coefficient<real>& pressure_jump, real flux);

}  // namespace solenoid
