/// The shapes in a file of a CAD system, in Gmsh's session.
#pragma once

#include <filesystem>
#include <optional>

#include "io/gmsh/gmsh_library.hpp"

namespace solenoid {

/// Solids, or the faces of a part in a plane z = const.
struct PartShapes {
  gmsh::Entities shapes;
  int dimension = 3;
  std::optional<double> unit;  ///< of the lengths [m]; none: the format has none
  bool is_converted = false;   ///< to that unit, from another or an unknown one in the file
};

/// Reads a .step, .iges or .brep. Faces that enclose a solid are sewn together. Throws an input error that names the
/// file: one that cannot be read, or has neither solids nor faces in a plane.
PartShapes import_shapes(const std::filesystem::path& file);

}  // namespace solenoid
