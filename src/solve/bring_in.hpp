/// Values from outside, such as a state that was kept where other entities were unknowns.
#pragma once

#include "solve/past_solutions.hpp"

namespace solenoid {

/// Restricts `values` to the unknowns of `space`; those that are so already, up to round-off, stay as they are in every
/// bit. Collective.
template <class L>
void bring_in(const Space<L>& space, Field<L>& values);

/// The same of all solutions that are kept; their images are to be renewed. Collective.
template <class L>
void bring_in(const Space<L>& space, PastSolutions<L>& solutions);

extern template void bring_in(const Space<Node>&, Field<Node>&);
extern template void bring_in(const Space<Edge>&, Field<Edge>&);
extern template void bring_in(const Space<Face>&, Field<Face>&);
extern template void bring_in(const Space<Node>&, PastSolutions<Node>&);
extern template void bring_in(const Space<Edge>&, PastSolutions<Edge>&);
extern template void bring_in(const Space<Face>&, PastSolutions<Face>&);

}  // namespace solenoid
