#include "physics/quantum.hpp"

#include <cmath>

#include "field/inner_product.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

void round_to_quantum(Field<Edge>& potential) {
  const real largest = max_magnitude(potential);
  if (largest == 0 || !std::isfinite(largest)) return;
  constexpr int spare = 5;  // bits above the largest value, for sums of a few
  const real splitter = std::ldexp(real{1.5}, std::ilogb(largest) + spare);
  const auto s = potential.view();
  forall(
      potential.owned(), SOLENOID_KERNEL(int i) {
        const Index<Edge> e{i};
        s[e] = (s[e] + splitter) - splitter;
      });
}

}  // namespace solenoid
