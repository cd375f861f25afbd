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

Resolution::Resolution(const Sea& sea, const std::vector<real>& depth, const std::vector<real>& area,
                       const std::vector<Vec3>& current)
    : on_current_(!current.empty()) {
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
    if (!on_current_) continue;
    const real u = norm(current[c]);
    current_ = std::max(current_, u), froude_ = std::max(froude_, u / std::sqrt(sea.gravity * h));
    for (const real along : {u, -u}) {
      const auto wave = wave_on_current(sea.frequency, along, h, sea.gravity, of);
      stopping_cells_ += wave ? 0 : 1;
      if (!wave) continue;
      carried_.include(wave->number * h);
      points_.include(2 * pi / (wave->number * size));
    }
  }
}

std::string Resolution::text() const {
  const std::string of_current =
      on_current_
          ? message("; current up to {:.3g} m/s, Froude number up to {:.2g}, kh {:.3g} to {:.3g} with and against it",
                    current_, froude_, carried_.low, carried_.high)
          : "";
  return message(
             "kh {:.3g} to {:.3g}, depth {:.2g} to {:.2g} cells, {:.3g} points in the shortest wave; phase speed off "
             "by "
             "{:.2f} % at the period, {:.2f} % at half of it",
             relative_depth_.low, relative_depth_.high, depth_in_cells_.low, depth_in_cells_.high, points_.low,
             100 * error_, 100 * error_half_) +
         of_current;
}

std::vector<SummaryFigure> Resolution::figures() const {
  std::vector<SummaryFigure> figures{{"waves", "relative_depth_min", relative_depth_.low},
                                     {"waves", "relative_depth_max", relative_depth_.high},
                                     {"waves", "depth_in_cells_min", depth_in_cells_.low},
                                     {"waves", "depth_in_cells_max", depth_in_cells_.high},
                                     {"waves", "points_per_wave_min", points_.low},
                                     {"waves", "points_per_wave_max", points_.high},
                                     {"waves", "phase_error", error_},
                                     {"waves", "phase_error_half_period", error_half_}};
  if (on_current_) {
    figures.insert(figures.end(), {{"waves", "current_max", current_},
                                   {"waves", "froude_max", froude_},
                                   {"waves", "relative_depth_with_current", carried_.low},
                                   {"waves", "relative_depth_against_current", carried_.high}});
  }
  return figures;
}

std::string Resolution::warning() const {
  constexpr real least = 12;
  if (points_.low >= least) return "";
  return message(
      "the shortest waves of the `period` in [waves] have {:.3g} points, expected {:g} and more: refine the mesh "
      "where the water is shallow",
      points_.low, least);
}

std::string Resolution::warning_of_current() const {
  if (stopping_cells_ == 0) return "";
  return message(
      "in {} cells the current of `velocity` in [waves] is too fast for waves of the `period` to run against it: they "
      "pile up before these cells, shorter and shorter, where real waves break",
      stopping_cells_);
}

}  // namespace solenoid
