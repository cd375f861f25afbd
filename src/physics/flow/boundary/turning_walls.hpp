/// Walls that turn with a zone, and what may bound such a zone.
#pragma once

#include <string>
#include <vector>

#include "mesh/geometry.hpp"
#include "mesh/local_mesh.hpp"
#include "physics/flow/boundary/flow_boundary.hpp"
#include "physics/flow/zones/flow_zone.hpp"

namespace solenoid {

/// Conditions per patch of the mesh, where the walls of a rotating zone, all of whose cells are in it, turn with it:
/// their velocity is that as the zone's frame sees it plus Omega x r, which moves fluid across the place of a blade.
/// Walls that are told from rest keep theirs. Collective; throws a collective Error (exit code 2) where the zone has
/// another wall in part, as on a refined mesh.
std::vector<FlowBoundary> with_turning_walls(std::vector<FlowBoundary> of_patch, const std::vector<FlowZone>& zones,
                                             const LocalMesh& mesh);
/// The same of a whole mesh. Serial.
std::vector<FlowBoundary> with_turning_walls(std::vector<FlowBoundary> of_patch, const std::vector<FlowZone>& zones,
                                             const GlobalMesh& mesh, const Geometry& geometry);

/// What no rotating zone can have: an axis out of z in the plane; cells of another one; at its cells inlets, outlets,
/// far fields, walls with a law, walls that it has in part, walls told from rest or planes of symmetry that are no
/// surfaces of revolution; periodic pairs that are not along the axis. A line each that begins with `file`. Serial.
std::vector<std::string> faults_of_rotating_zones(const std::vector<FlowBoundary>& of_patch,
                                                  const std::vector<FlowZone>& zones, const GlobalMesh& mesh,
                                                  const Geometry& geometry, const std::string& file);

/// In words, the patches of `of_patch` that turn with the zone, and how far its surface is from one of revolution: the
/// largest |Omega x r . n| there over the largest |Omega x r|. Serial.
std::string text_of_rotating_zone(const std::vector<FlowBoundary>& of_patch, const FlowZone& zone,
                                  const GlobalMesh& mesh, const Geometry& geometry);

/// Per cell, of the zone that turns there; null in none. Serial.
std::vector<const RotatingFrame*> frames_of_cells(const std::vector<FlowZone>& zones, const GlobalMesh& mesh,
                                                  const Geometry& geometry);

}  // namespace solenoid
