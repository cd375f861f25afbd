/// The matrix of a space's unknowns, one row each, with groups of entities tied to one value.
#pragma once

#include "mesh/local_numbering.hpp"
#include "operators/matrix_rows.hpp"
#include "solve/space.hpp"

namespace solenoid {

/// A group is represented by its member of the lowest global id; the rows of its other members are empty. The matrix is
/// that of unknowns in an orthonormal basis (see Space): a group's vector is 1 / sqrt(m) at its m members. `weight`
/// converts values restricted to unknowns to those of this matrix, and back (before Space::tie).
struct TiedRows {
  LocalNumbering numbering;  ///< the rows of the space, with another halo
  MatrixRows rows;           ///< without the unit diagonal
  std::vector<real> weight;  ///< per owned unknown: sqrt(m) for a group, 0 at its other members, 1 elsewhere
};

/// `rows`: the matrix without its unit diagonal. Collective.
template <class L>
TiedRows tied_rows(const Space<L>& space, const MatrixRows& rows);

}  // namespace solenoid
