/// A frame that turns in the case file, and velocities as seen from it or from rest.
#pragma once

#include <optional>

#include "case/toml_section.hpp"
#include "physics/flow/boundary/flow_boundary.hpp"
#include "physics/flow/boundary/rotating_frame.hpp"

namespace solenoid {

/// Reads `frame` of [flow].
std::optional<RotatingFrame> read_rotating_frame(TomlSection& flow);

/// Reads `seen_from`, which says of what `velocity` is told; returns it as the frame sees it, null: one at rest.
Coefficient<Vec3> read_seen_from(TomlSection& section, const RotatingFrame* frame, const Coefficient<Vec3>& velocity);

/// Reads `seen_from` of an opening: where it is "rest", the fluid outside does not turn.
void read_seen_from(TomlSection& section, const RotatingFrame* frame, Outlet& opening);

}  // namespace solenoid
