/// The iteration of conjugate gradients with any preconditioner, applied as one call. For files that launch kernels.
#pragma once

#include "field/assign.hpp"
#include "solve/cg_state.hpp"
#include "solve/concepts.hpp"
#include "solve/space.hpp"

namespace solenoid {

namespace cg_general {

/// Next direction from r.z and the residual's square.
struct FindDirection {
  SOLENOID_HD void operator()(CgState& s, const Sums<3>& sums) const {
    s.end_after_last_step();
    if (s.status != CgState::running) return;
    const real next = sums[0];
    s.ratio = s.has_direction ? next / s.rho : 0;
    s.has_direction = true;
    s.rho = next;
    s.square = sums[1];
  }
};

/// Step length from p.q, and the square of the residual after that step from r.q and q.q.
struct FindStep {
  SOLENOID_HD void operator()(CgState& s, const Sums<3>& sums) const {
    if (s.status != CgState::running) return;
    if (s.set_step_length(sums[0], 0)) s.look(s.square + s.step * (s.step * sums[2] - 2 * sums[1]));
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

/// p = z + ratio p. Collective.
template <class L, class Unscaled>
void find_direction(const Unscaled& unscaled, CgVectors<L>& vectors) {
  const auto r = std::as_const(vectors.r).view(), z = std::as_const(vectors.q).view();
  count_owned(vectors.r, vectors.q);
  vectors.state.template turn<2>(
      0, vectors.r.owned(),
      SOLENOID_KERNEL(int i) {
        const Index<L> k{i};
        const real residual = unscaled(k, r[k]);
        return Sums<2>{{r[k] * z[k], residual * residual}};
      },
      FindDirection{});
  const auto s = vectors.state.view();
  const auto p = vectors.p.view();
  count_owned(vectors.q, vectors.p, vectors.p);
  forall(
      vectors.r.owned(), SOLENOID_KERNEL(int i) {
        const Index<L> k{i};
        if (s->status != CgState::running) return;
        p[k] = s->ratio == 0 ? z[k] : z[k] + s->ratio * p[k];
      });
}

/// Adds step p to the correction and subtracts step q from r. Collective.
template <class L, class Unscaled>
void take_step(const Unscaled& unscaled, CgVectors<L>& vectors) {
  const auto p = std::as_const(vectors.p).view(), q = std::as_const(vectors.q).view();
  const auto r = vectors.r.view(), correction = vectors.correction.view();
  count_owned(vectors.p, vectors.q, vectors.r);
  vectors.state.template turn<3>(
      0, vectors.r.owned(),
      SOLENOID_KERNEL(int i) {
        const Index<L> k{i};
        const real residual = unscaled(k, r[k]), image = unscaled(k, q[k]);
        return Sums<3>{{p[k] * q[k], residual * image, image * image}};
      },
      FindStep{});
  const auto s = vectors.state.view();
  count_owned(vectors.p, vectors.q, vectors.r, vectors.correction);  // read
  count_owned(vectors.r, vectors.correction);                        // written
  forall(
      vectors.r.owned(), SOLENOID_KERNEL(int i) {
        const Index<L> k{i};
        if (!s->takes_step()) return;
        correction[k] += s->step * p[k];
        r[k] -= s->step * q[k];
      });
}

}  // namespace cg_general

/// Hestenes & Stiefel's form (1952; thesis, algorithm 1), with z = P r stored in q until q = A p. The stopping test
/// uses the residual itself, whose square follows from sums before the step: the last step is not followed by a P r.
/// Results of A and P at prescribed entities and at members of tied groups are restricted to unknowns.
///
/// `unscaled(i, r_i)`: the residual to be reduced, in the caller's scaling; linear in r_i.
template <class L, LinearOperator<L> A, Preconditioner<L> P, class Unscaled>
struct GeneralCg {
  const A& a;
  const P& preconditioner;
  Unscaled unscaled;
  const Space<L>& space;
  CgVectors<L>& vectors;

  /// A cycle after the end costs far more than a read of the state by the host.
  static constexpr bool skips_turns = false;
  bool turns_alone() const { return vectors.state.turns_alone(); }
  /// Whether a turn only launches kernels.
  bool may_be_replayed() const {
    return space.groups() == 0 && turns_alone() && only_launches<L>(a) && only_launches<L>(preconditioner);
  }

  /// The measure after an iteration, known from its sums unless it broke down or the residual fell so far that their
  /// round-off counts. Collective.
  Sums<2> measure_after(const CgState& last) const {
    constexpr real far = 1e-8;
    real square = last.watched;
    if (last.broke_down() || !(square > far * last.square)) square = cg_general::measure(unscaled, vectors);
    return {{square, square}};  // the stopping test uses the same
  }

  void begin() const { vectors.correction = 0 * vectors.r; }

  /// Continues from the last direction, whose r.P r is still in the state.
  void resume(CgState&, const Sums<2>&) const {}

  void iterate(int count) const {
    for (int k = 0; k < count; ++k) {
      precondition();
      cg_general::find_direction(unscaled, vectors);
      apply(a, vectors.p, vectors.q);
      space.restrict_to_unknowns(vectors.q);
      cg_general::take_step(unscaled, vectors);
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
