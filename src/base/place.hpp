/// Text of positions, for messages.
#pragma once

#include <string>

#include "base/vec3.hpp"

namespace solenoid {

/// "(x, y)" in 2D, else "(x, y, z)" [m].
std::string text_of_place(const Vec3& x, int dimension = 3);

}  // namespace solenoid
