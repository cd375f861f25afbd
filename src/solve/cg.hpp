/// Preconditioned conjugate gradients with two passes over the vectors and one sum over the ranks an iteration. For
/// files that launch kernels.
#pragma once

#include <cmath>
#include <limits>

#include "base/phases.hpp"
#include "field/inner_product.hpp"
#include "parallel/loop_state.hpp"
#include "parallel/replay.hpp"
#include "solve/solver.hpp"

namespace solenoid {

/// What steers the iteration.
struct CgState {
  enum Status { running, reached, exhausted, over, matrix_not_definite, preconditioner_not_definite, not_finite };
  Status status = running;
  int iterations = 0, max_iterations = 0;
  real target = 0;            ///< for rho
  real rho = 0;               ///< r.P r
  bool rho_is_known = false;  ///< from elsewhere than the sums, for the next turn alone
  real step = 0, ratio = 0;   ///< x += step p, p = P r + ratio p

  /// Whether the step that was found last is still to be taken.
  SOLENOID_HD bool takes_step() const { return status == running || status == reached || status == exhausted; }

  /// Whether the iteration met what it cannot go on with.
  bool broke_down() const { return status > over; }
  SolveFault fault() const {
    return status == matrix_not_definite           ? SolveFault::matrix_not_definite
           : status == preconditioner_not_definite ? SolveFault::preconditioner_not_definite
           : status == not_finite                  ? SolveFault::not_finite
                                                   : SolveFault::stagnated;
  }
};

/// From p.q, q.P q and r.P r to the step length and the next direction.
struct CgTurn {
  SOLENOID_HD void operator()(CgState& s, const Sums<3>& sums) const {
    const real curvature = sums[0], image = sums[1];
    if (s.takes_step() && s.status != CgState::running) s.status = CgState::over;
    if (s.status != CgState::running) return;
    if (!s.rho_is_known) s.rho = sums[2];
    s.rho_is_known = false;
    if (!(s.rho > 0 && s.rho <= largest)) {
      s.status = s.rho <= 0 ? CgState::preconditioner_not_definite : CgState::not_finite;
    } else if (!(curvature > 0 && curvature <= largest && image <= largest)) {
      s.status = curvature <= 0 ? CgState::matrix_not_definite : CgState::not_finite;
    } else {
      s.step = s.rho / curvature;
      const real next = s.step * s.step * image - s.rho;  // r.P r after the step, since r.P q = p.q
      s.ratio = next > 0 ? next / s.rho : 0;
      ++s.iterations;
      if (next <= s.target) {
        s.status = CgState::reached;
      } else if (s.iterations == s.max_iterations) {
        s.status = CgState::exhausted;
      }
    }
  }
  static constexpr real largest = std::numeric_limits<real>::max();
};

/// The vectors of a CG solve, kept between solves. In: r, the residual of the first guess. Out: `correction`, what to
/// add to the guess. Both are those of the restricted system: 0 where prescribed, equal at the members of a tied group.
template <class L>
struct CgVectors {
  Field<L> r, p, q, correction;
  LoopState<CgState, 3> state;
  explicit CgVectors(const LocalMesh& mesh) : r(mesh), p(mesh), q(mesh), correction(mesh), state(mesh.comm()) {}
};

/// Unknowns of a rank beyond which a kernel takes longer than its start: graphs of kernels pay below.
inline constexpr int launch_bound = 500000;

namespace cg_passes {

/// p = P r and a correction of zero; r.P r.
template <class L, class P>
void begin(const P& preconditioner, CgVectors<L>& vectors) {
  const auto r = std::as_const(vectors.r).view();
  const auto p = vectors.p.view(), correction = vectors.correction.view();
  vectors.state.template add<1>(
      2, vectors.r.owned(), SOLENOID_KERNEL(int i) {
        const Index<L> k{i};
        correction[k] = 0;
        p[k] = preconditioner(k, r[k]);
        return Sums<1>{{r[k] * p[k]}};
      });
}

/// Takes the step and turns to the next direction; r.P r.
template <class L, class P>
void advance(const P& preconditioner, CgVectors<L>& vectors) {
  const auto s = vectors.state.view();
  const auto q = std::as_const(vectors.q).view();
  const auto r = vectors.r.view(), p = vectors.p.view(), correction = vectors.correction.view();
  vectors.state.template add<1>(
      2, vectors.r.owned(), SOLENOID_KERNEL(int i) {
        const Index<L> k{i};
        if (!s->takes_step()) return Sums<1>{};
        const real direction = p[k], residual = r[k] - s->step * q[k], z = preconditioner(k, residual);
        correction[k] += s->step * direction;
        r[k] = residual;
        p[k] = z + s->ratio * direction;
        return Sums<1>{{residual * z}};
      });
}

/// So many iterations at once, from where the state is.
template <class L, class A, class P>
void iterate(const A& a, const P& preconditioner, int count, CgVectors<L>& vectors) {
  for (int k = 0; k < count; ++k) {
    a.multiply(preconditioner, vectors, CgTurn{});
    advance(preconditioner, vectors);
  }
}

/// Squares of the residual as the caller counts it, and r.P r. Collective.
template <class L, class P>
Sums<2> measure(const P& preconditioner, const CgVectors<L>& vectors) {
  const auto r = vectors.r.view();
  Sums<2> sums = reduce_sums<2>(
      vectors.r.owned(), SOLENOID_KERNEL(int i) {
        const Index<L> k{i};
        const real true_residual = preconditioner.residual(k, r[k]);
        return Sums<2>{{true_residual * true_residual, r[k] * preconditioner(k, r[k])}};
      });
  vectors.r.mesh().comm().sum(std::span<real>(sums.value, 2));
  return sums;
}

/// Iterates until the residual that is carried along has arrived, or nothing can go on; returns the last state.
/// `measured` belongs to vectors.r as it is. Collective.
template <class L, class A, class P>
CgState reduce(const A& a, const P& preconditioner, Sums<2> measured, real scale, const SolveControl& control,
               CgVectors<L>& vectors, SolveReport& report) {
  LoopState<CgState, 3>& state = vectors.state;
  const int turns = a.waits() ? 1 : state.turns_at_once();
  Replay replay(turns > 1 && vectors.r.owned() < launch_bound);
  CgState now;
  now.iterations = report.iterations;
  now.max_iterations = control.max_iterations;
  const bool is_again = report.iterations > 0;
  for (bool begun = false;; begun = true) {
    const real to_go = control.tolerance / report.residual;
    constexpr real margin = 0.9;  // the two norms do not fall quite together: ask for a little more the next time
    now.status = CgState::running;
    now.target = measured[1] * to_go * to_go * (begun || is_again ? margin : 1);
    now.rho = measured[1];  // turns after the last step have dropped the sum
    now.rho_is_known = begun;
    state.start(now);
    if (!begun) begin(preconditioner, vectors);
    do {
      replay.run([&] { iterate(a, preconditioner, turns, vectors); });
      now = state.get();
    } while (now.status == CgState::running);
    report.iterations = now.iterations;
    measured = measure(preconditioner, vectors);
    report.residual = std::sqrt(measured[0]) / scale;
    const bool can_go_on = !now.broke_down() && now.iterations < now.max_iterations && std::isfinite(report.residual);
    if (!can_go_on || report.residual <= control.tolerance) return now;
  }
}

}  // namespace cg_passes

/// Reduces the residual to ||residual|| <= tolerance * norm_of_b (to tolerance alone where that is 0), in at most
/// control.max_iterations. vectors.r holds the residual of the first guess.
///
/// `a.multiply(preconditioner, vectors, turn)`: q = A p, and a turn of the state with the sums p.q and q.P q (see
/// cg_product.hpp); a.waits(): whether that needs the host. `preconditioner(i, r_i)` is (P r)_i, pointwise;
/// `preconditioner.residual(i, r_i)` the residual that is to become small, in the caller's scaling. `renew()` adds
/// vectors.correction to the guess and makes vectors.r its residual b - A x anew.
///
/// The next r.Pr is predicted from q.P q, so that one sum over the ranks serves an iteration, and measured in the pass
/// that takes the step, which corrects the next step length (Meurant 1987; Saad 1989): half the waits of Hestenes &
/// Stiefel's form (1952; thesis, algorithm 1), and one pass less. The norm is checked when the prediction says that
/// it is time.
///
/// The residual that CG carries along drifts away from b - A x by round-off (Greenbaum 1997), so the one that counts
/// and is reported is computed anew at the end; where it has not arrived yet, CG starts again from it. What no longer
/// halves it is round-off: the report says `stagnated` then.
///
/// Throws a collective Error (exit code 1) when the tolerance is not reached, unless round-off alone prevents it; when
/// A or P is not positive definite; or when a value is not finite. Collective.
template <class L, class A, class P, class Renew>
SolveReport cg(const A& a, const P& preconditioner, real norm_of_b, const SolveControl& control, CgVectors<L>& vectors,
               const Renew& renew) {
  constexpr real round_off = sizeof(real) == sizeof(double) ? 1e-8 : 1e-3;  // what is larger is not its fault
  const Stopwatch watch;
  const real scale = norm_of_b > 0 ? norm_of_b : 1;
  SolveReport report;
  CgState last;
  real before = CgTurn::largest;
  for (;;) {
    const Sums<2> measured = cg_passes::measure(preconditioner, vectors);
    report.residual = std::sqrt(measured[0]) / scale;
    const bool has_arrived = report.residual <= control.tolerance;
    const bool may_end = report.iterations >= control.min_iterations || report.residual == 0 || last.broke_down();
    report.converged = has_arrived && may_end;
    if (!std::isfinite(report.residual)) fail_solve(control, report, SolveFault::not_finite);
    if (report.converged) break;
    if (last.status == CgState::not_finite) fail_solve(control, report, SolveFault::not_finite);
    if (report.iterations >= control.max_iterations) fail_solve(control, report, SolveFault::not_converged);
    report.stagnated = report.residual > before / 2;
    if (report.stagnated && report.residual > round_off) fail_solve(control, report, last.fault());
    if (report.stagnated) break;
    if (!has_arrived) before = report.residual;
    last = cg_passes::reduce(a, preconditioner, measured, scale, control, vectors, report);
    renew();
  }
  report.seconds = watch.seconds();
  return report;
}

/// Makes ready for iterations without an end from vectors.r, for measuring them.
template <class L, class P>
void begin_cg(const P& preconditioner, CgVectors<L>& vectors) {
  CgState endless;
  endless.max_iterations = std::numeric_limits<int>::max();
  endless.target = -1;
  vectors.state.start(endless);
  cg_passes::begin(preconditioner, vectors);
}

/// `count` iterations, rounded up to whole turns of the state. Collective.
template <class L, class A, class P>
void iterate_cg(const A& a, const P& preconditioner, int count, CgVectors<L>& vectors) {
  const int turns = a.waits() ? 1 : vectors.state.turns_at_once();
  Replay replay(turns > 1 && vectors.r.owned() < launch_bound);
  for (int done = 0; done < count; done += turns) {
    replay.run([&] { cg_passes::iterate(a, preconditioner, turns, vectors); });
  }
}

}  // namespace solenoid
