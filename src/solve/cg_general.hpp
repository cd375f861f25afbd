/// The iteration of conjugate gradients with any preconditioner, applied as one call. For files that launch kernels.
#pragma once

#include "field/assign.hpp"
#include "solve/cg_state.hpp"
#include "solve/concepts.hpp"
#include "solve/space.hpp"

namespace solenoid {

namespace cg_general {

/// Step length from p.q.
struct FindStep {
  SOLENOID_HD void operator()(CgState& s, const Sums<3>& sums) const {
    if (s.status != CgState::running) return;
    if (!s.rho_is_known) s.rho = sums[2];
    s.set_step_length(sums[0], 0);
  }
};

/// Next direction from the residual's square and r.z.
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

/// Square of the residual in the caller's scaling. Collective.
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

/// z = P r, z stored in q, for pointwise P.
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

/// Sets p = z and correction = 0; sums r.z.
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

/// Computes the step length from p.q, adds step p to the correction and subtracts step q from r; sums the residual's
/// square. Collective.
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

/// Hestenes & Stiefel's form (1952; thesis, algorithm 1), with z = P r stored in q once q is no longer needed. The
/// stopping test uses the residual itself, whose square is summed as the residual is updated. Results of A and P at
/// prescribed entities and at members of tied groups are restricted to unknowns.
///
/// `unscaled(i, r_i)`: the residual to be reduced, in the caller's scaling.
template <class L, LinearOperator<L> A, Preconditioner<L> P, class Unscaled>
struct GeneralCg {
  const A& a;
  const P& preconditioner;
  Unscaled unscaled;
  const Space<L>& space;
  CgVectors<L>& vectors;

  /// A cycle costs far more than a read of the state by the host.
  int turns_at_once() const { return 1; }

  /// Square of the residual in the caller's scaling, twice: the stopping test uses the same. Collective.
  Sums<2> measure() const {
    const real squares = cg_general::measure(unscaled, vectors);
    return {{squares, squares}};
  }

  /// The measure after an iteration, known from its sums unless it broke down. Collective.
  Sums<2> measure_after(const CgState& last) const {
    return last.broke_down() ? measure() : Sums<2>{{last.watched, last.watched}};
  }

  void begin() const {
    precondition();
    cg_general::begin(vectors);
  }

  /// Continues from the last direction, whose r.P r is still in the state.
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
