/// The resolution of waves on a mesh, and the errors of their speed in the model, before a run.
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "base/vec3.hpp"
#include "model/model.hpp"
#include "physics/waves/vertical_profile.hpp"

namespace solenoid {

/// Lowest and highest value; low > high before the first.
struct Extremes {
  real low = std::numeric_limits<real>::max(), high = -std::numeric_limits<real>::max();
  void include(real value) { low = std::min(low, value), high = std::max(high, value); }
};

/// The side [m] of an equilateral triangle of this area [m^2].
real side_of(real area);

/// Of waves of the sea's period.
class Resolution {
 public:
  /// By cell: the depth [m], the area [m^2], and the current [m/s], if there is one.
  Resolution(const Sea& sea, const std::vector<real>& depth, const std::vector<real>& area,
             const std::vector<Vec3>& current = {});

  int cell = 0;    ///< in which the shortest waves of the mesh are the fastest: it limits the step
  real speed = 0;  ///< of long waves there, sqrt(g h) [m/s]

  /// The figures in words.
  std::string text() const;
  std::vector<SummaryFigure> figures() const;
  /// The advice if waves have too few points; else "".
  std::string warning() const;
  /// Of places where the current stops waves that run against it; "" if there are none.
  std::string warning_of_current() const;

 private:
  Extremes relative_depth_;  // k h
  Extremes depth_in_cells_;  // h / size
  Extremes points_;          // in a wave
  bool on_current_ = false;
  real current_ = 0, froude_ = 0;    // largest [m/s], and over the speed of long waves
  Extremes carried_;                 // k h with the current and against it
  int stopping_cells_ = 0;           // in which waves of the period cannot run against it
  real error_ = 0, error_half_ = 0;  // of the phase speed at the period and at half of it, the largest by magnitude
};

}  // namespace solenoid
