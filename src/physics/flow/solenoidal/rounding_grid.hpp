/// Rounding of potentials and fluxes to a grid on which sums are exact.
#pragma once

#include "field/field.hpp"

namespace solenoid {

/// Rounds every value to a multiple of a grid spacing, 2^-48 (in single precision 2^-19) of the power of two above the
/// largest one, as the high part of its error-free splitting (Rump, Ogita & Oishi 2008, section 3). Sums of a few such
/// values and of their differences are then exact in whatever order they are taken: with U = C s, D U is 0 in bits, on
/// any number of ranks. `largest`: no flux and no potential exceeds it; sums of up to 16 times that are exact.
void round_to_grid(real largest, Field<Face>& flux);
void round_to_grid(real largest, Field<Edge>& potential);
real rounded_to_grid(real largest, real value);
real grid_spacing(real largest);  ///< whose multiples these are; 1 where nothing is to be rounded

}  // namespace solenoid
