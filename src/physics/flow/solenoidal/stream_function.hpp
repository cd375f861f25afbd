/// The stream function of divergence-free fluxes in 2D.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "model/state_visitor.hpp"
#include "physics/flow/solenoidal/boundary_stream_function.hpp"
#include "solve/linear_system.hpp"
#include "solve/sparse_matrix.hpp"

namespace solenoid {

/// s with U = C s + sum_k J_k c_k, from L s = R M U with L = R M C and the values of BoundaryStreamFunction. s has the
/// jump J_k from a node to its copy beyond pair k. On a face c_k is the difference of the turns of its ends: an
/// integer; D c_k = 0. For a free jump c_k includes its effect on s along the boundary, so that no flux passes there.
/// The ways of BoundaryStreamFunction follow behind the pairs.
class StreamFunction {
 public:
  /// Refers to `mesh`, which must outlive it. Collective.
  StreamFunction(const LocalMesh& mesh, const FlowBoundaries& boundaries, PreconditionerKind preconditioner,
                 const MemoryOf& = MemoryOf("stream function"));

  const BoundaryStreamFunction& boundary() const { return boundary_; }
  /// Sets the prescribed fluxes, see BoundaryStreamFunction::offsets, which says what it throws. Collective.
  void set(const std::vector<real>& fluxes, const RunningSums& running_sums, const EdgeIntegrals& circulations,
           const std::vector<real>& through_pairs);

  /// s on the boundary from the prescribed fluxes, 0 elsewhere; that is all of them if there are no jumps and ways.
  const Field<Edge>& offset() const { return offset_; }
  /// The same at both ends of each of mesh.boundary(): the second less the first is the flux along its own normal.
  const std::vector<std::array<real, 2>>& ends() const { return ends_; }
  bool has_jumps() const { return !given_jumps_.empty(); }

  /// L between the unknowns of s.
  struct Laplacian {
    Space<Edge> unknowns;
    SparseMatrix<Edge> matrix;
    LinearSystem<Edge> system;
    Laplacian(const LocalMesh& mesh, const std::vector<int>& roles, const MatrixRows& rows, PreconditionerKind kind)
        : unknowns(mesh, roles), matrix(rows), system(unknowns, rows, kind) {}
  };
  Laplacian& laplacian();  ///< Made in the first call. Collective.

  /// s [m^2/s] of the fluxes whose M U along the duals this is. Collective; throws as cg does.
  Field<Edge>& compute(Field<Face>& along_duals, const SolveControl& control);

  void visit_state(StateVisitor& visitor) { visitor.field("stream_function", potential_); }  ///< see Model

 private:
  /// The fluxes c_k, and jumps that nothing fixes: unknowns, eliminated by one solve each.
  struct Jumps {
    std::vector<Field<Face>> fluxes;          // c_k
    std::vector<Field<Edge>> along_boundary;  // s there, of each free one
    std::vector<Field<Edge>> circulations;    // R M c_k
    std::vector<real> masses;                 // c_i . M c_j, row by row
    std::vector<std::size_t> free;
    std::vector<Field<Edge>> responses;  // of each free one: L^-1 R M c_k
    std::vector<real> schur;             // its complement, row by row
  };
  Jumps& jumps(const SolveControl& control);

  const LocalMesh& mesh_;
  const PreconditionerKind preconditioner_;
  BoundaryStreamFunction boundary_;
  Field<Edge> offset_;             // s on the boundary from the prescribed fluxes
  std::vector<real> given_jumps_;  // from these too; 0 if they are not fixed
  std::vector<std::array<real, 2>> ends_;
  std::unique_ptr<Laplacian> laplacian_;
  std::optional<Jumps> jumps_;
  Field<Edge> potential_;  // s without offset_ and the free jumps' values along the boundary
  Field<Edge> right_side_, values_;
};

}  // namespace solenoid
