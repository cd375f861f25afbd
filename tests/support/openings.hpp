/// Domains with openings for the tests of the fractional steps.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "physics/flow/boundary/flow_boundary.hpp"
#include "physics/flow/momentum/flow_state.hpp"
#include "support/meshes.hpp"

namespace solenoid::test {

/// Of the unit square: left, right, bottom, top; hole anywhere else.
std::string side_of_square(const Vec3& x);

/// The conditions of a mesh's patches by their names, with the profiles of flow rates; walls at rest where none is
/// named. `drives`: of its pairs.
FlowBoundaries conditions(const LocalMesh& mesh, const std::map<std::string, FlowBoundary>& by_name,
                          std::vector<PairDrive> drives = {});

FlowStepSettings open_settings(real viscosity, real tolerance = 1e-12,
                               ConvectionForm convection = ConvectionForm::divergence);

/// Of the patch with this name among mesh.part().patches.
std::vector<int> places_of_patch(const LocalMesh& mesh, const std::string& name);

/// Out of the domain through the faces of a patch [m^2/s]. Collective.
real outflow(const LocalMesh& mesh, const Field<Face>& flux, const std::string& patch);

/// side_of_square with the right side in three parts: lower, between, upper.
std::string side_of_branching(const Vec3& x);

/// An inlet that swells by that share, a hole, and two outlets with a wall between them, one of which presses: three
/// pieces that unknowns of the potential belong to. 2/3 (1 + swelling sin 3t) enters.
FlowBoundaries branching(const LocalMesh& mesh, real swelling);

/// Of the unit cube: left, right, side; body anywhere else.
std::string side_of_cube(const Vec3& x);

/// Root mean squares of U_f / A_f beside the exact means over the faces.
struct DuctErrors {
  real at_inlet, at_outlet, at_faces;
};
/// Those of the steady flow through the cube as a square duct. The developed profile enters, 1 in the mean, or `rate`.
DuctErrors errors_in_duct(const MeshSource& source, FlowMethod method, DiffusionForm diffusion = DiffusionForm::stress,
                          const std::optional<InletRate>& rate = {});

}  // namespace solenoid::test
