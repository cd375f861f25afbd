/// Coefficients of the time schemes for variable steps, the previous steps they build on, and the choice of the next
/// step.
#pragma once

#include "base/real.hpp"

namespace solenoid {

enum class TimeScheme { second_order, euler };

/// u'(t + dt) = (now u(t+dt) + before u(t) + earlier u(t-dt_old)) / dt, and N(t + dt) = recent N(t) + older
/// N(t-dt_old).
struct TimeCoefficients {
  real now = 1, before = -1, earlier = 0;  ///< BDF2; Euler: 1, -1, 0
  real recent = 1, older = 0;              ///< extrapolation
};

/// BDF2 with second-order extrapolation for the step ratio r = dt / dt_old: (1+2r)/(1+r), -(1+r), r^2/(1+r); 1+r, -r
/// (Hairer, Norsett & Wanner 1993, III.5). Euler, the first step of BDF2 (`dt_old` = 0), and a step that grows beyond
/// BDF2's stability use the previous step only.
TimeCoefficients time_coefficients(TimeScheme scheme, real dt, real dt_old);

/// Weights of the values at the present time and the two before it in an extrapolation to the end of a step.
struct Extrapolation {
  real recent = 1, older = 0, oldest = 0;
};

/// The lengths of a step and of the two before it [s]; 0: none.
struct LastSteps {
  real dt, last = 0, before = 0;
};

/// To the end of a step of BDF2, of second order: half of the way from the linear extrapolation to the parabola through
/// the last three times. With it BDF2 damps an oscillation with omega dt up to .68, where it grows by .8 (omega dt)^4 a
/// step with the linear one. Steps with a friction that is nu K of this extrapolation and nu kappa K_0 of what differs
/// from it are stable if 0 <= K <= 6/5 kappa K_0; where they keep `growing`, they are only if its weights are those of
/// steps that grow by a twentieth at most. Linear, or constant as in a step of Euler, where fewer times are known, or
/// the last step was much longer than that before.
Extrapolation damping_extrapolation(const TimeCoefficients& scheme, const LastSteps& steps, bool growing);

/// Step length: fixed, or from the Courant number.
struct StepControl {
  real step = 0;      ///< [s]; 0: by cfl
  real cfl = 0;       ///< dt * max_c(sum_f |U_f| / (2 V_c)); 0: fixed step
  real step_max = 0;  ///< [s]; 0: none
};

/// The [time] table of a case.
struct TimeSettings {
  real begin = 0, end = 0;  ///< [s]
  StepControl step;
  TimeScheme scheme = TimeScheme::second_order;
  real steady_tolerance = 0;  ///< [1/s]; 0: off

  bool is_over(real time) const {
    constexpr real round_off = 1e-9;
    return time >= end * (1 - round_off);
  }
};

/// Length of the next step [s]. `rate` is max_c(sum_f |U_f| / (2 V_c)) [1/s], `dt_old` the last step (0: none),
/// `target` the next time to hit (an output, or the end). A step by cfl grows by at most a factor of 1.2; the time left
/// to the target is divided evenly into steps no longer than that, so that no sliver remains. Without a target
/// (infinite): the step that is allowed, infinite by cfl without a flow.
real next_step(const StepControl& control, real rate, real dt_old, real time, real target);

/// Whether a step is so much shorter than the one that was allowed without a target that the target was nearer.
bool was_cut(real dt, real allowed);

/// Values in (0, 1], the first 1, the others by the golden ratio: samples of a periodic motion that never lock to its
/// phase.
real uneven_place(int k);

/// Whether the step is too long relative to `dt_old` for a stable BDF2.
bool grows_beyond_stability(real dt, real dt_old);

/// The two instants of a multistep formula: the present one and an older one. A step much shorter than the step before
/// it, as between two output times, leaves the older instant in place: the next step ignores the short one. Further
/// short steps move the older instant.
struct StepHistory {
  real span = 0;                   ///< from the older instant to the present one [s]; 0 before the first step
  real left_out = 0;               ///< the part of it in short steps [s]
  int steps_left_out = 0;          ///< consecutive
  real before = 0;                 ///< span of the step before the older instant [s]; 0: of none
  bool leaves_out(real dt) const;  ///< whether a next step of this length is left out
  void add(real dt);
};

/// The reference step for the growth of steps by cfl [s]: the longest so far that `rate` allows now. A step that was
/// cut to hit a time counts as the one that was `allowed`.
struct StepGrowth {
  real longest = 0;  ///< 0 before the first step
  void add(const StepControl& control, real rate, real dt, real allowed);
  /// `dt_old` for next_step(), which limits each step to twice `history_span`, see StepHistory. A history of cut steps
  /// alone, as of a time to hit right after the start, is left by one step of Euler in place of many that double.
  real reference(real history_span) const;
};

}  // namespace solenoid
