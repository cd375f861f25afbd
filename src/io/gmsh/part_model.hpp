/// A part as Gmsh has it: its surfaces and volumes with the numbers that users name them by.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "io/gmsh/part_settings.hpp"

namespace solenoid {

/// A surface of a part; of a plane part, a curve.
struct PartSurface {
  int number = 0;             ///< in the file, from 1; 0: a side of the box around the part
  std::string name;           ///< of its solid in the .stl, or of the side; may be empty
  std::string type;           ///< Gmsh's word: "Plane", "Cylinder", ...
  std::vector<int> entities;  ///< of Gmsh's model
  std::vector<int> volumes;   ///< numbers of those it bounds: two within a part of several
  std::optional<PartColour> colour;
  double area = 0;      ///< of a curve, its length; lengths in the unit of the file
  Vec3 centre, normal;  ///< mean position; mean unit normal out of the first of its volumes
  bool is_flat = false;
  std::vector<Vec3> corners;  ///< of the triangles, or segments, of a coarse mesh on it: one after the other

  /// "surface 3", "the side x-min"; in the plane "curve 3".
  std::string title(int dimension) const;
};

struct PartVolume {
  int number = 0, entity = 0;  ///< in the part, from 1; of Gmsh's model
  double volume = 0;           ///< of a plane part, its area
};

struct PartModel {
  int dimension = 3;
  std::vector<PartSurface> surfaces;  ///< by number; the sides of the box last
  std::vector<PartVolume> volumes;    ///< of a plane part, its faces
  Box box;
  double extent = 0;  ///< longest side of the box around the part's own surfaces, without the sides around it
  PartUnit unit;
  std::vector<std::string> remarks;  ///< for the user, on what the file lacks
};

/// Names of the sides of the box: low and high x, y and z.
extern const std::array<std::string, 6> side_names;

/// Whether the name is that of a part.
bool is_part(const std::filesystem::path& file);
/// An .stl: triangles alone.
bool is_stl(const std::filesystem::path& file);

/// Reads a part into Gmsh's session, and the box around it without the part where there is one. Throws an input error
/// that names the file: one without solids and not in the plane, one with a hole, a box that it does not lie in.
PartModel load_part(const std::filesystem::path& file, const PartSettings& settings);

}  // namespace solenoid
