#include "solve/chebyshev.hpp"

#include <algorithm>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "solve/row_pass.hpp"
#include "solve/scaled_rows.hpp"

namespace solenoid {

namespace {

template <class L>
Field<L> squares(const Field<L>& scale) {
  std::vector<real> values = scale.to_host();
  for (real& value : values) value *= value;
  return {scale.mesh(), values};
}

/// D^-1 A at unknowns, without its unit diagonal.
template <class L>
MatrixRows couplings(const MatrixRows& rows, const Space<L>& space) {
  const std::vector<real> diagonal = rows.diagonal();
  const auto is_unknown = [&](int i) { return space.role()[i] != Space<L>::prescribed; };
  MatrixRows result;
  for (int i = 0; i < rows.rows(); ++i) {
    for (int k = rows.offset[i]; is_unknown(i) && k < rows.offset[i + 1]; ++k) {
      const int j = rows.column[k];
      if (j == i || !is_unknown(j)) continue;
      result.column.push_back(j);
      result.value.push_back(rows.value[k] / diagonal[i]);
    }
    result.offset.push_back(static_cast<int>(result.column.size()));
  }
  return result;
}

/// use(row, (D^-1 A x)_row): a step along the residual times D^-1 and the last step.
template <class L>
struct TakeStep {
  real kept, taken;  // weights of the last step (none for 0) and of the residual
  View<L, const real> inverse, b, x;
  View<L> step, next;
  SOLENOID_HD void operator()(Index<L> i, real product) const {
    const real along = taken * (inverse[i] * b[i] - product);
    const real taking = kept > 0 ? kept * step[i] + along : along;
    step[i] = taking;
    next[i] = x[i] + taking;
  }
};

}  // namespace

template <class L>
ChebyshevIteration<L>::ChebyshevIteration(const Space<L>& space, const MatrixRows& rows, real condition)
    : ChebyshevIteration(space, rows, condition, Field<L>(space.mesh(), scales(space, rows, true))) {}

template <class L>
ChebyshevIteration<L>::ChebyshevIteration(const Space<L>& space, const MatrixRows& rows, real condition, Field<L> scale)
    : inverse_(squares(scale)),
      coupling_(couplings(rows, space), SparseMatrix<L>::Diagonal::unit),
      step_(space.mesh()),
      next_(space.mesh()) {
  const auto highest = static_cast<real>(largest_eigenvalue(space, rows, scale));
  middle_ = (highest + highest / condition) / 2;
  reach_ = highest - middle_;
}

template <class L>
void ChebyshevIteration<L>::improve(const Field<L>& b, Field<L>& x, int iterations) {
  real ratio = reach_ / middle_, kept = 0, taken = 1 / middle_;
  for (int k = 0; k < iterations; ++k) {
    count_owned(inverse_, b, step_, step_, next_);
    over_rows(coupling_, x,
              TakeStep<L>{kept, taken, std::as_const(inverse_).view(), b.view(), std::as_const(x).view(), step_.view(),
                          next_.view()});
    std::swap(x, next_);
    const real next = 1 / (2 * middle_ / reach_ - ratio);
    kept = next * ratio;
    taken = 2 * next / reach_;
    ratio = next;
  }
}

template <class L>
void ChebyshevIteration<L>::solve(const Field<L>& b, Field<L>& x, real tolerance, int most) {
  constexpr int at_once = 20;
  step_ = inverse_ * b;
  const real enough = tolerance * norm(step_);
  for (int done = 0; done < most; done += at_once) {
    improve(b, x, std::min(at_once, most - done));
    step_ = inverse_ * b - coupling_ * halo(x);
    if (norm(step_) <= enough) break;
  }
}

template class ChebyshevIteration<Edge>;

}  // namespace solenoid
