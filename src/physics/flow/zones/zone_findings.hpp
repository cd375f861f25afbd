/// Zones against the whole mesh: their cells and volumes, and faults.
#pragma once

#include <string>
#include <vector>

#include "mesh/local_mesh.hpp"
#include "mesh/topology.hpp"
#include "model/model_setup.hpp"
#include "physics/flow/zones/flow_zone.hpp"

namespace solenoid {

/// Serial.
std::vector<ZoneReport> report_zones(const std::vector<FlowZone>& zones, const GlobalMesh& mesh);

/// Groups that are not in the mesh or among its `solids`, and shapes that are not for its dimension; a line each that
/// begins with `file`. Serial.
std::vector<std::string> zone_faults(const std::vector<FlowZone>& zones, const std::vector<std::string>& solids,
                                     const GlobalMesh& mesh, const std::string& file);

/// What zones that turn cannot have in their cells: a part of a porous body, which turns with the zone as a whole; fans
/// and disks that are not along the axis. As above.
std::vector<std::string> faults_of_overlaps(const std::vector<FlowZone>& zones, const GlobalMesh& mesh,
                                            const std::string& file);

/// Throws a collective input error for a porous body that is in part in a zone that turns, on the mesh of a run, which
/// may be finer than that above. Collective.
void require_whole_bodies(const std::vector<FlowZone>& zones, const LocalMesh& mesh);

/// Porous bodies whose resistances along their axes differ by more than the classical method takes; as above.
std::vector<std::string> faults_of_uneven_zones(const std::vector<FlowZone>& zones, int dimension,
                                                const std::string& file);

}  // namespace solenoid
