/// The iteration of conjugate gradients with a diagonal preconditioner: two passes over the vectors and one sum over
/// the ranks. For files that launch kernels.
#pragma once

#include "parallel/reduce_later.hpp"
#include "solve/cg_state.hpp"
#include "solve/concepts.hpp"
#include "solve/space.hpp"

namespace solenoid {

namespace cg_pointwise {

/// Step length and next direction from p.q, q.P q and r.P r.
struct Turn {
  SOLENOID_HD void operator()(CgState& s, const Sums<3>& sums) const {
    const real curvature = sums[0], image = sums[1];
    s.end_after_last_step();
    if (s.status != CgState::running) return;
    if (!s.rho_is_known) s.rho = sums[2];
    s.rho_is_known = false;
    if (!s.set_step_length(curvature, image)) return;
    const real next = s.step * s.step * image - s.rho;  // r.P r after the step, since r.P q = p.q
    s.ratio = next > 0 ? next / s.rho : 0;
    s.look(next);
  }
};

/// use(row, product): stores product + added, and returns p.q and q.P q. Without an effect, and without a product, once
/// the iteration is over.
template <class L, class T, class P, class Added>
struct StoreProduct {
  StateView<CgState> state;
  View<L, const T> p;
  View<L, T> q;
  P preconditioner;
  Added added;
  SOLENOID_HD bool is_over() const { return state->status != CgState::running; }
  SOLENOID_HD Sums<2> operator()(Index<L> i, T of_matrix) const {
    if (is_over()) return {};
    const T product = of_matrix + added(i);
    q[i] = product;
    const real image = product;
    return {{p[i] * image, preconditioner(i, product) * image}};
  }
};

/// Square of the residual in the caller's scaling, and r.P r: this rank's parts.
template <class L, class T, class P, class Unscaled>
PendingSums<2> begin_measure(const P& preconditioner, const Unscaled& unscaled, const CgVectors<L, T>& vectors) {
  const auto r = vectors.r.view();
  count_owned(vectors.r);
  return begin_sums<2>(
      vectors.r.owned(), SOLENOID_KERNEL(int i) {
        const Index<L> k{i};
        const real true_residual = unscaled(k, r[k]), residual = r[k];
        return Sums<2>{{true_residual * true_residual, residual * preconditioner(k, r[k])}};
      });
}

/// Sets p = P r and correction = 0; sums r.P r.
template <class L, class T, class P>
void begin(const P& preconditioner, CgVectors<L, T>& vectors) {
  const auto r = std::as_const(vectors.r).view();
  const auto p = vectors.p.view(), correction = vectors.correction.view();
  count_owned(vectors.r, vectors.p, vectors.correction);
  vectors.state.template add<1>(
      2, vectors.r.owned(), SOLENOID_KERNEL(int i) {
        const Index<L> k{i};
        correction[k] = 0;
        const T z = preconditioner(k, r[k]);
        p[k] = z;
        return Sums<1>{{static_cast<real>(r[k]) * z}};
      });
}

/// A turn of the state with p.q and q.P q of a stored product. Collective.
template <class L, class T, class P>
void turn_with_stored(const P& preconditioner, CgVectors<L, T>& vectors) {
  const auto p = std::as_const(vectors.p).view(), q = std::as_const(vectors.q).view();
  count_owned(vectors.p, vectors.q);
  vectors.state.template turn<2>(
      0, vectors.r.owned(),
      SOLENOID_KERNEL(int i) {
        const Index<L> k{i};
        const real image = q[k];
        return Sums<2>{{p[k] * image, preconditioner(k, q[k]) * image}};
      },
      Turn{});
}

/// q = matrix x + added at the unknowns of `space`, and a turn of the state with p.q and q.P q. Collective.
template <class L, class T, class P, class Added>
void multiply_and_turn(const SparseMatrix<L, L, T>& matrix, Field<L, T>& x, const Added& added, const Space<L>& space,
                       const P& preconditioner, CgVectors<L, T>& vectors) {
  auto& state = vectors.state;
  count_owned(vectors.q);
  const StoreProduct<L, T, P, Added> store{state.view(), std::as_const(vectors.p).view(), vectors.q.view(),
                                           preconditioner, added};
  if (space.groups() == 0) {
    over_rows(
        matrix, x, store, [&](int items, const auto& pass) { state.template add<2>(0, items, pass); },
        [&](int items, const auto& pass) { state.template turn<2>(0, items, pass, Turn{}); });
  } else {  // the sums must include tied values: one more pass
    over_rows(matrix, x, store);
    space.tie(vectors.q);
    turn_with_stored(preconditioner, vectors);
  }
}

/// Takes the step and updates the direction; sums r.P r.
template <class L, class T, class P>
void advance(const P& preconditioner, CgVectors<L, T>& vectors) {
  const auto s = vectors.state.view();
  const auto q = std::as_const(vectors.q).view();
  const auto r = vectors.r.view(), p = vectors.p.view(), correction = vectors.correction.view();
  count_owned(vectors.q, vectors.r, vectors.p, vectors.correction);  // read
  count_owned(vectors.r, vectors.p, vectors.correction);             // written
  vectors.state.template add<1>(
      2, vectors.r.owned(), SOLENOID_KERNEL(int i) {
        const Index<L> k{i};
        if (!s->takes_step()) return Sums<1>{};
        const T step = static_cast<T>(s->step), ratio = static_cast<T>(s->ratio);
        const T direction = p[k], residual = r[k] - step * q[k], z = preconditioner(k, residual);
        correction[k] += step * direction;
        r[k] = residual;
        p[k] = z + ratio * direction;
        return Sums<1>{{static_cast<real>(residual) * z}};
      });
}

}  // namespace cg_pointwise

/// q = A p with p.q and q.P q computed row by row, then the step, the next direction and r.P r in one pass. The next
/// r.P r is predicted from q.P q, so that each iteration needs one sum over the ranks; the pass that takes the step
/// also measures it, which corrects the next step length (Meurant 1987; Saad 1989). This halves the waits of Hestenes &
/// Stiefel's form (1952; thesis, algorithm 1) and saves one pass.
///
/// `unscaled(i, r_i)`: the residual to be reduced, in the caller's scaling.
template <class L, class T, FactoredOperator<L, T> A, PointwisePreconditioner<L, T> P, class Unscaled>
struct PointwiseCg {
  const A& a;
  P preconditioner;
  Unscaled unscaled;
  const Space<L>& space;
  CgVectors<L, T>& vectors;

  /// Whether a turn after the end costs little, and the host may queue some.
  static constexpr bool skips_turns = true;
  bool turns_alone() const { return space.groups() == 0 && vectors.state.turns_alone(); }
  bool may_be_replayed() const { return turns_alone(); }  ///< whether a turn only launches kernels

  /// Square of the residual in the caller's scaling, and r.P r for the stopping test: this rank's parts.
  PendingSums<2> begin_measure() const { return cg_pointwise::begin_measure(preconditioner, unscaled, vectors); }

  void begin() const { cg_pointwise::begin(preconditioner, vectors); }

  /// Continues from the last direction: turns after the last step have dropped r.P r.
  void resume(CgState& state, const Sums<2>& measured) const {
    state.rho = measured[1];
    state.rho_is_known = true;
  }

  /// Runs `count` iterations from the current state. Collective.
  void iterate(int count) const {
    for (int k = 0; k < count; ++k) {
      Field<L, T>& inner = a.inner(vectors.p);
      cg_pointwise::multiply_and_turn(a.last(), inner, added_to_rows<L, T>(a), space, preconditioner, vectors);
      cg_pointwise::advance(preconditioner, vectors);
    }
  }
};

}  // namespace solenoid
