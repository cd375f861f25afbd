/// Conversion of values from outside, such as a kept state with other unknowns, to a space.
#pragma once

#include "solve/solution_history.hpp"

namespace solenoid {

/// Restricts `values` to the unknowns of `space`; those that are so already, up to round-off, stay as they are in every
/// bit. Collective.
template <class L>
void bring_in(const Space<L>& space, Field<L>& values);

/// The same of all solutions that are kept; their images are to be renewed. Collective.
template <class L>
void bring_in(const Space<L>& space, SolutionHistory<L>& solutions);

extern template void bring_in(const Space<Node>&, Field<Node>&);
extern template void bring_in(const Space<Edge>&, Field<Edge>&);
extern template void bring_in(const Space<Face>&, Field<Face>&);
extern template void bring_in(const Space<Node>&, SolutionHistory<Node>&);
extern template void bring_in(const Space<Edge>&, SolutionHistory<Edge>&);
extern template void bring_in(const Space<Face>&, SolutionHistory<Face>&);

}  // namespace solenoid
