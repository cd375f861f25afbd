/// The conditions of a flow's patches in words.
#include "base/error.hpp"
#include "base/vec3.hpp"
#include "physics/flow/boundary/inlet_profile.hpp"
#include "physics/flow/flow_setup.hpp"

namespace solenoid {

namespace {

std::string text_of_what_is_behind(const Outlet& outlet) {
  if (const auto* given = std::get_if<OutletRate>(&outlet.behind)) return ", flow rate " + given->rate.text();
  if (const auto* given = std::get_if<OutletShare>(&outlet.behind)) return message(", share {}", given->share);
  const auto* const vessels = std::get_if<Windkessel>(&outlet.behind);
  if (!vessels) return "";
  if (vessels->capacitance == 0) return message(", resistance {}", vessels->proximal);
  return message(", windkessel: proximal {}, capacitance {}, distal {}, initial {}", vessels->proximal,
                 vessels->capacitance, vessels->distal, vessels->initial);
}

}  // namespace

std::string FlowSetup::condition_on(const std::string& patch) const {
  const FlowBoundary& condition = boundary.at(patch);
  if (const WallLaw* const law = given_wall_law(condition)) {
    if (law->roughness == 0) return "wall, log law, smooth";
    return message("wall, log law, roughness {} m", law->roughness);
  }
  if (std::holds_alternative<Symmetry>(condition)) return "plane of symmetry";
  if (const auto* outlet = std::get_if<Outlet>(&condition)) {
    const std::string direction = outlet->direction ? ", direction " + outlet->direction->text() : "";
    if (outlet->inflow == OutletInflow::directed && outlet->has_own_pressure()) {
      return message("opening, total pressure {} m^2/s^2{}", outlet->pressure.text(),
                     outlet->drift ? ", seen from rest" : direction);
    }
    return message("outlet, pressure {} m^2/s^2{}{}", outlet->pressure.text(), text_of_what_is_behind(*outlet),
                   direction);
  }
  const Coefficient<Vec3>& velocity = *given_velocity(condition);
  const bool is_wall = std::holds_alternative<Wall>(condition);
  if (is_wall && velocity.constant() && norm(*velocity.constant()) == 0) {
    const Wall& wall = std::get<Wall>(condition);
    const bool may_turn = settings.has_rotating_zone() && !wall.is_told_from_rest;
    return settings.frame ? "wall at rest in the frame"
           : may_turn     ? "wall at rest, or turning with its zone"
                          : "wall at rest";
  }
  if (const InletRate* const rate = given_rate(condition)) {
    const std::string profile = rate->shape == ProfileShape::formula     ? rate->formula.text()
                                : rate->shape == ProfileShape::developed ? "developed"
                                                                         : "uniform";
    const std::string besides =
        rate->recycled_from ? message(", recycled from {:.6g} m inside", *rate->recycled_from) : "";
    return message("inlet, flow rate {}, profile {}{}", rate->rate.text(), profile, besides);
  }
  const char* const kind = is_wall ? "wall" : std::holds_alternative<Inlet>(condition) ? "inlet" : "far field";
  return message("{}, velocity {} m/s", kind, velocity.text());
}

}  // namespace solenoid
