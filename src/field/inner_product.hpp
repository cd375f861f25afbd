/// Sums, inner products and norms over all ranks: every entity counts once, on its owner. For files that launch
/// kernels.
#pragma once

#include <cmath>

#include "field/field.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

namespace expression {
template <class L, class E>
struct Value {
  Expression<L, E> formula;
  SOLENOID_HD real operator()(int i) const { return formula(Index<L>{i}); }
};
template <class L, class E>
struct Magnitude {
  Expression<L, E> formula;
  SOLENOID_HD real operator()(int i) const {
    const real value = formula(Index<L>{i});
    return value < 0 ? -value : value;
  }
};
}  // namespace expression

/// Sum over the owned entities of all ranks, each once: the owners' entries are those of weight 1 (thesis, ch. 8), so
/// no array of weights is read. Collective.
template <class L, class E>
real sum(const Layout& layout, const Expression<L, E>& formula) {
  return layout.comm().sum(reduce_sum(layout.owned(), expression::Value<L, E>{formula}));
}
template <class L, class E>
real sum(const LocalMesh& mesh, const Expression<L, E>& formula) {
  return sum(mesh.layout<L>(), formula);
}

/// sum_i x_i y_i over all ranks. Collective.
template <class L>
real dot(const Field<L>& x, const Field<L>& y) {
  return sum(x.layout(), x * y);
}

/// Euclidean norm over all ranks. Collective.
template <class L>
real norm(const Field<L>& x) {
  return std::sqrt(dot(x, x));
}

/// max_i |x_i| over all ranks; NaN if any value is. Collective.
template <class L, class E>
real max_magnitude(const Layout& layout, const Expression<L, E>& formula) {
  const real here = reduce_max(layout.owned(), 0, expression::Magnitude<L, E>{formula});
  const bool bad = layout.comm().max(std::int64_t{std::isnan(here)}) != 0;
  const real there = layout.comm().max(std::isnan(here) ? real{0} : here);
  return bad ? std::nan("") : there;
}
template <class L, class E>
real max_magnitude(const LocalMesh& mesh, const Expression<L, E>& formula) {
  return max_magnitude(mesh.layout<L>(), formula);
}
template <class L>
real max_magnitude(const Field<L>& x) {
  return max_magnitude(x.layout(), operand(x));
}

}  // namespace solenoid
