/// Rounding of potentials and fluxes to a grid on which sums are exact.
#pragma once

#include "field/field.hpp"

namespace solenoid {

/// Rounds every value to a multiple of a grid spacing, 2^-48 (in single precision 2^-19) of the power of two above the
/// largest one: the high part of its error-free splitting (Rump, Ogita & Oishi 2008, section 3). Sums of a few such
/// values and of their differences are then exact in any order: with U = C s, D U is 0 in bits on any number of ranks.
/// `largest`: an upper bound of all fluxes and potentials; sums of up to 16 times that are exact.
void round_to_grid(real largest, Field<Face>& flux);
void round_to_grid(real largest, Field<Edge>& potential);
real rounded_to_grid(real largest, real value);
real grid_spacing(real largest);  ///< of these multiples; 1 if `largest` is 0 or not finite

}  // namespace solenoid
