/// Requirements of a solver on operators and preconditioners. For files that launch kernels.
#pragma once

#include <concepts>

#include "solve/row_pass.hpp"

namespace solenoid {

/// An operator whose last factor is an assembled matrix, A x = last() inner(x): CG forms its inner products from the
/// rows of that product as they are computed. `inner` returns x itself or a field owned by the operator. If there is an
/// added(), on the device added()(i) of that x is added to row i. Collective.
template <class A, class L, class T = real>
concept FactoredOperator = requires(const A& a, Field<L, T>& x) {
  { a.last() } -> std::convertible_to<const SparseMatrix<L, L, T>&>;
  { a.inner(x) } -> std::same_as<Field<L, T>&>;
};

template <class L, class T>
struct NothingAdded {
  SOLENOID_HD T operator()(Index<L>) const { return 0; }
};
template <class L, class T, FactoredOperator<L, T> A>
auto added_to_rows(const A& a) {
  if constexpr (requires { a.added(); }) {
    return a.added();
  } else {
    return NothingAdded<L, T>{};
  }
}

/// A linear map of values at L: factored, or a(x, y) sets y = A x at the owned entities and may exchange x. Collective.
template <class A, class L, class T = real>
concept LinearOperator = FactoredOperator<A, L, T> || std::invocable < const A&,
        Field<L, T>
&, Field<L, T>& > ;

/// A diagonal preconditioner: p(i, r_i) is (P r)_i, on the device.
template <class P, class L, class T = real>
concept PointwisePreconditioner = requires(const P& p, Index<L> i, T r) {
  { p(i, r) } -> std::same_as<T>;
};

/// An approximate inverse of A, symmetric and positive definite: pointwise, or a linear map p(r, z) that sets z = P r
/// at the owned entities, such as a multigrid cycle.
template <class P, class L, class T = real>
concept Preconditioner = PointwisePreconditioner<P, L, T> || LinearOperator<P, L, T>;

/// Whether calls of an operator or preconditioner on one rank only launch kernels: factored and pointwise ones do,
/// others say so by a member of this name.
template <class L, class A>
bool only_launches(const A& a) {
  if constexpr (requires { a.only_launches(); }) {
    return a.only_launches();
  } else {
    return FactoredOperator<A, L> || PointwisePreconditioner<A, L>;
  }
}

/// Whether a preconditioner works in single precision: its input must fit.
template <class P>
inline constexpr bool is_in_single_precision = requires {
  requires P::is_in_single_precision;
};

/// No preconditioner, P = 1.
template <class L>
struct Identity {
  SOLENOID_HD real operator()(Index<L>, real r) const { return r; }
};

/// An assembled matrix alone.
template <class L>
struct MatrixOperator {
  const SparseMatrix<L>& matrix;
  const SparseMatrix<L>& last() const { return matrix; }
  Field<L>& inner(Field<L>& x) const { return x; }
};

/// y = A x. Collective.
template <class L, LinearOperator<L> A>
void apply(const A& a, Field<L>& x, Field<L>& y) {
  if constexpr (FactoredOperator<A, L>) {
    static_assert(
        !requires { a.added(); }, "not by multiply()");
    multiply(a.last(), a.inner(x), y);
  } else {
    a(x, y);
  }
}

}  // namespace solenoid
