/// Operators of the exact step's momentum equation for the potential.
#pragma once

#include <utility>

#include "field/assign.hpp"
#include "parallel/scalar.hpp"
#include "physics/flow/momentum/potential_drag.hpp"
#include "physics/flow/momentum/potential_momentum_system.hpp"

namespace solenoid {

/// For each row i of L s: result = alpha s + nu W^-1 L s.
struct StoreVorticity {
  Scalar<> alpha, nu;
  View<Edge, const real> s, inverse_mass;
  View<Edge> result;
  SOLENOID_HD void operator()(Index<Edge> i, real product) const {
    result[i] = alpha * s[i] + nu * product * inverse_mass[i];
  }
};

/// alpha L + nu L W^-1 L.
struct MomentumOperator {
  const SparseMatrix<Edge>& laplacian;
  const Field<Edge>& inverse_mass;
  Scalar<> alpha, nu;
  Field<Edge>& between;

  const SparseMatrix<Edge>& last() const { return laplacian; }
  Field<Edge>& inner(Field<Edge>& s) const {
    count_owned(inverse_mass, between);
    over_rows(laplacian, s, StoreVorticity{alpha, nu, std::as_const(s).view(), inverse_mass.view(), between.view()});
    return between;
  }
};

/// R (alpha M + nu K') C, K' that of PotentialMomentumSystem.
struct MomentumWithFriction {
  PotentialMomentumSystem& momentum;
  Scalar<> alpha, nu;
  void operator()(Field<Edge>& s, Field<Edge>& y) const { momentum.apply(alpha, nu, s, y); }
  bool only_launches() const { return momentum.only_launches(); }
};

/// The same, or alpha L + nu L W^-1 L, with the drag of zones.
struct MomentumWithDrag {
  const Space<Edge>& unknowns;
  const SparseMatrix<Edge>& laplacian;
  const Field<Edge>& inverse_mass;
  PotentialMomentumSystem* with_friction;
  PotentialDrag& drag;
  Scalar<> alpha, nu;
  Field<Edge>& between;

  void operator()(Field<Edge>& s, Field<Edge>& y) const {
    if (with_friction) {
      with_friction->apply(alpha, nu, s, y);
    } else {
      multiply(laplacian, s, between);
      between = alpha * s + nu * (inverse_mass * between);
      multiply(laplacian, between, y);
    }
    drag.add(nu, s, y);
    unknowns.restrict_to_unknowns(y);
  }
};

}  // namespace solenoid
