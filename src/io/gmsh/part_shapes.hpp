/// The shapes in a file of a CAD system, in Gmsh's session.
#pragma once

#include <filesystem>

#include "io/gmsh/gmsh_library.hpp"
#include "io/gmsh/part_settings.hpp"

namespace solenoid {

/// Solids, or the faces of a part in a plane z = const.
struct PartShapes {
  gmsh::Entities shapes;
  int dimension = 3;
  PartUnit unit;
};

/// Reads a .step, .iges or .brep. Faces that enclose a solid are sewn together. Throws an input error that names the
/// file: one that cannot be read, or has neither solids nor faces in a plane.
PartShapes import_shapes(const std::filesystem::path& file);

}  // namespace solenoid
