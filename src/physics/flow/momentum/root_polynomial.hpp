/// A polynomial in W^-1 L near the inverse root of alpha + nu W^-1 L: the contribution of implicit friction to a
/// preconditioner of L. For files that launch kernels.
#pragma once

#include <utility>
#include <vector>

#include "solve/row_pass.hpp"
#include "solve/space.hpp"

namespace solenoid {

/// Coefficients of p(x) near 1 / sqrt(1 + reach x) for 0 <= x <= 1, p = sum_k coefficient[k] T_k(2 x - 1) with
/// Chebyshev's T_k. As few as make p^2 (1 + reach x) vary by no more than `ratio`, at most most_coefficients.
inline constexpr int most_coefficients = 13;
std::vector<real> inverse_root(real reach, real ratio);

/// A step of Clenshaw's recurrence (1955) for a sum of Chebyshev polynomials in 2 S / largest - 1:
/// b_before = c x + twice (2 S / largest - 1) b - b_before, or with `twice` = 1 the sum itself.
struct ClenshawStep {
  Scalar<float> coefficient;
  float twice, scale;  // scale: 2 / largest
  View<Edge, const float> mass, x, b, before;
  View<Edge, float> result;
  SOLENOID_HD void operator()(Index<Edge> i, float product) const {
    const float rate = mass[i] > 0 ? scale * product / mass[i] : 0;
    result[i] = coefficient * x[i] + twice * (rate - b[i]) - before[i];
  }
};

/// quotient = values / mass; 0 if the mass is 0.
inline void divide(const Field<Edge>& values, const Field<Edge, float>& mass, Field<Edge, float>& quotient) {
  const auto v = values.view();
  const auto m = mass.view();
  const auto q = quotient.view();
  count_owned(values, mass, quotient);
  forall(
      values.owned(), SOLENOID_KERNEL(int i) {
        const Index<Edge> k{i};
        q[k] = m[k] > 0 ? static_cast<float>(v[k]) / m[k] : 0;
      });
}

/// Calls step(i, product_i) for every owned value.
inline void over_values(const Field<Edge, float>& product, const ClenshawStep& step) {
  const auto values = product.view();
  forall(
      product.owned(), SOLENOID_KERNEL(int i) { step(Index<Edge>{i}, values[Index<Edge>{i}]); });
}

/// p(S), S = W^-1 L on the unknowns, in single precision.
class RootPolynomial {
 public:
  /// `laplacian` L and `mass` W, or multiples of them; `rate`: an upper bound of the eigenvalues of S by these.
  /// `mass`: W at owned edges, 0 where x is. Refers to `unknowns` and `laplacian`, which must outlive it.
  RootPolynomial(const Space<Edge>& unknowns, const SparseMatrix<Edge, Edge, float>& laplacian, Field<Edge, float> mass,
                 real rate)
      : unknowns_(unknowns),
        laplacian_(laplacian),
        mass_(std::move(mass)),
        rate_(rate),
        b_(unknowns.mesh()),
        before_(unknowns.mesh()),
        product_(unknowns.mesh()) {}

  /// x = p(2 S / rate - 1) x, a sum of Chebyshev polynomials; x is 0 where prescribed, and tied. Collective.
  void apply(const std::vector<Scalar<>>& coefficients, Field<Edge, float>& x) {
    const int degree = static_cast<int>(coefficients.size()) - 1;
    if (degree == 0) {
      x = coefficients[0] * x;
      return;
    }
    b_ = coefficients[degree] * x;
    before_ = 0 * x;
    for (int k = degree - 1; k >= 0; --k) {
      Field<Edge, float>& target = k > 0 ? before_ : x;
      const ClenshawStep step{Scalar<float>(coefficients[k]), static_cast<float>(k > 0 ? 2 : 1),
                              static_cast<float>(2 / rate_),  std::as_const(mass_).view(),
                              std::as_const(x).view(),        std::as_const(b_).view(),
                              std::as_const(before_).view(),  target.view()};
      count_owned(mass_, x, before_, target);
      if (unknowns_.groups() == 0) {
        over_rows(laplacian_, b_, step);
      } else {
        multiply(laplacian_, b_, product_);
        unknowns_.tie(product_);
        over_values(product_, step);
      }
      if (k > 0) std::swap(b_, before_);
    }
  }

  /// result = p(S^T) x = W p(S) W^-1 x. Collective.
  void apply_transposed(const std::vector<Scalar<>>& coefficients, const Field<Edge>& x, Field<Edge, float>& result) {
    divide(x, mass_, result);
    apply(coefficients, result);
    result = mass_ * result;
  }

 private:
  const Space<Edge>& unknowns_;
  const SparseMatrix<Edge, Edge, float>& laplacian_;
  Field<Edge, float> mass_;
  real rate_;
  Field<Edge, float> b_, before_, product_;
};

}  // namespace solenoid
