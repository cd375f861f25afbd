/// Conversion of values from outside, such as a kept state with other unknowns, to a space.
#pragma once

#include "solve/solution_history.hpp"

namespace solenoid {

/// Restricts `values` to the unknowns of `space`; values that are restricted already, up to round-off, stay bitwise the
/// same. Collective.
template <class L>
void bring_in(const Space<L>& space, Field<L>& values);

/// The same for all kept solutions; their images must be renewed afterwards. Collective.
template <class L>
void bring_in(const Space<L>& space, SolutionHistory<L>& solutions);

extern template void bring_in(const Space<Node>&, Field<Node>&);
extern template void bring_in(const Space<Edge>&, Field<Edge>&);
extern template void bring_in(const Space<Face>&, Field<Face>&);
extern template void bring_in(const Space<Node>&, SolutionHistory<Node>&);
extern template void bring_in(const Space<Edge>&, SolutionHistory<Edge>&);
extern template void bring_in(const Space<Face>&, SolutionHistory<Face>&);

}  // namespace solenoid
