#include "physics/energy_watch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"

namespace solenoid {

void EnergyWatch::begin(real energy) {
  least_ = most_ = last_ = energy;
  at_once_ = std::sqrt(energy);
  root_in_time_ = 0;
}

std::optional<std::string> EnergyWatch::fault(real energy, const EnergySources& sources, real dt) {
  constexpr real of_least = 12;  // BDF2's norm of two steps falls; it is 1.46 of their energies and a quarter at most
  constexpr real round_off = 1e-10;  // of the most so far, what solvers leave
  constexpr real of_sources = 1e6;   // a narrow throat is fast
  at_once_ = std::max(at_once_, sources.at_once);
  root_in_time_ += dt * sources.in_time;
  const bool is_driven = sources.at_once > 0 || sources.in_time > 0;
  const real of_two = std::max(energy, std::exchange(last_, energy));
  least_ = is_driven ? of_two : std::min(least_, of_two);
  most_ = std::max(most_, energy);
  if (!is_driven && energy > of_least * least_ && energy > round_off * most_) {
    return message("the kinetic energy has grown from {:.3g} to {:.3g} though nothing drives the flow", least_, energy);
  }
  const real given = at_once_ + root_in_time_;
  if (energy > of_sources * given * given) {
    return message("the kinetic energy is {:.3g}, what drives the flow could give it {:.3g}", energy, given * given);
  }
  return std::nullopt;
}

}  // namespace solenoid
