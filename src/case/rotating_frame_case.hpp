/// A frame that turns in the case file, and velocities as seen from it or from rest.
#pragma once

#include <optional>

#include "case/toml_section.hpp"
#include "physics/flow/boundary/flow_boundary.hpp"
#include "physics/flow/zones/rotating_frame.hpp"

namespace solenoid {

/// Reads the table of a frame that turns: `frame` of [flow], `rotating` of [zone.NAME]; nullopt if it is absent.
std::optional<RotatingFrame> read_rotating_frame(TomlSection& section, const char* key);

/// Reads `seen_from` of a wall, which says of what `velocity` is told; with a frame its velocity is as that sees it.
Wall read_wall_velocity(TomlSection& section, const RotatingFrame* frame, const Coefficient<Vec3>& velocity);

/// Reads `seen_from`, which says of what `velocity` is told; returns it as the frame sees it, null: one at rest.
Coefficient<Vec3> read_seen_from(TomlSection& section, const RotatingFrame* frame, const Coefficient<Vec3>& velocity);

/// Reads `seen_from` of an opening: where it is "rest", the fluid outside does not turn.
void read_seen_from(TomlSection& section, const RotatingFrame* frame, Outlet& opening);

}  // namespace solenoid
