/// One symmetric system and all it needs to be solved again and again. For files that launch kernels.
#pragma once

#include "solve/cg.hpp"
#include "solve/jacobi.hpp"

namespace solenoid {

/// CG with the preconditioner that `control` asks for; `diagonal` is the restricted operator's. Collective; throws as
/// cg does.
template <class L, LinearOperator<L> A>
SolveReport solve(const A& a, const Field<L>& diagonal, const Space<L>& space, const Field<L>& b, Field<L>& x,
                  const SolveControl& control, CgVectors<L>& vectors) {
  if (control.preconditioner == PreconditionerKind::none) {
    return cg(a, NoPreconditioner<L>{}, space, b, x, control, vectors);
  }
  return cg(a, Jacobi<L>{diagonal}, space, b, x, control, vectors);
}

}  // namespace solenoid
