/// A closed surface of triangles: its holes named, its surfaces between sharp edges, and the volumes it encloses.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "io/gmsh/stl_file.hpp"

namespace solenoid {

/// Shells of one volume, each a list of surfaces: the outer one first, then its cavities.
using StlVolume = std::vector<std::vector<int>>;

struct StlSurface {
  StlTriangles mesh;            ///< seen from outside the volumes they turn anticlockwise
  std::vector<int> surface_of;  ///< of each triangle, from 0, numbered by their first triangles
  int surfaces = 0;
  std::vector<std::array<int, 2>> edges;  ///< between surfaces: places in `mesh.points`
  std::vector<StlVolume> volumes;         ///< by their first surface
};

/// Divides closed triangles at edges where their normals turn by more than `degrees`, and between solids of the file.
/// A shell within another is a cavity of it, one within that again a volume. Throws an input error that names the place
/// of a hole, of an edge of more than two triangles, of triangles that lie on each other, or of one folded onto others.
/// Triangles whose corners are on a line are gone: their neighbours are divided instead.
StlSurface divide_stl(StlTriangles mesh, double degrees, const std::string& file);

/// Appends the sides of a box, as the solids `names`: -x, +x, -y, +y, -z, +z.
void append_box(StlTriangles& mesh, const StlPoint& low, const StlPoint& high, const std::array<std::string, 6>& names);

}  // namespace solenoid
