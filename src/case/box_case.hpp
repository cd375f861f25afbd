/// A box in a case file, { min = [x, y, z], max = [x, y, z] }.
#pragma once

#include <optional>

#include "base/vec3.hpp"
#include "case/toml_section.hpp"

namespace solenoid {

/// Both corners are required; nullopt if a fault is noted.
std::optional<Box> read_box(TomlSection section);

/// The box of the values of `min` and `max` in `section`; nullopt if one is missing, or, with a fault, if they are not
/// in order.
std::optional<Box> box_between(TomlSection& section, const std::optional<Vec3>& low, const std::optional<Vec3>& high);

}  // namespace solenoid
