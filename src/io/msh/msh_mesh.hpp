/// From the contents of a .msh file to a MeshSource: cells, boundary faces, patches, regions, and refusals.
#pragma once

#include <filesystem>
#include <string>

#include "io/msh/msh_records.hpp"
#include "mesh/mesh_source.hpp"

namespace solenoid {

/// Elements of `dimension` as cells, numbered by ascending element numbers; those of physical groups a dimension lower
/// as boundary faces. `scale`: length unit of the file [m]; `file`: its name in messages. Throws an input error for a
/// 2D mesh outside a plane, elements in two groups or with the same nodes, and a boundary without groups.
MeshSource mesh_of_records(const MshRecords& records, int dimension, double scale, const std::string& file);

/// Reads and checks the .msh file `path`, see check_msh().
MeshSource read_msh_file(const std::filesystem::path& path, double scale, const std::string& file);

}  // namespace solenoid
