/// Hiptmair-Xu preconditioner of the curl-curl matrix on edges of tetrahedra, by way of nodal spaces.
#pragma once

#include <memory>

#include "operators/matrix_rows.hpp"
#include "solve/multigrid/shape.hpp"
#include "solve/space.hpp"
#include "solve/sparse_matrix.hpp"

namespace solenoid {

/// Of HiptmairXu: how often edges are smoothed before and after the nodes. Two steps take the fewest iterations, one
/// the least time where another part of a preconditioner limits them anyway.
enum class EdgeSmoothing { one_step, two_steps };

/// Near the inverse of A = R M C in 3D on what it does not map to zero, symmetric and positive definite. Hiptmair & Xu
/// 2007: an edge's value is a gradient, the line integral of a vector that is smooth and linear between nodes, or what
/// a smoother reduces. Steps of Chebyshev's come before and after B = sum_k Pi_k V Pi_k^T, with Pi the line
/// integrals of nodal vectors (EdgeEnds), k their component, and V one cycle of multigrid for the P1 stiffness on
/// nodes, which all components share. V is never told what A makes of nodal vectors: wherever B is too large or too
/// small, the whole stays definite, since the smoother alone is. Gradients take no part: a residual that is a rotation
/// has none, and what they add to the result A maps to zero (Kolev & Vassilevski 2009).
///
/// All but the way to the nodes and back is in single precision. The same bits on any number of ranks, as each sum is
/// taken in the order of global ids.
class HiptmairXu {
 public:
  static constexpr bool is_in_single_precision = true;

  /// For the free edges of `space`, which has no tied groups; the nodes at the ends of prescribed ones have the vector
  /// 0. A as `rows` and on the device. `space` outlives this. Collective; throws in 2D, where edges are nodes and
  /// multigrid serves.
  HiptmairXu(const Space<Edge>& space, const MatrixRows& rows, const SparseMatrix<Edge>& matrix,
             EdgeSmoothing smoothing = EdgeSmoothing::two_steps);
  ~HiptmairXu();
  HiptmairXu(HiptmairXu&&) noexcept;

  /// z = P r at the owned edges, 0 where prescribed; r is 0 there. Collective.
  void operator()(Field<Edge>& r, Field<Edge>& z) const;

  /// The same of scale() A in single precision, z = (scale A)^-1 r, nearly: for preconditioners that this is a part of.
  /// r and z are not one. Collective.
  void apply_scaled(const Field<Edge, float>& r, Field<Edge, float>& z) const;
  const SparseMatrix<Edge, Edge, float>& scaled_matrix() const;  ///< scale() A
  real scale() const;                                            ///< a power of two

  const MultigridShape& shape() const;  ///< of the levels on nodes
  double bytes_stored() const;          ///< by this rank, besides A, its pattern and those levels
  double bytes_per_call() const;        ///< that this rank reads and writes, as benchmarks count

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace solenoid
