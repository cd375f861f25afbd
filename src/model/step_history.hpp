/// The previous steps that a multistep scheme builds on, where some were shortened to land on a time.
#pragma once

#include "model/time_scheme.hpp"

namespace solenoid {

/// Whether a step is so much longer than `dt_old` that BDF2 would not be stable.
bool grows_beyond_stability(real dt, real dt_old);

/// The two instants from which a multistep formula goes on: the present one and an older one. A step that is short
/// beside the step before it, as one between two output times may be, leaves the older instant where it is: the next
/// step does not see it. Steps that stay short move the older instant along.
struct StepHistory {
  real span = 0;                   ///< from the older instant to the present one [s]; 0 before the first step
  real left_out = 0;               ///< the part of it that short steps took [s]
  int steps_left_out = 0;          ///< in a row
  bool leaves_out(real dt) const;  ///< whether the next step is to be left out, if it is so long
  void add(real dt);
};

/// The step from which the growth of steps by cfl counts [s]: the longest so far that `rate` allows now. One that was
/// cut short to land on a time does not hold the next ones back.
struct StepGrowth {
  real longest = 0;  ///< 0 before the first step
  void add(const StepControl& control, real rate, real dt);
  /// `dt_old` for next_step(), by which no step is more than twice as long as `history_span`, see StepHistory.
  real reference(real history_span) const;
};

}  // namespace solenoid
