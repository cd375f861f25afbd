/// From a case to the objects of the flow solver.
#pragma once

#include <optional>

#include "case/case_file.hpp"
#include "physics/boundary_velocity.hpp"
#include "physics/flow_state.hpp"

namespace solenoid {

ExactStepSettings flow_settings(const Case& wanted);

/// The velocity of each of `patches`, in their order.
WallMotion wall_motion(const Case& wanted, const std::vector<std::string>& patches);

/// Face fluxes [m^3/s] of the case's initial velocity by two-point Gauss quadrature; nothing where it is zero.
/// Collective.
std::optional<Field<Face>> initial_flux(const Case& wanted, const LocalMesh& mesh);

}  // namespace solenoid
