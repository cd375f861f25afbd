/// Closed lines of the boundary of a triangle mesh, and which of them enclose a hole.
#pragma once

#include <string>

#include "mesh/topology.hpp"

namespace solenoid {

/// Rejects nodes at which the mesh touches itself: two walls would share the vorticity there. Throws Error (exit code
/// 2) with `file` and the node.
void require_simple_boundary(const std::string& file, const GlobalMesh& mesh);

/// Sets node_boundary_loop and boundary_loop_is_hole.
void find_boundary_loops(GlobalMesh& mesh);

}  // namespace solenoid
