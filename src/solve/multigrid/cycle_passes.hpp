/// What the passes of a multigrid cycle do with the product of a row: the smoother's steps, the transfers.
#pragma once

#include "solve/multigrid/hierarchy.hpp"

namespace solenoid::multigrid {  // public types: nvcc accepts no private ones as kernel arguments

/// y = b - step A b: the residual after the smoother's first step, x = step b.
template <class V>
struct FirstResidual {
  View<Unknown, const V> b;
  View<Unknown, V> y;
  float step;
  SOLENOID_HD void operator()(Index<Unknown> i, V product) const { y[i] = b[i] - step * product; }
};

/// x after the second step before the coarser level and the first one after it, without the coarse correction; from the
/// residual y between both.
template <class V>
struct MiddleSteps {
  View<Unknown, const V> b, y;
  View<Unknown, V> x;
  float small, large;
  SOLENOID_HD void operator()(Index<Unknown> i, V product) const {
    x[i] = small * b[i] + large * (2 * y[i] - large * product);
  }
};

/// x += P e.
template <class V>
struct AddProduct {
  View<Unknown, V> x;
  SOLENOID_HD void operator()(Index<Unknown> i, V product) const { x[i] += product; }
};

/// The last step, with a result of any precision.
template <class V, class Result>
struct LastStep {
  View<Unknown, const V> b, x;
  View<Unknown, Result> result;
  float step;
  SOLENOID_HD void operator()(Index<Unknown> i, V product) const { result[i] = x[i] + step * (b[i] - product); }
};

}  // namespace solenoid::multigrid
