/// Prescribed nodal values.
#pragma once

#include "solve/space.hpp"

namespace solenoid {

/// Local indices of the owned prescribed nodes.
std::vector<int> owned_prescribed(const Space<Node>& unknowns);

/// values = given at these nodes.
void copy_at(const DeviceArray<int>& nodes, const Field<Node>& given, Field<Node>& values);
/// values = given - from at these nodes.
void set_difference_at(const DeviceArray<int>& nodes, const Field<Node>& given, const Field<Node>& from,
                       Field<Node>& values);

}  // namespace solenoid
