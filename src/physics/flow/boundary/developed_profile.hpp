/// The velocity profile of developed flow through a duct with the cross-section of a patch.
#pragma once

#include <string>

#include "physics/flow/boundary/patch_surface.hpp"

namespace solenoid {

/// The solution of -lap phi = 1 on the patch: 0 where a wall touches it, no normal derivative at the rest of its rim;
/// continuous across a periodic seam. By linear elements on triangles; in 2D, along the sides of the patch, the values
/// at the corners are exact, and phi is the parabola with these values that has the second derivative -1. Returns phi
/// [m^2] at the corners of each face. Throws Error (exit code 2) that begins with `subject` if no wall touches a piece
/// of the patch.
std::vector<std::array<real, 3>> developed_profile(const std::vector<PatchFace>& patch, int dimension,
                                                   const std::string& subject);

}  // namespace solenoid
