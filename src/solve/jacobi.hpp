/// Preconditioners that look at one row at a time. For files that launch kernels.
#pragma once

#include "field/assign.hpp"

namespace solenoid {

/// y = x / diag(A): refers to a diagonal of the restricted operator, positive at every unknown.
template <class L>
struct Jacobi {
  const Field<L>& diagonal;
  void operator()(Field<L>& x, Field<L>& y) const { y = x / diagonal; }
};

/// y = x.
template <class L>
struct NoPreconditioner {
  void operator()(Field<L>& x, Field<L>& y) const { y.copy_from(x); }
};

}  // namespace solenoid
