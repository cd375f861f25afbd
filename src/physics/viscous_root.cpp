#include "physics/viscous_root.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "parallel/backend.hpp"
#include "physics/inverse_root.hpp"
#include "solve/row_pass.hpp"

namespace solenoid {

namespace viscous_root {  // public types: nvcc takes no private ones as arguments of kernels

using Values = View<Edge, const float>;

struct Store {
  View<Edge, float> y;
  SOLENOID_HD void operator()(Index<Edge> i, float value) const { y[i] = value; }
};
struct StoreDouble {
  View<Edge> y;
  SOLENOID_HD void operator()(Index<Edge> i, float value) const { y[i] = value; }
};
/// W times the value, up to the factor that `inverse` has.
struct StoreWeighted {
  Values inverse;
  View<Edge> y;
  SOLENOID_HD void operator()(Index<Edge> i, float value) const { y[i] = inverse[i] > 0 ? value / inverse[i] : 0; }
};

// Clenshaw's recurrence (1955) for a sum of coefficient[k] T_k(A), A = 2 S / rate - 1 and A v = inverse * (L v) - v:
// b_k = coefficient[k] x + twice A b_(k+1) - b_(k+2), twice = 2, or 1 for the sum itself in the place of b_0.

/// From b_d = leading x.
template <class Out>
struct FirstStep {
  float coefficient, twice_leading;
  Values inverse, x;
  Out store;
  SOLENOID_HD void operator()(Index<Edge> i, float product) const {
    store(i, coefficient * x[i] + twice_leading * (inverse[i] * product - x[i]));
  }
};
/// From b_(k+1) = b, whose products are given, and b_(k+2) = before_factor * before.
template <class Out>
struct Step {
  float coefficient, twice, before_factor;
  Values inverse, x, b, before;
  Out store;
  SOLENOID_HD void operator()(Index<Edge> i, float product) const {
    store(i, coefficient * x[i] + twice * (inverse[i] * product - b[i]) - before_factor * before[i]);
  }
};

/// A polynomial of degree 0.
template <class Out>
struct Multiple {
  float factor;
  Values x;
  Out store;
  SOLENOID_HD void operator()(int i) const { store(Index<Edge>{i}, factor * x[Index<Edge>{i}]); }
};
/// use(i, product_i) once products are tied.
template <class Use>
struct UseTied {
  View<Edge, const real> product;
  Use use;
  SOLENOID_HD void operator()(int i) const { use(Index<Edge>{i}, static_cast<float>(product[Index<Edge>{i}])); }
};

}  // namespace viscous_root

namespace {

/// The largest sum_j |L_ij| / W_i over unknowns: not less than the largest eigenvalue of W^-1 L there.
real largest_rate(const Space<Edge>& unknowns, const MatrixRows& laplacian, const std::vector<real>& mass) {
  const std::vector<int>& role = unknowns.role();
  real largest = 0;
  for (int i = 0; i < laplacian.rows(); ++i) {
    if (role[i] == Space<Edge>::prescribed) continue;
    real sum = 0;
    for (int k = laplacian.offset[i]; k < laplacian.offset[i + 1]; ++k) {
      if (role[laplacian.column[k]] != Space<Edge>::prescribed) sum += std::abs(laplacian.value[k]);
    }
    largest = std::max(largest, sum / mass[i]);
  }
  return unknowns.mesh().comm().max(largest);
}

SingleRows in_single_precision(const MatrixRows& rows) {
  return {rows.offset, rows.column, {rows.value.begin(), rows.value.end()}};
}

}  // namespace

ViscousRoot::ViscousRoot(const Space<Edge>& unknowns, const MatrixRows& laplacian, const Field<Edge>& lumped_mass)
    : unknowns_(unknowns),
      laplacian_(in_single_precision(laplacian)),
      rate_(largest_rate(unknowns, laplacian, lumped_mass.to_host())),
      inverse_(unknowns.mesh()),
      x_(unknowns.mesh()),
      b_(unknowns.mesh()),
      before_(unknowns.mesh()),
      tied_(unknowns.mesh()) {
  tied_.copy_from(lumped_mass);
  unknowns.restrict_to_unknowns(tied_);
  std::vector<float> inverse;
  for (const real mass : tied_.to_host()) inverse.push_back(mass > 0 ? static_cast<float>(2 / (rate_ * mass)) : 0);
  inverse_.from_host(inverse);
}

void ViscousRoot::choose(real c) {
  constexpr real ratio = 1.3;
  const std::vector<real> chosen = inverse_root(c * rate_, ratio);
  coefficients_.assign(chosen.begin(), chosen.end());
}

/// use(i, (L x)_i), of the unknowns' L where groups are tied.
template <class Use>
void ViscousRoot::over_products(Single& x, const Use& use) {
  if (unknowns_.groups() == 0) return over_rows(laplacian_, x, use);
  over_rows(laplacian_, x, viscous_root::StoreDouble{tied_.view()});
  unknowns_.tie(tied_);
  forall(tied_.owned(), viscous_root::UseTied<Use>{std::as_const(tied_).view(), use});
}

/// store(i, (p(S) x_)_i). Collective.
template <class Store>
void ViscousRoot::store_polynomial(const Store& store) {
  const int degree = static_cast<int>(coefficients_.size()) - 1;
  const auto inverse = std::as_const(inverse_).view(), x = std::as_const(x_).view();
  const float leading = coefficients_[degree];
  if (degree == 0) return forall(x_.owned(), viscous_root::Multiple<Store>{leading, x, store});
  if (degree == 1) {
    return over_products(x_, viscous_root::FirstStep<Store>{coefficients_[0], leading, inverse, x, store});
  }
  over_products(x_, viscous_root::FirstStep<viscous_root::Store>{
                        coefficients_[degree - 1], 2 * leading, inverse, x, {b_.view()}});
  for (int k = degree - 2; k >= 0; --k) {
    const bool is_first = k == degree - 2;  // b_d is leading x
    const auto b = std::as_const(b_).view(), before = is_first ? x : std::as_const(before_).view();
    const float factor = is_first ? leading : 1;
    if (k == 0) {
      over_products(b_, viscous_root::Step<Store>{coefficients_[0], 1, factor, inverse, x, b, before, store});
    } else {
      over_products(b_, viscous_root::Step<viscous_root::Store>{
                            coefficients_[k], 2, factor, inverse, x, b, before, {before_.view()}});
      std::swap(b_, before_);
    }
  }
}

void ViscousRoot::apply_transposed(const Field<Edge>& x, Field<Edge>& y) {
  const auto from = x.view();
  const auto inverse = std::as_const(inverse_).view();
  const auto to = x_.view();
  forall(
      x.owned(), SOLENOID_KERNEL(int i) {
        const Index<Edge> k{i};
        to[k] = static_cast<float>(from[k]) * inverse[k];
      });
  store_polynomial(viscous_root::StoreWeighted{inverse, y.view()});
}

void ViscousRoot::apply(Field<Edge>& y) {
  const auto from = std::as_const(y).view();
  const auto to = x_.view();
  forall(
      y.owned(), SOLENOID_KERNEL(int i) { to[Index<Edge>{i}] = static_cast<float>(from[Index<Edge>{i}]); });
  store_polynomial(viscous_root::StoreDouble{y.view()});
}

}  // namespace solenoid
