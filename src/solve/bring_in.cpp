#include "solve/bring_in.hpp"

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "solve/tolerances.hpp"

namespace solenoid {

template <class L>
void bring_in(const Space<L>& space, Field<L>& values) {
  constexpr real round_off = by_precision(1e-12, 1e-5);
  Field<L> restricted(space.mesh());
  restricted.copy_from(values);
  space.restrict_to_unknowns(restricted);
  const real off = max_magnitude(space.mesh(), values - restricted);
  if (off > round_off * max_magnitude(values)) values.copy_from(restricted);
}

template <class L>
void bring_in(const Space<L>& space, SolutionHistory<L>& solutions) {
  for (int age = 0; age < past_solutions; ++age) bring_in(space, solutions.solution(age));
}

template void bring_in(const Space<Node>&, Field<Node>&);
template void bring_in(const Space<Edge>&, Field<Edge>&);
template void bring_in(const Space<Face>&, Field<Face>&);
template void bring_in(const Space<Node>&, SolutionHistory<Node>&);
template void bring_in(const Space<Edge>&, SolutionHistory<Edge>&);
template void bring_in(const Space<Face>&, SolutionHistory<Face>&);

}  // namespace solenoid
