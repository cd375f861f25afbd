/// The length unit that a file of a CAD system states.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "io/gmsh/mesh_request.hpp"

namespace solenoid {

/// In metres, as a .step or .iges states it; nullopt for other files, and if it is not found, or not one of those known
/// here.
std::optional<double> unit_of_part(const std::filesystem::path& file);

/// Length unit in which Gmsh returns a part: mm of a .step or .iges whose unit OpenCASCADE does not know. `file`: of a
/// part.
PartUnit unit_of_lengths(const std::filesystem::path& file);

/// OpenCASCADE's word for a unit; "" if it has none.
const char* word_of_unit(double metres);

/// "1 x 2 x 3" of a box in the unit of the file, with lengths times `unit`.
std::string text_of_extents(const Vec3& size, int dimension, const LengthUnits& unit);

/// The line that tells the unit of a part of this size in it; nullopt if `scale` in [mesh] is the unit that the file
/// states, or if the format has none and `scale` is given.
std::optional<std::string> text_of_part_unit(const PartUnit& unit, const Vec3& size, int dimension,
                                             const MeshRequest& request);

}  // namespace solenoid
