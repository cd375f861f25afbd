/// The surfaces of a part with their numbers, as lines, as JSON, and as a picture.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "io/gmsh/part_mesh.hpp"

namespace solenoid {

/// A line for each surface: number, area, centre, normal, colour, shape and group; lengths in the unit of the file.
std::vector<std::string> listing_of(const NamedPart& named);

/// The same as an array of objects.
nlohmann::ordered_json summary_of(const NamedPart& named);

/// The part from two opposite sides, each surface with its number, as SVG; a plane part from above. Sides of the box
/// around a part are left out.
std::string picture_of(const NamedPart& named);

}  // namespace solenoid
