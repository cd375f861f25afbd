/// The friction of divergence that keeps the classical step stable.
#pragma once

#include "field/field.hpp"

namespace solenoid {

/// How much larger the pressure's metric A/L is than M^-1 for linear pressures: per cell, the largest eigenvalue of
///   T = sum_f (A/L)_f (x_1 - x_0) (x_1 - x_0)^T / (2 V),
/// x_1 - x_0 from centre to centre. 1 is exact; ordinary tetrahedra have 2 to 5, flat cells the square of their aspect.
/// The divergence that a correction leaves of a predicted one grows with it; equal friction on divergence leaves none
/// to correct. Returns w/V [1/m^3, in 2D 1/m^2], w `factor` times three times the largest T up to three cells away, at
/// least 1: with it a flow between walls came to rest at any nu dt/h^2 on rows of cells 4 to 100 times as long as high,
/// on graded ones, and on Gmsh's tetrahedra, where 1 is too little. On triangles, where all friction is implicit, 1
/// suffices up to T = 3.5. Collective.
Field<Cell> divergence_friction(const LocalMesh& mesh, const Field<Face>& conductance, real factor = 1);

/// The largest value in each owned cell and `rings` of cells around it that share a node. Collective.
Field<Cell> largest_around(const Field<Cell>& values, int rings);

}  // namespace solenoid
