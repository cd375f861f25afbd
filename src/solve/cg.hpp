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

}  // namespace cg_passes

/// Reduces vectors.r to ||residual|| <= tolerance * norm_of_b (to tolerance alone where that is 0), in at most
/// control.max_iterations.
///
/// `a.multiply(preconditioner, vectors, turn)`: q = A p, and a turn of the state with the sums p.q and q.P q (see
/// cg_product.hpp); a.waits(): whether that needs the host. `preconditioner(i, r_i)` is (P r)_i, pointwise;
/// `preconditioner.residual(i, r_i)` the residual that is to become small, in the caller's scaling.
///
/// The next r.P r is predicted from q.P q, so that one sum over the ranks serves an iteration, and measured in the pass
/// that takes the step, which corrects the next step length (Meurant 1987; Saad 1989): half the waits of Hestenes &
/// Stiefel's form (1952; thesis, algorithm 1), and one pass less. The norm is checked when the prediction says that
/// it is time.
///
/// Throws a collective Error (exit code 1) when the tolerance is not reached, when A or P is not positive definite, or
/// when a value is not finite. Collective.
template <class L, class A, class P>
SolveReport cg(const A& a, const P& preconditioner, real norm_of_b, const SolveControl& control,
               CgVectors<L>& vectors) {
  const Stopwatch watch;
  SolveReport report;
  const real scale = norm_of_b > 0 ? norm_of_b : 1;
  LoopState<CgState, 3>& state = vectors.state;
  const int turns = a.waits() ? 1 : state.turns_at_once();
  Replay replay(turns > 1 && vectors.r.owned() < launch_bound);

  Sums<2> measured = cg_passes::measure(preconditioner, vectors);
  CgState now;
  now.max_iterations = control.max_iterations;
  for (bool begun = false;; begun = true) {
    report.residual = std::sqrt(measured[0]) / scale;
    report.converged = report.residual <= control.tolerance;
    if (!std::isfinite(report.residual)) fail_solve(control, report, SolveFault::not_finite);
    if (report.converged) break;  // also where a step that was too good to predict left nothing to go on with
    if (now.status == CgState::matrix_not_definite) fail_solve(control, report, SolveFault::matrix_not_definite);
    if (now.status == CgState::preconditioner_not_definite)
      fail_solve(control, report, SolveFault::preconditioner_not_definite);
    if (now.status == CgState::not_finite) fail_solve(control, report, SolveFault::not_finite);
    if (report.iterations >= control.max_iterations) fail_solve(control, report, SolveFault::not_converged);

    const real to_go = control.tolerance / report.residual;
    constexpr real margin = 0.9;  // the two norms do not fall quite together: ask for a little more the next time
    now.status = CgState::running;
    now.target = measured[1] * to_go * to_go * (begun ? margin : 1);
    now.rho = measured[1];  // turns after the last step have dropped the sum
    now.rho_is_known = begun;
    state.start(now);
    if (!begun) cg_passes::begin(preconditioner, vectors);
    do {
      replay.run([&] { cg_passes::iterate(a, preconditioner, turns, vectors); });
      now = state.get();
    } while (now.status == CgState::running);
    report.iterations = now.iterations;
    measured = cg_passes::measure(preconditioner, vectors);
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
