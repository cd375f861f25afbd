#include "physics/quantum.hpp"

#include <cmath>

#include "field/inner_product.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

namespace {

template <class L>
void round_to(real largest, Field<L>& values) {
  if (largest == 0 || !std::isfinite(largest)) return;
  constexpr int spare = 5;  // bits above the largest value, for sums of a few
  const real splitter = std::ldexp(real{1.5}, std::ilogb(largest) + spare);
  const auto x = values.view();
  forall(
      values.owned(), SOLENOID_KERNEL(int i) {
        const Index<L> k{i};
        x[k] = (x[k] + splitter) - splitter;
      });
}

}  // namespace

void round_to_quantum(Field<Edge>& potential) { round_to(max_magnitude(potential), potential); }
void round_to_quantum(real largest, Field<Face>& flux) { round_to(largest, flux); }
void round_to_quantum(real largest, Field<Edge>& potential) { round_to(largest, potential); }

}  // namespace solenoid
