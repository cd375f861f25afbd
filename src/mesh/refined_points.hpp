/// Points of a refined part: middles of edges, and their copies in a periodic mesh.
#pragma once

#include "mesh/child_numbers.hpp"

namespace solenoid {

/// Sets the points of `refined` from those of `part`, and in a periodic mesh the points of its cells and faces and the
/// copies. `refined` has its numberings, and the nodes of its cells and faces. Collective.
void set_points(const Comm& comm, const MeshPart& part, const ChildNumbers& nodes, const ArrangedChildren& local_nodes,
                MeshPart& refined);

}  // namespace solenoid
