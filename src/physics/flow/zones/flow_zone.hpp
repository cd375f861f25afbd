/// Zones of a flow: cells of a volume group or of a shape in which something stands that the mesh does not resolve.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/vec3.hpp"
#include "model/coefficient.hpp"
#include "model/frame.hpp"
#include "physics/flow/zones/rotating_frame.hpp"

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

/// A fan that fills a duct: the acceleration of its pressure jump over its thickness.
struct Fan {
  /// Of p / rho [m^2/s^2], at the "point" (Q, 0, 0): the flux along `direction` [m^3/s, in 2D m^2/s].
  Coefficient<real> pressure_jump;
  Vec3 direction;  ///< of length 1
  real thickness;  ///< of the zone along it [m]
};

/// A rotor by its thrust C_T A U^2 / 2, by density, with its area A and the speed U far upstream. By the momentum
/// theory of Rankine (1865) and Froude (1889) the speed at the disk is (1 - a) U, C_T = 4 a (1 - a).
struct ActuatorDisk {
  real thrust_coefficient;  ///< C_T, above 0 and below 1
  real diameter;            ///< [m]
  Vec3 direction;           ///< of length 1

  real induction() const;          ///< a
  real area(int dimension) const;  ///< [m^2], in 2D the diameter [m]
};

/// What stands in a zone, as heat and scalars meet it: everywhere as warm as the fluid in it (local thermal
/// equilibrium, Nield & Bejan 2017, eq. 2.3). All is over the heat capacity of the fluid by volume.
struct ZoneHeat {
  std::optional<real> porosity = {};  ///< the share of the volume that the fluid has; absent: as around the zone
  real solid_capacity = 0;            ///< of what else is there, by its own volume
  std::optional<real> conductivity;   ///< of both together [m^2/s]; absent: that of the fluid
  Coefficient<real> heat = {};        ///< that the whole zone gives off, by time [K m^3/s, in 2D K m^2/s]
  std::map<std::string, Coefficient<real>> sources = {};  ///< of other scalars by name, likewise [m^3/s, in 2D m^2/s]

  std::optional<real> capacity() const {
    return porosity ? std::optional<real>(*porosity + (1 - *porosity) * solid_capacity) : std::nullopt;
  }
};

struct FlowZone {
  std::string name;
  ZonePlace place;
  std::optional<PorousBody> porous = {};
  std::optional<Coefficient<Vec3>> acceleration = {};  ///< [m/s^2]
  std::optional<Fan> fan = {};
  std::optional<ActuatorDisk> disk = {};
  std::optional<RotatingFrame> rotating = {};  ///< in which the fluid of the zone is steady
  std::optional<ZoneHeat> heat = {};

  bool has_force() const { return acceleration || fan || disk; }  ///< besides that of a porous body

  std::string text_of_place(int dimension) const;  ///< "box from (0, 0) to (1, 1)"
  /// Volume of the shape [m^3], in 2D its area [m^2]; nullopt of a volume group.
  std::optional<real> volume_of_shape(int dimension) const;
  FlowZone seen(const Frame& frame, int dimension) const;  ///< in another frame
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
