/// The iteration of conjugate gradients with any preconditioner, applied as one call. For files that launch kernels.
#pragma once

#include "field/assign.hpp"
#include "solve/cg_state.hpp"
#include "solve/concepts.hpp"
#include "solve/space.hpp"

namespace solenoid {

namespace cg_general {

/// From p.q to the step length.
struct FindStep {
  SOLENOID_HD void operator()(CgState& s, const Sums<3>& sums) const {
    if (s.status != CgState::running) return;
    if (!s.rho_is_known) s.rho = sums[2];
    s.set_step_length(sums[0], 0);
  }
};

/// From the residual's square and r.z to the next direction.
struct FindDirection {
  SOLENOID_HD void operator()(CgState& s, const Sums<3>& sums) const {
    if (s.status != CgState::running) return;
    const real squares = sums[1], next = sums[2];
    s.look(squares);
    s.ratio = next / s.rho;
    s.rho = next;
    s.rho_is_known = true;
  }
};

/// The square of the residual as the caller counts it. Collective.
template <class L, class Unscaled>
real measure(const Unscaled& unscaled, const CgVectors<L>& vectors) {
  const auto r = vectors.r.view();
  count_owned(vectors.r);
  return total(vectors.r.layout().comm(), reduce_sum(
                                              vectors.r.owned(), SOLENOID_KERNEL(int i) {
                                                const Index<L> k{i};
                                                const real residual = unscaled(k, r[k]);
                                                return residual * residual;
                                              }));
}

/// z = P r with z in the place of q, for P pointwise.
template <class L, class P>
void precondition(const P& preconditioner, CgVectors<L>& vectors) {
  const auto r = std::as_const(vectors.r).view();
  const auto z = vectors.q.view();
  count_owned(vectors.r, vectors.q);
  forall(
      vectors.r.owned(), SOLENOID_KERNEL(int i) {
        const Index<L> k{i};
        z[k] = preconditioner(k, r[k]);
      });
}

/// p = z and a correction of zero; r.z.
template <class L>
void begin(CgVectors<L>& vectors) {
  const auto r = std::as_const(vectors.r).view(), z = std::as_const(vectors.q).view();
  const auto p = vectors.p.view(), correction = vectors.correction.view();
  count_owned(vectors.r, vectors.q, vectors.p, vectors.correction);
  vectors.state.template add<1>(
      2, vectors.r.owned(), SOLENOID_KERNEL(int i) {
        const Index<L> k{i};
        correction[k] = 0;
        p[k] = z[k];
        return Sums<1>{{r[k] * z[k]}};
      });
}

/// Finds the step length from p.q, adds step p to the correction and takes step q off r; the residual's square.
/// Collective.
template <class L, class Unscaled>
void take_step(const Unscaled& unscaled, CgVectors<L>& vectors) {
  const auto p = std::as_const(vectors.p).view(), q = std::as_const(vectors.q).view();
  count_owned(vectors.p, vectors.q);
  vectors.state.template turn<1>(
      0, vectors.r.owned(),
      SOLENOID_KERNEL(int i) {
        const Index<L> k{i};
        return Sums<1>{{p[k] * q[k]}};
      },
      FindStep{});
  const auto s = vectors.state.view();
  const auto r = vectors.r.view(), correction = vectors.correction.view();
  count_owned(vectors.p, vectors.q, vectors.r, vectors.correction);  // read
  count_owned(vectors.r, vectors.correction);                        // written
  vectors.state.template add<1>(
      1, vectors.r.owned(), SOLENOID_KERNEL(int i) {
        const Index<L> k{i};
        if (!s->takes_step()) return Sums<1>{};
        correction[k] += s->step * p[k];
        r[k] -= s->step * q[k];
        const real residual = unscaled(k, r[k]);
        return Sums<1>{{residual * residual}};
      });
}

/// p = z + ratio p. Collective.
template <class L>
void turn(CgVectors<L>& vectors) {
  const auto r = std::as_const(vectors.r).view(), z = std::as_const(vectors.q).view();
  count_owned(vectors.r, vectors.q);
  vectors.state.template turn<1>(
      2, vectors.r.owned(),
      SOLENOID_KERNEL(int i) {
        const Index<L> k{i};
        return Sums<1>{{r[k] * z[k]}};
      },
      FindDirection{});
  const auto s = vectors.state.view();
  const auto p = vectors.p.view();
  count_owned(vectors.q, vectors.p, vectors.p);
  forall(
      vectors.r.owned(), SOLENOID_KERNEL(int i) {
        const Index<L> k{i};
        p[k] = z[k] + s->ratio * p[k];
      });
}

}  // namespace cg_general

/// Hestenes & Stiefel's form (1952; thesis, algorithm 1), with z = P r in the place of q, which it no longer needs
/// then. The iteration watches the residual itself, whose square is summed as the residual is made. Whatever A and P
/// make at prescribed entities and of the members of tied groups is restricted to unknowns.
///
/// `unscaled(i, r_i)`: the residual that is to become small, in the caller's scaling.
template <class L, LinearOperator<L> A, Preconditioner<L> P, class Unscaled>
struct GeneralCg {
  const A& a;
  const P& preconditioner;
  Unscaled unscaled;
  const Space<L>& space;
  CgVectors<L>& vectors;

  /// A cycle costs far more than a look of the host at the state.
  int turns_at_once() const { return 1; }

  /// Squares of the residual as the caller counts it, which the iteration watches too. Collective.
  Sums<2> measure() const {
    const real squares = cg_general::measure(unscaled, vectors);
    return {{squares, squares}};
  }

  void begin() const {
    precondition();
    cg_general::begin(vectors);
  }

  /// Goes on from the last direction, which is there with its r.P r.
  void resume(CgState&, const Sums<2>&) const {}

  void iterate(int count) const {
    for (int k = 0; k < count; ++k) {
      apply(a, vectors.p, vectors.q);
      space.restrict_to_unknowns(vectors.q);
      cg_general::take_step(unscaled, vectors);
      precondition();
      cg_general::turn(vectors);
    }
  }

  /// z = P r.
  void precondition() const {
    if constexpr (PointwisePreconditioner<P, L>) {
      cg_general::precondition(preconditioner, vectors);
    } else {
      apply(preconditioner, vectors.r, vectors.q);
    }
    space.restrict_to_unknowns(vectors.q);
  }
};

}  // namespace solenoid
