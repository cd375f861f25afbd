/// An assembled matrix scaled to a unit diagonal, on the host.
#pragma once

#include <vector>

#include "operators/matrix_rows.hpp"
#include "solve/space.hpp"

namespace solenoid {

/// S at the owned entities: 0 where prescribed; at unknowns 1 / sqrt(diagonal of the restricted matrix), or 1 where no
/// `unit_diagonal` is wanted. Collective; throws a collective Error where that diagonal is not positive.
template <class L>
std::vector<real> scales(const Space<L>& space, const MatrixRows& rows, bool unit_diagonal);

/// S A S; with `unit_diagonal` all of it but the ones on its diagonal. Collective; `scales` receives its halo.
template <class L>
MatrixRows scaled(const Space<L>& space, const MatrixRows& rows, Field<L>& scales, bool unit_diagonal);

/// The largest eigenvalue of S A S with a diagonal of ones, and of D^-1 A, or with another diagonal S^2 of S^2 A: not
/// less, nor much more, and the same on any number of ranks. Collective; `scales` receives its halo.
template <class L>
double largest_eigenvalue(const Space<L>& space, const MatrixRows& rows, Field<L>& scales, bool unit_diagonal = true);

}  // namespace solenoid
