/// The matrix of a space's unknowns, one row each, with groups of entities tied to one value.
#pragma once

#include "mesh/local_numbering.hpp"
#include "operators/matrix_rows.hpp"
#include "solve/space.hpp"

namespace solenoid {

/// A group stands where its member of the lowest global id is; the rows of its other members are empty. The matrix is
/// that of unknowns in an orthonormal basis (see Space): a group's vector is 1 / sqrt(m) at its m members. From values
/// restricted to unknowns to those of this matrix, and back but for Space::tie, goes a product with `weight`.
struct TiedRows {
  LocalNumbering numbering;  ///< rows as the space has them, with another halo
  MatrixRows rows;           ///< all but a diagonal of ones
  std::vector<real> weight;  ///< per owned unknown: sqrt(m) where a group stands, 0 at its other members, 1 elsewhere
};

/// `rows`: all but a diagonal of ones. Collective.
template <class L>
TiedRows tied_rows(const Space<L>& space, const MatrixRows& rows);

}  // namespace solenoid
