/// Edge lengths in a part: the largest and least, around curved surfaces, and around the places of [[mesh.sizes]].
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/gmsh/part_groups.hpp"
#include "io/gmsh/part_model.hpp"

namespace solenoid {

/// The edge length of a part without `size` in [mesh]: a twentieth of its extent.
double usual_size(const PartModel& part);

/// Tells Gmsh's session the edge lengths of the meshes to come. `size`: none: usual_size(). Throws an input error for
/// patches that are not there, and for a `size` of [[mesh.sizes]] below `size_min`, above `size`, or too short for its
/// patches.
void set_sizes(const PartModel& part, const PartNames& names, const std::optional<double>& size,
               const PartSettings& settings, const std::string& file);

/// Cells in the boxes, cylinders and balls of [[mesh.sizes]], as far as these lie in the part, to within a tenth or so;
/// 0 for few.
double cells_in_places(const PartModel& part, const std::vector<PartSize>& sizes);

}  // namespace solenoid
