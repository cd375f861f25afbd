/// Sums, inner products and norms over all ranks: every entity counts once, on its owner, or with a user-supplied
/// weight. For files that launch kernels.
#pragma once

#include <array>
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
  SOLENOID_HD real operator()(int i) const { return std::fabs(formula(Index<L>{i})); }
};
}  // namespace expression

/// Sum over all ranks, each entity once: the thesis's marker (ch. 8), the weight of an entry in sums, is 1 for owned
/// entities and 0 for copies; owned-first numbering makes an array unnecessary. Collective.
template <class L, class E>
real sum(const Layout& layout, const Expression<L, E>& formula) {
  count_traffic(bytes_read(formula, layout.owned()));
  return total(layout.comm(), reduce_sum(layout.owned(), expression::Value<L, E>{formula}));
}
template <class L, class E>
real sum(const LocalMesh& mesh, const Expression<L, E>& formula) {
  return sum(mesh.layout<L>(), formula);
}
/// The same with another marker: sum_i w_i f_i, such as w = 1 in one part of the mesh. Collective.
template <class L, class E>
real sum(const LocalMesh& mesh, const Expression<L, E>& formula, const Field<L>& weight) {
  return sum(mesh.layout<L>(), weight * formula);
}

/// sum_i x_i y_i over all ranks. Collective.
template <class L>
real dot(const Field<L>& x, const Field<L>& y) {
  return sum(x.layout(), x * y);
}
/// sum_i w_i x_i y_i over all ranks. Collective.
template <class L>
real dot(const Field<L>& x, const Field<L>& y, const Field<L>& weight) {
  return sum(x.layout(), weight * (x * y));
}

/// Euclidean norm over all ranks. Collective.
template <class L>
real norm(const Field<L>& x) {
  return std::sqrt(dot(x, x));
}

/// The largest over all ranks of what a rank has; NaN if any is NaN. Collective.
inline real max_or_nan(const Comm& comm, real here) {
  const bool bad = comm.max(std::int64_t{std::isnan(here)}) != 0;
  const real there = comm.max(std::isnan(here) ? real{0} : here);
  return bad ? std::nan("") : there;
}

/// max_i |x_i| over all ranks; NaN if any value is NaN. Collective.
template <class L, class E>
real max_magnitude(const Layout& layout, const Expression<L, E>& formula) {
  count_traffic(bytes_read(formula, layout.owned()));
  return max_or_nan(layout.comm(), reduce_max(layout.owned(), 0, expression::Magnitude<L, E>{formula}));
}
template <class L, class E>
real max_magnitude(const LocalMesh& mesh, const Expression<L, E>& formula) {
  return max_magnitude(mesh.layout<L>(), formula);
}
template <class L>
real max_magnitude(const Field<L>& x) {
  return max_magnitude(x.layout(), operand(x));
}

/// Both, with one wait of the host for its device. Collective.
template <class L, class M>
std::array<real, 2> max_magnitudes(const Field<L>& x, const Field<M>& y) {
  const auto of_x = operand(x);
  const auto of_y = operand(y);
  count_traffic(bytes_read(of_x, x.owned()) + bytes_read(of_y, y.owned()));
  const auto here = reduce_two_max(x.owned(), expression::Magnitude<L, expression::Read<L, real>>{of_x}, y.owned(),
                                   expression::Magnitude<M, expression::Read<M, real>>{of_y});
  const Comm& comm = x.layout().comm();
  return {max_or_nan(comm, here[0]), max_or_nan(comm, here[1])};
}

}  // namespace solenoid
