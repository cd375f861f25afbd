#include "physics/flow/balance/energy_watch.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace solenoid {

void EnergyWatch::begin(real energy) {
  undriven_ = energy;
  at_once_ = std::sqrt(energy);
  root_in_time_ = 0;
}

std::optional<std::string> EnergyWatch::fault(real energy, const EnergySources& sources, real dt) {
  constexpr real swings = 12;       // of steps: BDF2's norm of two decreases and is at most 1.46 times their energies
  constexpr real of_sources = 1e6;  // flow through a narrow throat is fast
  at_once_ = std::max(at_once_, sources.at_once);
  root_in_time_ += dt * sources.in_time;
  const bool is_driven = sources.at_once > 0 || sources.in_time > 0;
  if (is_driven) undriven_ = energy;
  if (energy > swings * undriven_) {
    return message("the kinetic energy has grown from {:.3g} to {:.3g} though nothing drives the flow", undriven_,
                   energy);
  }
  const real given = at_once_ + root_in_time_;
  if (energy > of_sources * given * given) {
    return message("the kinetic energy is {:.3g}, its sources could supply at most {:.3g}", energy, given * given);
  }
  return std::nullopt;
}

void EnergyWatch::visit_state(StateVisitor& visitor) {
  visitor.number("energy_undriven", undriven_);
  visitor.number("energy_at_once", at_once_);
  visitor.number("energy_in_time", root_in_time_);
}

}  // namespace solenoid
