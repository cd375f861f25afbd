/// The largest magnitude of values, for which the host does not wait yet. For files that launch kernels.
#pragma once

#include "field/inner_product.hpp"
#include "parallel/reduce_later.hpp"

namespace solenoid {

/// max_i |x_i| on this rank; that of all ranks by over().
template <class L, class E>
Pending<Sums<1>> begin_max_magnitude(const Layout& layout, const Expression<L, E>& formula) {
  count_traffic(bytes_read(formula, layout.owned()));
  return begin_max(layout.owned(), expression::Magnitude<L, E>{formula});
}
template <class L>
Pending<Sums<1>> begin_max_magnitude(const Field<L>& x) {
  return begin_max_magnitude(x.layout(), operand(x));
}

/// The largest over all ranks; NaN if any is NaN. Waits for the device. Collective.
inline real over(const Comm& comm, Pending<Sums<1>>& largest) { return max_or_nan(comm, largest.get()[0]); }

}  // namespace solenoid
