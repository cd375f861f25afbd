/// The previous steps that a multistep scheme builds on, where some were shortened to land on a time.
#pragma once

#include "model/time_scheme.hpp"

namespace solenoid {

/// Whether the step is too long relative to `dt_old` for a stable BDF2.
bool grows_beyond_stability(real dt, real dt_old);

/// The two instants of a multistep formula: the present one and an older one. A step much shorter than the step before
/// it, as between two output times, leaves the older instant in place: the next step ignores the short one. Further
/// short steps move the older instant.
struct StepHistory {
  real span = 0;                   ///< from the older instant to the present one [s]; 0 before the first step
  real left_out = 0;               ///< the part of it in short steps [s]
  int steps_left_out = 0;          ///< consecutive
  bool leaves_out(real dt) const;  ///< whether a next step of this length is left out
  void add(real dt);
};

/// The reference step for the growth of steps by cfl [s]: the longest so far that `rate` allows now. A step that was
/// shortened to hit a time does not limit the next ones.
struct StepGrowth {
  real longest = 0;  ///< 0 before the first step
  void add(const StepControl& control, real rate, real dt);
  /// `dt_old` for next_step(), which limits each step to twice `history_span`, see StepHistory.
  real reference(real history_span) const;
};

}  // namespace solenoid
