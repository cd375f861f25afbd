/// Hiptmair-Xu preconditioner of the curl-curl matrix on edges of tetrahedra, through nodal spaces.
#pragma once

#include <memory>

#include "operators/matrix_rows.hpp"
#include "solve/multigrid/shape.hpp"
#include "solve/space.hpp"
#include "solve/sparse_matrix.hpp"

namespace solenoid {

/// Smoothing steps of HiptmairXu on edges before and after the nodal correction. Two steps need the fewest iterations;
/// one takes the least time if another part of the preconditioner limits the iterations anyway.
enum class EdgeSmoothing { one_step, two_steps };

/// An approximate inverse of A = R M C in 3D off its null space, symmetric and positive definite. Hiptmair & Xu 2007:
/// an edge's value is a gradient, the line integral of a smooth vector that is linear between nodes, or a part that a
/// smoother reduces. Chebyshev steps come before and after B = sum_k Pi_k V Pi_k^T, with Pi the line integrals of nodal
/// vectors (EdgeEnds), k their component, and V one multigrid cycle for the P1 stiffness on nodes, shared by all
/// components. V does not use the action of A on nodal vectors: wherever B is too large or too small, the whole stays
/// definite, because the smoother alone is. Gradients are omitted: a residual that is a rotation contains none, and A
/// maps gradients in the result to zero (Kolev & Vassilevski 2009).
///
/// All parts except the transfers to the nodes and back are in single precision. The same bits on any number of ranks,
/// because each sum is in the order of global ids.
class HiptmairXu {
 public:
  static constexpr bool is_in_single_precision = true;

  /// For the free edges of `space`, which has no tied groups; nodes at the ends of prescribed edges have the vector 0.
  /// A as `rows` and on the device. `space` outlives this. Collective; throws in 2D, where edges are nodes and
  /// multigrid serves.
  HiptmairXu(const Space<Edge>& space, const MatrixRows& rows, const SparseMatrix<Edge>& matrix,
             EdgeSmoothing smoothing = EdgeSmoothing::two_steps, const MemoryOf& = MemoryOf("preconditioner"));
  /// Of A with a weight of cells, whose mean over directions this is per local cell.
  HiptmairXu(const Space<Edge>& space, const MatrixRows& rows, const SparseMatrix<Edge>& matrix,
             EdgeSmoothing smoothing, const std::vector<real>& weight, const MemoryOf& = MemoryOf("preconditioner"));
  ~HiptmairXu();
  HiptmairXu(HiptmairXu&&) noexcept;

  /// z = P r at the owned edges, 0 where prescribed; r is 0 there. Collective.
  void operator()(Field<Edge>& r, Field<Edge>& z) const;

  /// The same for scale() A in single precision, z = approximately (scale A)^-1 r, as a part of other preconditioners.
  /// r and z are different fields. Collective.
  void apply_scaled(const Field<Edge, float>& r, Field<Edge, float>& z) const;
  const SparseMatrix<Edge, Edge, float>& scaled_matrix() const;  ///< scale() A
  real scale() const;                                            ///< a power of two

  const MultigridShape& shape() const;  ///< of the levels on nodes
  double bytes_stored() const;          ///< by this rank, in addition to A, its pattern and those levels
  double bytes_per_call() const;        ///< read and written by this rank, as counted in benchmarks

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace solenoid
