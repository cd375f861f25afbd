/// The triangles of an .stl file, text or binary, with common corners.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "base/vec3.hpp"

namespace solenoid {

using StlPoint = std::array<double, 3>;

inline Vec3 vec3_of(const StlPoint& p) {
  return {static_cast<real>(p[0]), static_cast<real>(p[1]), static_cast<real>(p[2])};
}

struct StlTriangles {
  std::vector<StlPoint> points;               ///< no two closer than a millionth of the extent
  std::vector<std::array<int, 3>> triangles;  ///< places in `points`, all different
  std::vector<int> solid_of;                  ///< place in `solids` of each triangle
  std::vector<std::string> solids;            ///< names as in the file, which may be empty or the same
  double extent = 0;                          ///< longest side of the bounding box of those in the file
};

/// Reads `file`; triangles without an area are left out. Throws an input error that names it in messages, for a file
/// that is cut off, has numbers that are not finite, or no triangle.
StlTriangles read_stl(const std::filesystem::path& file);

}  // namespace solenoid
