/// Topology of the whole domain: its connected parts and their holes.
#pragma once

#include <cstdint>
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

}  // namespace solenoid
