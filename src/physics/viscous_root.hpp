/// The viscous half of the exact step's preconditioner: a polynomial in the place of one over a square root.
#pragma once

#include "operators/matrix_rows.hpp"
#include "solve/space.hpp"
#include "solve/sparse_matrix.hpp"

namespace solenoid {

/// p(S) near (1 + c S)^-1/2 at the unknowns of a space, S = W^-1 L with L symmetric and W the lumped mass. It works in
/// single precision on a copy of L: a preconditioner needs no more, and reads two thirds of the bytes.
class ViscousRoot {
 public:
  /// L as rows; W at the owned nodes. `unknowns` outlives this. Collective.
  ViscousRoot(const Space<Edge>& unknowns, const MatrixRows& laplacian, const Field<Edge>& lumped_mass);

  /// Chooses p for c [s], see inverse_root().
  void choose(real c);

  /// y = W p(S) W^-1 x = p(S^T) x; 0 where prescribed. Collective.
  void apply_transposed(const Field<Edge>& x, Field<Edge>& y);
  /// y = p(S) y; 0 where prescribed. Collective.
  void apply(Field<Edge>& y);

 private:
  using Single = Field<Edge, float>;

  template <class Store>
  void store_polynomial(const Store& store);
  template <class Use>
  void over_products(Single& x, const Use& use);

  const Space<Edge>& unknowns_;
  SparseMatrix<Edge, Edge, float> laplacian_;
  real rate_;       // [1/s] at least the largest eigenvalue of S
  Single inverse_;  // 2 W^-1 / rate, 0 where prescribed
  Single x_, b_, before_;
  Field<Edge> tied_;  // products, where groups are tied
  std::vector<float> coefficients_;
};

}  // namespace solenoid
