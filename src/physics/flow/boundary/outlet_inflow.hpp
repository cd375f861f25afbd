/// The direction in which fluid enters through outlets and openings.
#pragma once

#include <string>
#include <vector>

#include "mesh/local_mesh.hpp"
#include "physics/flow/boundary/flow_boundary.hpp"

namespace solenoid {

/// Whether fluid enters somewhere by a total pressure: convection acts as a strong friction there.
bool has_directed_inflow(const LocalMesh& mesh, const FlowBoundaries& boundaries);

/// Per owned face of mesh.boundary() on an outlet of directed inflow, w of the momentum u_n w that a flux of fluid
/// carries in, with the normal part u_n of the velocity inside: it enters with v = u_n d/(d.n), d the unit direction
/// and n the unit normal, and the pressure there is lower by |v|^2/2 than the total pressure that acts on the face, so
/// that w = d/(d.n) - n/(2 (d.n)^2); along the normal n/2. 0 on other faces. Collective; throws a collective Error
/// where a direction is undefined.
std::vector<Vec3> entering_momentum(const LocalMesh& mesh, const FlowBoundaries& boundaries);

/// The drift of fluid that enters there [m/s], which is part of the momentum that a flux carries in besides; 0 on other
/// faces. Without a normal part: the pressure that it takes is that of the outlet less |drift|^2/2. Collective; throws
/// a collective Error where a drift is undefined.
std::vector<Vec3> entering_drift(const LocalMesh& mesh, const FlowBoundaries& boundaries);

/// Drifts through the boundary: one line for a patch, see faults_of_directions().
std::vector<std::string> faults_of_drifts(const std::vector<FlowBoundary>& of_patch, const GlobalMesh& mesh,
                                          const Geometry& geometry, const std::string& file);

/// Directions that lead out of the domain, or almost along the boundary, or out of the plane in 2D: one line for a
/// patch. `file`: of the case. Serial; throws Error (exit code 2) where a direction is undefined.
std::vector<std::string> faults_of_directions(const std::vector<FlowBoundary>& of_patch, const GlobalMesh& mesh,
                                              const Geometry& geometry, const std::string& file);

}  // namespace solenoid
