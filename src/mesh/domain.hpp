/// Topology of the whole domain: its connected parts and their holes, and the closed lines of the boundary of a
/// triangle mesh.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mesh/topology.hpp"

namespace solenoid {

/// Cells connected through their faces.
struct DomainPart {
  std::int64_t cells = 0;
  Vec3 place;  ///< centroid of its first cell [m]
};

/// From the Betti numbers of the cell complex: b0 - b1 + b2 is its Euler characteristic (Munkres 1984, section 22).
struct Domain {
  std::vector<DomainPart> parts;  ///< the largest first
  std::vector<int> part_of_cell;
  int boundary_pieces = 0;  ///< connected pieces of the boundary
  int holes = 0;            ///< 2D: holes in the plane; 3D: tunnels through the body; with periodic pairs: loops
  int cavities = 0;         ///< 3D: voids inside the body; 2D: 0
};

/// Two cells belong to the same part if a chain of shared faces connects them.
Domain examine_domain(const GlobalMesh& mesh);

/// Rejects nodes at which the mesh touches itself: two walls would share the vorticity there. Throws Error (exit code
/// 2) with `file` and the node.
void require_simple_boundary(const std::string& file, const GlobalMesh& mesh);

/// Sets node_boundary_loop and boundary_loop_is_hole.
void find_boundary_loops(GlobalMesh& mesh);

}  // namespace solenoid
