/// Zones of a flow: cells of a volume group or of a shape in which something stands that the mesh does not resolve.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/vec3.hpp"
#include "model/frame.hpp"

namespace solenoid {

struct ZoneRegion {
  std::string group;  ///< a volume group of the mesh
};
struct ZoneBox {
  Vec3 low, high;  ///< corners [m]
};
/// In 3D.
struct ZoneCylinder {
  Vec3 from, to;  ///< the ends of its axis [m]
  real radius;    ///< [m]
};
/// In 2D a disk.
struct ZoneBall {
  Vec3 centre;  ///< [m]
  real radius;  ///< [m]
};
using ZonePlace = std::variant<ZoneRegion, ZoneBox, ZoneCylinder, ZoneBall>;

/// The force of a porous body on the fluid in it, by density: -nu D u - F u |u| / 2, with D and F diagonal along three
/// axes at right angles (Darcy; Forchheimer 1901). u is the velocity averaged over body and fluid.
struct PorousBody {
  Vec3 darcy;                                                     ///< along the axes [1/m^2]
  Vec3 forchheimer;                                               ///< [1/m]
  std::array<Vec3, 3> axes{Vec3{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};  ///< of length 1
};

struct FlowZone {
  std::string name;
  ZonePlace place;
  std::optional<PorousBody> porous;

  std::string text_of_place(int dimension) const;  ///< "box from (0, 0) to (1, 1)"
  /// Volume of the shape [m^3], in 2D its area [m^2]; nullopt of a volume group.
  std::optional<real> volume_of_shape(int dimension) const;
  FlowZone seen(const Frame& frame) const;  ///< in another frame
};

/// The cells of a mesh as a zone takes them.
struct ZoneCells {
  int dimension;
  std::span<const Vec3> centroids;  ///< [m]
  std::span<const int> region;      ///< index into `regions`, -1: none; may be empty
  const std::vector<std::string>& regions;
};

/// 1 per cell of the zone, else 0: those of its group, or with their centroid in its shape, whose surface counts.
std::vector<char> cells_of(const FlowZone& zone, const ZoneCells& cells);

/// 1, 2, ... in their order per cell, 0 in none; in several the last.
std::vector<real> zone_numbers(const std::vector<FlowZone>& zones, const ZoneCells& cells);

}  // namespace solenoid
