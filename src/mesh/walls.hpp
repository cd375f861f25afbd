/// The boundary of a mesh of triangles as lines: which nodes hang together along it, and which lines enclose a hole.
#pragma once

#include <string>

#include "mesh/topology.hpp"

namespace solenoid {

/// Refuses nodes at which the mesh touches itself: two walls would share the vorticity there. Throws Error (exit code
/// 2) that names `file` and the node.
void require_simple_boundary(const std::string& file, const GlobalMesh& mesh);

/// Sets node_wall and wall_is_hole.
void find_walls(GlobalMesh& mesh);

}  // namespace solenoid
