#include "physics/flow/solenoidal/rounding_grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "field/inner_product.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

namespace {

/// Splitter that rounds x by (x + splitter) - splitter.
real splitter_of(real largest) {
  constexpr int spare = 5;  // bits above the largest value, for sums of a few
  return std::ldexp(real{1.5}, std::ilogb(largest) + spare);
}

template <class L>
void round_to(real largest, Field<L>& values) {
  if (largest == 0 || !std::isfinite(largest)) return;
  const real splitter = splitter_of(largest);
  const auto x = values.view();
  forall(
      values.owned(), SOLENOID_KERNEL(int i) {
        const Index<L> k{i};
        x[k] = (x[k] + splitter) - splitter;
      });
}

}  // namespace

real grid_spacing(real largest) {
  if (largest == 0 || !std::isfinite(largest)) return 1;
  using Limits = std::numeric_limits<real>;
  return std::max(std::ldexp(real{1}, std::ilogb(splitter_of(largest)) + 1 - Limits::digits), Limits::denorm_min());
}
real rounded_to_grid(real largest, real value) {
  if (largest == 0 || !std::isfinite(largest)) return value;
  const real splitter = splitter_of(largest);
  return (value + splitter) - splitter;
}
void round_to_grid(real largest, Field<Face>& flux) { round_to(largest, flux); }
void round_to_grid(real largest, Field<Edge>& potential) { round_to(largest, potential); }

}  // namespace solenoid
