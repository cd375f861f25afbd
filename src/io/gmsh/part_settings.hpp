/// How a part from a CAD system, or a surface of triangles, becomes a mesh: sizes, names of its surfaces, the outside.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/vec3.hpp"

namespace solenoid {

/// The surfaces in a plane; `normal` has any length but 0, and either direction.
struct PartPlane {
  Vec3 point, normal;
};

using PartColour = std::array<int, 3>;  ///< red, green, blue, 0 to 255

std::string text_of(const PartColour& colour);  ///< "#ff8000"

/// All surfaces that no other group has.
struct PartRest {};

/// Numbers of surfaces; of a plane part, of its curves.
struct PartSurfaces {
  std::vector<int> numbers;
};

struct PartVolumes {
  std::vector<int> numbers;
};

/// The surface nearest to a point.
struct PartNear {
  Vec3 point;
};

/// A name for surfaces or volumes of a part, [[mesh.group]].
struct PartGroup {
  std::string name;
  std::variant<PartRest, PartSurfaces, PartVolumes, PartNear, PartPlane, PartColour> selected;
};

struct SizePatches {
  std::vector<std::string> names;
};
struct SizeCylinder {
  Vec3 from, to;
  real radius = 0;
};
struct SizeBall {
  Vec3 centre;
  real radius = 0;
};

/// Edge lengths in a place and around it, [[mesh.sizes]]: `size` there, `size + (growth - 1) distance` farther off.
struct PartSize {
  std::variant<SizePatches, Box, SizeCylinder, SizeBall> place;
  double size = 0, growth = 1.2;
};

/// Length unit in which Gmsh returns a part.
struct PartUnit {
  std::optional<double> metres;  ///< none: the format has no unit
  bool is_converted = false;     ///< to that unit, from another or an unknown one in the file
};

/// The keys of [mesh] for parts; all lengths in the unit of the file.
struct PartSettings {
  std::optional<double> size_min;  ///< no edge becomes shorter; none: a tenth of the edge length
  double per_circle = 24;          ///< edges around a full circle of curved surfaces
  double angle = 40;               ///< degrees between triangles of an .stl at its edges
  std::vector<PartGroup> groups;
  std::vector<PartSize> sizes;
  std::optional<Box> outside;  ///< the mesh fills this box around the part
  std::string given;           ///< the first of these keys in the case file, for messages; empty: none

  /// Identifies the settings.
  std::string text() const;
};

}  // namespace solenoid
