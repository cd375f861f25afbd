/// The cells of a zone on the mesh of a run.
#pragma once

#include <string>
#include <vector>

#include "mesh/local_mesh.hpp"
#include "physics/flow/zones/flow_zone.hpp"

namespace solenoid {

struct CellsOfZone {
  std::vector<char> marks;  ///< 1 per local cell of the zone, else 0
  real volume;              ///< of all ranks [m^3], in 2D [m^2]
};

/// Those outside volume groups of these names, which are solid. Collective; throws a collective Error (exit code 2)
/// where the zone has none.
CellsOfZone cells_of_zone(const FlowZone& zone, const LocalMesh& mesh, const std::vector<std::string>& solids = {});

}  // namespace solenoid
