/// State of conjugate gradients between iterations: the scalars that steer it, and the vectors. For files that launch
/// kernels.
#pragma once

#include <algorithm>
#include <array>
#include <limits>

#include "field/field.hpp"
#include "parallel/loop_state.hpp"
#include "parallel/replay.hpp"
#include "solve/solve_control.hpp"

namespace solenoid {

/// The scalars of the iteration.
struct CgState {
  enum Status { running, reached, exhausted, over, matrix_not_definite, preconditioner_not_definite, not_finite };
  Status status = running;
  int iterations = 0, max_iterations = 0;
  bool rho_is_known = false;   ///< not from the sums; for the next turn only
  bool has_direction = false;  ///< GeneralCg: rho is that of the last direction
  real target = 0;             ///< for the stopping test: r.P r, or the residual's square
  real rho = 0;                ///< r.P r
  real step = 0, ratio = 0;    ///< x += step p, p = P r + ratio p
  real square = 0;             ///< GeneralCg: of the residual before the step
  real watched = 0;            ///< the last number that look() saw

  /// Ends the iteration for good after its last step: turns that the host had queued change nothing.
  SOLENOID_HD void end_after_last_step() {
    if (status == reached || status == exhausted) status = over;
  }

  /// Whether the last computed step is still to be taken.
  SOLENOID_HD bool takes_step() const { return status == running || status == reached || status == exhausted; }

  /// Sets the step length from p.A p; false if there is none, with the reason in `status`.
  SOLENOID_HD bool set_step_length(real curvature, real image) {
    if (!(rho > 0 && rho <= largest)) {
      status = rho <= 0 ? preconditioner_not_definite : not_finite;
      return false;
    }
    if (!(curvature > 0 && curvature <= largest && image <= largest)) {
      status = curvature <= 0 ? matrix_not_definite : not_finite;
      return false;
    }
    step = rho / curvature;
    ++iterations;
    return true;
  }

  /// Stops the iteration if `watched` meets the target or the iterations are used up.
  SOLENOID_HD void look(real now) {
    watched = now;
    if (watched <= target) {
      status = reached;
    } else if (iterations == max_iterations) {
      status = exhausted;
    }
  }

  /// Whether a breakdown ended the iteration.
  bool broke_down() const { return status > over; }
  SolveFault fault() const {
    return status == matrix_not_definite           ? SolveFault::matrix_not_definite
           : status == preconditioner_not_definite ? SolveFault::preconditioner_not_definite
           : status == not_finite                  ? SolveFault::not_finite
                                                   : SolveFault::stagnated;
  }

  static constexpr real largest = std::numeric_limits<real>::max();
};

/// The iterations of a system's last solves. On a device that turns alone the host looks at the state once as many have
/// been made as are expected, not after each.
class IterationForecast {
 public:
  void add(int iterations) { last_[next_++ % last_.size()] = iterations; }
  /// Of the last solves; 0 if there are fewer.
  int fewest() const { return *std::min_element(last_.begin(), last_.end()); }
  int most() const { return *std::max_element(last_.begin(), last_.end()); }

 private:
  std::array<int, 4> last_{};
  std::size_t next_ = 0;
};

/// The vectors of a CG solve, kept between solves. In: r, the residual of the first guess. Out: `correction`, to be
/// added to the guess. Both belong to the restricted system: 0 where prescribed, equal at the members of a tied group.
/// T = float: the iteration is in single precision, except for its sums.
template <class L, class T = real>
struct CgVectors {
  Field<L, T> r, p, q, correction;
  LoopState<CgState, 3> state;
  IterationForecast forecast;
  Replay replay;  ///< of its turns
  explicit CgVectors(const Layout& layout)
      : r(layout), p(layout), q(layout), correction(layout), state(layout.comm()) {}
};

}  // namespace solenoid
