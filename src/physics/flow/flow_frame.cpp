/// A flow's setup in another frame.
#include "model/frame.hpp"
#include "physics/flow/flow_setup.hpp"

namespace solenoid {

namespace {

FlowBoundary seen(const FlowBoundary& condition, const Frame& frame, int dimension) {
  if (const auto* wall = std::get_if<Wall>(&condition)) {
    return Wall{frame.seen(wall->velocity, "m/s"), wall->is_told_from_rest, wall->turns};
  }
  if (const auto* inlet = std::get_if<Inlet>(&condition)) {
    Inlet other{frame.seen(inlet->velocity, "m/s"), {}, inlet->turbulence};
    if (inlet->rate) {
      other = {{},
               InletRate{.rate = frame.seen(inlet->rate->rate, unit_of_flux(dimension)),
                         .shape = inlet->rate->shape,
                         .formula = frame.seen(inlet->rate->formula, "-")},
               inlet->turbulence};
      if (const auto& distance = inlet->rate->recycled_from) other.rate->recycled_from = *distance * frame.factor("m");
    }
    if (other.turbulence) other.turbulence->frame = frame;
    return other;
  }
  if (const auto* farfield = std::get_if<Farfield>(&condition)) return Farfield{frame.seen(farfield->velocity, "m/s")};
  if (const auto* outlet = std::get_if<Outlet>(&condition)) {
    Outlet other = *outlet;
    other.pressure = frame.seen(outlet->pressure, "m^2/s^2");
    other.direction = frame.seen(outlet->direction, "-");
    other.drift = frame.seen(outlet->drift, "m/s");
    const std::string flux = unit_of_flux(dimension);
    const real pressure = frame.factor("m^2/s^2"), resistance = pressure / frame.factor(flux);
    if (auto* const given = std::get_if<OutletRate>(&other.behind)) given->rate = frame.seen(given->rate, flux);
    if (auto* const vessels = std::get_if<Windkessel>(&other.behind)) {
      vessels->proximal *= resistance;
      vessels->distal *= resistance;
      vessels->capacitance *= frame.factor("s") / resistance;
      vessels->initial *= pressure;
    }
    return other;
  }
  if (const WallLaw* const law = given_wall_law(condition))
    return Symmetry{WallLaw{law->roughness * frame.factor("m")}};
  return condition;
}

}  // namespace

std::unique_ptr<ModelSetup> FlowSetup::transformed(const Frame& frame, int dimension) const {
  auto other = std::make_unique<FlowSetup>(*this);
  other->time = frame.seen(*time);
  other->settings.viscosity *= frame.factor("m^2/s");
  for (FlowZone& zone : other->settings.zones) zone = zone.seen(frame, dimension);
  if (settings.frame) other->settings.frame = settings.frame->seen(frame);
  if (settings.law) other->settings.law = settings.law->seen(frame);
  if (settings.of_temperature) {
    const real unit = frame.factor("m^2/s");
    other->settings.of_temperature = {
        [of = *settings.of_temperature, unit](std::span<const Vec3> points, real, std::span<real> values) {
          of.evaluate(points, 0, values);
          for (real& value : values) value *= unit;
        },
        settings.of_temperature->depends(), settings.of_temperature->text()};
  }
  for (auto& [patch, condition] : other->boundary) condition = seen(condition, frame, dimension);
  for (PeriodicPatches& pair : other->periodic) {
    pair.drive = {frame.seen(pair.drive.flux, unit_of_flux(dimension)), frame.seen(pair.drive.drop, "m^2/s^2")};
  }
  other->initial_velocity = frame.seen(initial_velocity, "m/s");
  if (earlier) other->earlier->distance = frame.seen(earlier->distance, "m");
  if (random) other->random = random->seen(frame);
  other->body_force = frame.seen(body_force, "m/s^2");
  return other;
}

}  // namespace solenoid
