/// From the contents of a .msh file to a MeshSource: cells, boundary faces, patches, regions, and refusals.
#pragma once

#include <functional>
#include <string>

#include "io/msh/msh_records.hpp"
#include "mesh/joined_points.hpp"
#include "mesh/mesh_source.hpp"

namespace solenoid {

/// Length units of a mesh file along its axes [m]: three numbers stretch the mesh.
struct LengthUnits {
  double x, y, z;
  LengthUnits(double of_all) : x(of_all), y(of_all), z(of_all) {}
  LengthUnits(double of_x, double of_y, double of_z) : x(of_x), y(of_y), z(of_z) {}
  bool is_valid() const;     ///< finite and above 0
  std::string text() const;  ///< "0.001", or "[0.001, 0.001, 0.002]"
};

/// Elements of `dimension` as cells, numbered by ascending element numbers; those of physical groups a dimension lower
/// as boundary faces. `unit`: those of the file; `file`: its name in messages. Throws an input error for a
/// 2D mesh outside a plane, elements in two groups or with the same nodes, divided ones that turned inside out, and a
/// boundary without groups.
MeshSource mesh_of_records(const MshRecords& records, int dimension, const LengthUnits& unit, const std::string& file);

/// The same; elements are divided alike on both patches of `pairs`. `say` is told of elements that were divided, with
/// their shape before and after, and of curved ones.
MeshSource mesh_of_file(FileMesh found, const LengthUnits& unit, const PatchPairs& pairs, const std::string& file,
                        const std::function<void(const std::string&)>& say);

}  // namespace solenoid
