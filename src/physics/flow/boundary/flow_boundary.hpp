/// Boundary conditions of a flow: walls, openings, planes of symmetry.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "model/coefficient.hpp"
#include "model/frame.hpp"
#include "physics/flow/zones/rotating_frame.hpp"

namespace solenoid {

/// The fluid sticks to it; the velocity [m/s] is tangential to the wall, unless the wall turns.
struct Wall {
  Coefficient<Vec3> velocity;
  bool is_told_from_rest = false;  ///< in a zone that turns it does not turn by itself, see with_turning_walls()
  bool turns = false;              ///< in a zone, whose frame it stands in: its velocity moves fluid across its place
  std::optional<RotatingFrame> frame = {};  ///< of that zone, whose solid rotation its velocity has in it
};

class InletProfile;
class InletTurbulence;
class RecycledInflow;
enum class ProfileShape { uniform, developed, formula };

/// A flow rate through an inlet, and its distribution over the patch.
struct InletRate {
  Coefficient<real> rate;  ///< that enters [m^3/s, in 2D m^2/s], a function of time
  ProfileShape shape = ProfileShape::uniform;
  Coefficient<real> formula = {};                    ///< of ProfileShape::formula: relative velocity inwards
  std::shared_ptr<const InletProfile> profile = {};  ///< on the faces of a mesh, see with_profiles()
  std::optional<real> recycled_from = {};  ///< the distance [m] of the plane whose flow enters anew, see RecycledInflow
  std::shared_ptr<RecycledInflow> recycled = {};  ///< on the faces of a mesh, see with_recycling()
};

/// Velocity fluctuations that enter through an inlet besides its mean velocity.
struct TurbulentInflow {
  Coefficient<real> intensity;     ///< standard deviation of each component by `speed`, a function of place
  real length = 0;                 ///< integral length [m]
  std::optional<real> speed = {};  ///< with which they drift [m/s]; absent: the mean velocity through the patch
  int seed = 1;
  Frame frame = {};                                      ///< that the mesh is seen in; the other members are not
  std::shared_ptr<const InletTurbulence> on_patch = {};  ///< on the faces of a mesh, see with_turbulence()
};

/// The fluid crosses it with this velocity [m/s]. With a flow rate it is the mean over the patch, which with_profiles()
/// sets, and the profile has the velocity at each place. Turbulence is not in it.
struct Inlet {
  Coefficient<Vec3> velocity;
  std::optional<InletRate> rate = {};
  std::optional<TurbulentInflow> turbulence = {};
};
/// A flow rate out of the domain [m^3/s, in 2D m^2/s], a function of time.
struct OutletRate {
  Coefficient<real> rate;
};
/// The share of the net flux that enters by prescribed velocities and flow rates.
struct OutletShare {
  real share = 0;
};
/// Vessels behind an outlet, the model of three elements: p = proximal Q + p_c, capacitance dp_c/dt = Q - p_c / distal
/// (Westerhof, Lankhaar & Westerhof 2009, Med. Biol. Eng. Comput. 47). Without a capacitance a resistance, p =
/// proximal Q.
struct Windkessel {
  real proximal = 0;     ///< pressure by flux [1/(m s), in 2D 1/s]
  real capacitance = 0;  ///< [m s^2, in 2D s^2]
  real distal = 0;       ///< as proximal; only with a capacitance
  real initial = 0;      ///< p_c at the start [m^2/s^2]

  bool stores() const { return capacitance > 0; }
};

/// The momentum that fluid carries in through an outlet: half of that inside; or that of fluid which a total pressure
/// draws in along a direction, see entering_momentum().
enum class OutletInflow { natural, directed };

/// The fluid leaves freely, against this pressure over the density [m^2/s^2]; where it enters, this is the total
/// pressure. With a condition behind it, against one more, uniform, that follows from the flux through the outlet.
struct Outlet {
  Coefficient<real> pressure;
  std::variant<std::monostate, OutletRate, OutletShare, Windkessel> behind = {};
  OutletInflow inflow = OutletInflow::natural;
  /// Of directed inflow, of any length, a function of place; absent: along the normal of each face.
  std::optional<Coefficient<Vec3>> direction = {};
  /// Of directed inflow along the normal: the velocity along the boundary that fluid has besides where it enters [m/s],
  /// a function of place.
  std::optional<Coefficient<Vec3>> drift = {};

  bool has_own_pressure() const { return std::holds_alternative<std::monostate>(behind); }
  bool has_given_flux() const {
    return std::holds_alternative<OutletRate>(behind) || std::holds_alternative<OutletShare>(behind);
  }
};
/// The stress on a wall that the mesh does not resolve, see ReichardtLaw.
struct WallLaw {
  real roughness = 0;  ///< equivalent sand grain [m]
};
/// No flux and no friction, or the stress of a wall at rest in its place, while the fluid slips beneath.
struct Symmetry {
  std::optional<WallLaw> law = {};
};
/// Far from all bodies: the flux of this velocity [m/s], and no vorticity.
struct Farfield {
  Coefficient<Vec3> velocity;
};
using FlowBoundary = std::variant<Wall, Inlet, Outlet, Symmetry, Farfield>;

/// Drive of a flow through a periodic pair, from its first patch to its second; with neither member, no drive.
struct PairDrive {
  std::optional<Coefficient<real>> flux;  ///< through the pair [m^3/s, in 2D m^2/s]; the pressure drop follows from it
  std::optional<Coefficient<real>> drop;  ///< of the pressure over the density [m^2/s^2]
};

/// The law of a wall that is not resolved, null of other conditions.
const WallLaw* given_wall_law(const FlowBoundary& condition);

/// The conditions of a mesh's patches and periodic pairs.
class FlowBoundaries {
 public:
  FlowBoundaries(std::vector<FlowBoundary> of_patch, std::vector<PairDrive> of_pair = {})
      : of_patch_(std::move(of_patch)), of_pair_(std::move(of_pair)) {}
  /// The same condition on all patches.
  template <class Condition>
  requires std::constructible_from<FlowBoundary, Condition> FlowBoundaries(Condition everywhere)
      : of_patch_{std::move(everywhere)} {}

  /// A copy with velocity and flow rate multiplied by `factor` on the patches where `enters`, which are inlets.
  FlowBoundaries with_scaled_inlets(real factor, const std::vector<char>& enters) const;
  real inlet_factor() const { return inlet_factor_; }  ///< 1 before with_scaled_inlets()

  const FlowBoundary& on(int patch) const { return of_patch_.size() == 1 ? of_patch_[0] : of_patch_[patch]; }

  /// Drive of a periodic pair of the mesh.
  const PairDrive& drive(int pair) const { return of_pair_.empty() ? undriven : of_pair_[pair]; }

  /// Velocity of the fluid where the condition prescribes all of it: on walls, inlets and far fields; null elsewhere.
  const Coefficient<Vec3>* velocity(int patch) const;
  /// Velocity where the fluid sticks to the boundary: on walls and inlets; null elsewhere.
  const Coefficient<Vec3>* no_slip_velocity(int patch) const;
  /// Flow rate of an inlet, with its profile; null where none is given.
  const InletRate* rate(int patch) const;
  /// The flow rates at `time` [s] of this many patches, 0 without one.
  std::vector<real> rates_at(real time, std::size_t patches) const;
  const Outlet* outlet(int patch) const { return std::get_if<Outlet>(&on(patch)); }
  /// Whether it is an outlet without a given flux.
  bool takes_the_rest(int patch) const { return outlet(patch) && !outlet(patch)->has_given_flux(); }
  bool is_wall(int patch) const { return std::holds_alternative<Wall>(on(patch)); }
  /// Of a wall that is not resolved; null elsewhere.
  const WallLaw* wall_law(int patch) const { return given_wall_law(on(patch)); }
  /// Whether the condition sets the vorticity to zero.
  bool is_without_vorticity(int patch) const {
    return std::holds_alternative<Symmetry>(on(patch)) || std::holds_alternative<Farfield>(on(patch));
  }
  /// Whether it is a wall that turns with a zone.
  bool turns(int patch) const { return is_wall(patch) && std::get<Wall>(on(patch)).turns; }
  /// Whether fluid may cross the patch with a prescribed flux.
  bool lets_given_flux_pass(int patch) const {
    return std::holds_alternative<Inlet>(on(patch)) || std::holds_alternative<Farfield>(on(patch));
  }
  /// That of the zone that a wall turns with, whose rotation its velocity has in it; null elsewhere.
  const RotatingFrame* frame_of_wall(int patch) const {
    const Wall* const wall = std::get_if<Wall>(&on(patch));
    return wall && wall->frame ? &*wall->frame : nullptr;
  }
  /// Whether the prescribed velocity may have a flux: there, and on walls that turn with a zone.
  bool may_have_flux(int patch) const { return lets_given_flux_pass(patch) || turns(patch); }

  bool are_all_walls() const {
    return std::all_of(of_patch_.begin(), of_patch_.end(),
                       [](const FlowBoundary& of) { return std::holds_alternative<Wall>(of); });
  }
  bool depends_on_time() const;
  /// Whether prescribed velocities, or fluxes through pairs, depend on time.
  bool velocity_depends_on_time() const;

 private:
  static inline const PairDrive undriven;
  std::vector<FlowBoundary> of_patch_;
  std::vector<PairDrive> of_pair_;
  real inlet_factor_ = 1;
};

/// Velocity that a condition prescribes, null if it prescribes none.
const Coefficient<Vec3>* given_velocity(const FlowBoundary& condition);
/// Its flow rate, null if it prescribes none.
const InletRate* given_rate(const FlowBoundary& condition);
/// The turbulence that enters there, null if none does.
const InletTurbulence* entering_turbulence(const FlowBoundary& condition);
/// What is recycled there, null if nothing is.
RecycledInflow* recycled_inflow(const FlowBoundary& condition);
/// Of an outlet, null if it prescribes none.
const OutletRate* given_outlet_rate(const FlowBoundary& condition);

/// Of faces on inlets with a flow rate: the sums of the fluxes along the face's normal over all faces of the inlet of
/// lower global ids, without this face and with it [m^3/s]; nullopt on other faces. Rounded instead of the fluxes, they
/// make the sum over the inlet the flow rate, rounded once.
using RunningSums = std::vector<std::optional<std::array<real, 2>>>;

/// Of faces: line integrals of a vector potential along their edges, whose sum is a flux along the face's normal
/// [m^3/s]; nullopt where there is none. Rounded instead of that flux, they leave the sum over a surface without a rim
/// 0.
using EdgeIntegrals = std::vector<std::optional<std::array<real, 3>>>;

}  // namespace solenoid
