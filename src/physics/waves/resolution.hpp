/// The resolution of waves on a mesh, and the errors of their speed in the model, before a run.
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

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
  /// By cell: the depth [m] and the area [m^2].
  Resolution(const Sea& sea, const std::vector<real>& depth, const std::vector<real>& area);

  int cell = 0;    ///< in which the shortest waves of the mesh are the fastest: it limits the step
  real speed = 0;  ///< of long waves there, sqrt(g h) [m/s]

  /// The figures in words.
  std::string text() const;
  std::vector<SummaryFigure> figures() const;
  /// The advice if waves have too few points; else "".
  std::string warning() const;

 private:
  Extremes relative_depth_;          // k h
  Extremes depth_in_cells_;          // h / size
  Extremes points_;                  // in a wave
  real error_ = 0, error_half_ = 0;  // of the phase speed at the period and at half of it, the largest by magnitude
};

}  // namespace solenoid
