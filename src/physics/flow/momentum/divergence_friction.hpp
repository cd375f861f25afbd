/// The friction of divergence that keeps the classical step stable.
#pragma once

#include "field/field.hpp"

namespace solenoid {

/// By how much the pressure's metric A/L moves more than M^-1 where a pressure is linear tells, per cell, the largest
/// eigenvalue of
///   T = sum_f (A/L)_f (x_1 - x_0) (x_1 - x_0)^T / (2 V),
/// x_1 - x_0 from centre to centre: 1 is right, 2 to 5 on ordinary tetrahedra, on flat cells the square of their
/// aspect, and what a correction leaves of a predicted divergence grows with it. Friction that acts on divergence as
/// much leaves none to be corrected. Returned is three times the largest T up to three cells away, at least 1: with it
/// a flow between walls came to rest at any nu dt/h^2 on rows of cells 4 to 100 times as long as high, on graded ones,
/// and on Gmsh's tetrahedra, where 1 is too little. On triangles, all of whose friction is implicit, 1 does up to a T
/// of 3.5.
/// Collective.
Field<Cell> divergence_friction(const LocalMesh& mesh, const Field<Face>& conductance);

}  // namespace solenoid
