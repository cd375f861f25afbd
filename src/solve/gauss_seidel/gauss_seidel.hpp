/// Symmetric multicolour Gauss-Seidel for the unknowns of a space. For files that launch kernels.
#pragma once

#include "solve/cg_pointwise.hpp"
#include "solve/gauss_seidel/sweep.hpp"

namespace solenoid {

namespace gauss_seidel {

/// From t = (1 + L^T)^-1 p: q = (1 + L)^-1 A t, and t - q replaces t, whose product with L is done; returns p.q, q.q.
struct StoreImage {
  StateView<CgState> state;
  View<Unknown, const real> p;
  View<Unknown> t, q;
  SOLENOID_HD Sums<2> operator()(Index<Unknown> i, real product) const {
    if (state->status != CgState::running) return {};
    const real image = p[i] + product;
    q[i] = image;
    t[i] -= image;
    return {{p[i] * image, image * image}};
  }
};

/// q = r + product: the residual before the sweep.
struct Unsweep {
  View<Unknown, const real> r;
  View<Unknown> q;
  SOLENOID_HD void operator()(Index<Unknown> i, real product) const { q[i] = r[i] + product; }
};

/// Square of the residual in the caller's scaling, and in that of CG. Collective.
template <class Unscaled>
Sums<2> measure(const ColouredMatrix& matrix, const Unscaled& unscaled, CgVectors<Unknown>& vectors) {
  const auto run = [](int items, const auto& kernel) { forall(items, kernel); };
  const auto r = std::as_const(vectors.r).view();
  sweep_forward(matrix, vectors.r, Unsweep{r, vectors.q.view()}, run, run);
  const auto q = std::as_const(vectors.q).view();
  return totals(vectors.r.layout().comm(), reduce_sums<2>(
                                               vectors.r.owned(), SOLENOID_KERNEL(int i) {
                                                 const Index<Unknown> k{i};
                                                 const real residual = unscaled(k, q[k]);
                                                 return Sums<2>{{residual * residual, r[k] * r[k]}};
                                               }));
}

}  // namespace gauss_seidel

/// Symmetric Gauss-Seidel is (1 + L)(1 + L^T) for A = 1 + L + L^T. CG runs on (1 + L)^-1 A (1 + L^T)^-1, whose product
/// with p needs two triangular solves and no product with A: with t = (1 + L^T)^-1 p it is t + (1 + L)^-1 (p - t)
/// (Eisenstat 1981). Otherwise as PointwiseCg. Residuals are already multiplied by (1 + L)^-1; the correction is still
/// to be multiplied by (1 + L^T)^-1.
///
/// `unscaled(i, r_i)`: converts A's residual to the one to be reduced, in the caller's scaling.
template <class Unscaled>
struct SweptCg {
  const ColouredMatrix& matrix;
  Unscaled unscaled;
  Field<Unknown>& swept;
  CgVectors<Unknown>& vectors;

  static constexpr bool skips_turns = true;
  bool turns_alone() const { return vectors.state.turns_alone(); }
  bool may_be_replayed() const { return turns_alone(); }  ///< whether a turn only launches kernels
  Sums<2> measure() const { return gauss_seidel::measure(matrix, unscaled, vectors); }
  Sums<2> measure_after(const CgState&) const { return measure(); }
  void begin() const { cg_pointwise::begin(Identity<Unknown>{}, vectors); }
  void resume(CgState& state, const Sums<2>& measured) const {
    state.rho = measured[1];
    state.rho_is_known = true;
  }

  /// Runs `count` iterations from the current state. Collective.
  void iterate(int count) const {
    auto& state = vectors.state;
    for (int k = 0; k < count; ++k) {
      solve_upper(matrix, vectors.p, swept);
      const gauss_seidel::StoreImage store{state.view(), std::as_const(vectors.p).view(), swept.view(),
                                           vectors.q.view()};
      sweep_forward(
          matrix, swept, store, [&](int items, const auto& pass) { state.template add<2>(0, items, pass); },
          [&](int items, const auto& pass) { state.template turn<2>(0, items, pass, cg_pointwise::Turn{}); });
      cg_pointwise::advance(Identity<Unknown>{}, vectors);
    }
  }
};

/// The unknowns sorted by colour, with the vectors of CG on them.
template <class L>
struct GaussSeidel {
  ColouredMatrix matrix;
  DeviceArray<int> from;         ///< per unknown: its entity
  Field<Unknown> scale, weight;  ///< of the unknowns' entities
  Field<Unknown> swept;
  CgVectors<Unknown> vectors;

  /// `scales`: the caller's, per owned entity. `weights`: see TiedRows. Collective.
  GaussSeidel(const Comm& comm, const ColouredRows& rows, const std::vector<real>& scales,
              const std::vector<real>& weights)
      : matrix(comm, rows),
        from(rows.from),
        scale(matrix.layout, sorted(scales, rows.from)),
        weight(matrix.layout, sorted(weights, rows.from)),
        swept(matrix.layout),
        vectors(matrix.layout) {}

  /// x = (1 + L)^-1 residual, for a residual restricted to unknowns. Collective.
  void take(const Field<L>& residual, Field<Unknown>& x) {
    const auto given = residual.view();
    const auto w = std::as_const(weight).view();
    const auto result = x.view();
    const int* const entity = from.data();
    forall(
        x.owned(), SOLENOID_KERNEL(int i) {
          const Index<Unknown> k{i};
          result[k] = w[k] * given[Index<L>{entity[i]}];
        });
    solve_lower(matrix, x, x);
  }

  /// z = (1 + L^T)^-1 x, to be tied afterwards; x is overwritten. Collective.
  void give(Field<Unknown>& x, Field<L>& z) {
    solve_upper(matrix, x, x);
    const auto solution = std::as_const(x).view(), w = std::as_const(weight).view();
    const auto result = z.view();
    const int* const entity = from.data();
    forall(
        x.owned(), SOLENOID_KERNEL(int i) {
          const Index<Unknown> k{i};
          result[Index<L>{entity[i]}] = w[k] * solution[k];
        });
  }

 private:
  static std::vector<real> sorted(const std::vector<real>& values, const std::vector<int>& from) {
    std::vector<real> result;
    for (const int i : from) result.push_back(values[i]);
    return result;
  }
};

}  // namespace solenoid
