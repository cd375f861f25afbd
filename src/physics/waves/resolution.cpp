#include "physics/waves/resolution.hpp"

#include <cmath>
#include <numbers>

#include "base/error.hpp"

namespace solenoid {

namespace {

/// Of the phase speed of waves of this frequency in the model, relative to linear theory.
real error_of_speed(real frequency, real depth, real gravity, const ProfileIntegrals& of) {
  return wave_number(frequency, depth, gravity) / model_wave(frequency, depth, gravity, of).number - 1;
}

void take_larger(real candidate, real& largest) {
  if (std::abs(candidate) > std::abs(largest)) largest = candidate;
}

}  // namespace

real side_of(real area) { return std::sqrt(4 * area / std::numbers::sqrt3_v<real>); }

Resolution::Resolution(const Sea& sea, const std::vector<real>& depth, const std::vector<real>& area) {
  constexpr real pi = std::numbers::pi_v<real>;
  real fastest = 0;
  for (std::size_t c = 0; c < depth.size(); ++c) {
    const real h = depth[c], size = side_of(area[c]);
    const ProfileIntegrals of = integrals_of(sea, h);
    const real k = model_wave(sea.frequency, h, sea.gravity, of).number;
    relative_depth_.include(k * h);
    depth_in_cells_.include(h / size);
    points_.include(2 * pi / (k * size));
    take_larger(error_of_speed(sea.frequency, h, sea.gravity, of), error_);
    take_larger(error_of_speed(2 * sea.frequency, h, sea.gravity, of), error_half_);
    const real shortest = model_frequency(pi / size, h, sea.gravity, of);
    if (shortest > fastest) fastest = shortest, cell = static_cast<int>(c), speed = std::sqrt(sea.gravity * h);
  }
}

std::string Resolution::text() const {
  return message(
      "kh {:.3g} to {:.3g}, depth {:.2g} to {:.2g} cells, {:.3g} points in the shortest wave; phase speed off by "
      "{:.2f} % at the period, {:.2f} % at half of it",
      relative_depth_.low, relative_depth_.high, depth_in_cells_.low, depth_in_cells_.high, points_.low, 100 * error_,
      100 * error_half_);
}

std::vector<SummaryFigure> Resolution::figures() const {
  return {{"waves", "relative_depth_min", relative_depth_.low},
          {"waves", "relative_depth_max", relative_depth_.high},
          {"waves", "depth_in_cells_min", depth_in_cells_.low},
          {"waves", "depth_in_cells_max", depth_in_cells_.high},
          {"waves", "points_per_wave_min", points_.low},
          {"waves", "points_per_wave_max", points_.high},
          {"waves", "phase_error", error_},
          {"waves", "phase_error_half_period", error_half_}};
}

std::string Resolution::warning() const {
  constexpr real least = 12;
  if (points_.low >= least) return "";
  return message(
      "the shortest waves of the `period` in [waves] have {:.3g} points, expected {:g} and more: refine the mesh "
      "where the water is shallow",
      points_.low, least);
}

}  // namespace solenoid
