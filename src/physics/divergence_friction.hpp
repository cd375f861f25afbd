/// How strongly friction has to act on divergence for the classical step to stay stable.
#pragma once

#include "field/field.hpp"

namespace solenoid {

/// By how much the pressure's metric A/L moves more than M^-1 where a pressure is linear tells, per cell, the largest
/// eigenvalue of
///   T = sum_f (A/L)_f (x_1 - x_0) (x_1 - x_0)^T / (2 V),
/// x_1 - x_0 from centre to centre: 1 is right, on flat cells it is the square of their aspect, and what a correction
/// leaves of a predicted divergence grows with it. Friction that acts on divergence as much leaves none to be
/// corrected. Returned is 1 where T is at most 3.5 up to three cells away, else three times that: with it a flow
/// between walls came to rest at any nu dt/h^2 on rows of cells 4 to 100 times as long as high, and on graded ones.
/// Collective.
Field<Cell> divergence_friction(const LocalMesh& mesh, const Field<Face>& conductance);

}  // namespace solenoid
