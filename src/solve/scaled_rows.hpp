/// An assembled matrix scaled to a unit diagonal, on the host.
#pragma once

#include <vector>

#include "operators/matrix_rows.hpp"
#include "solve/space.hpp"

namespace solenoid {

/// S at the owned entities: 0 where prescribed; at unknowns 1 / sqrt(diagonal of the restricted matrix), or 1 without
/// `unit_diagonal`. Collective; throws a collective Error if that diagonal is not positive.
template <class L>
std::vector<real> scales(const Space<L>& space, const MatrixRows& rows, bool unit_diagonal);

/// S A S; omits the ones on the diagonal with `unit_diagonal`. Collective; `scales` receives its halo.
template <class L>
MatrixRows scaled(const Space<L>& space, const MatrixRows& rows, Field<L>& scales, bool unit_diagonal);

/// Estimated upper bound, close, of the largest eigenvalue of S A S: that of D^-1 A for a unit diagonal, else of S^2 A.
/// The same on any number of ranks. Collective; `scales` receives its halo.
template <class L>
double largest_eigenvalue(const Space<L>& space, const MatrixRows& rows, Field<L>& scales, bool unit_diagonal = true);

}  // namespace solenoid
