/// Harmonic fluxes in 2D: those of a stream function that jumps over periodic pairs.
#pragma once

#include <functional>
#include <vector>

#include "model/state_visitor.hpp"
#include "physics/flow/solenoidal/boundary_stream_function.hpp"
#include "solve/space.hpp"
#include "solve/sparse_matrix.hpp"

namespace solenoid {

/// Fluxes c_k with U = C s + sum_k J_k c_k, s having the jump J_k from a node to its copy beyond pair k. On a face c_k
/// is the difference of the turns of its ends: an integer; D c_k = 0. For a free jump c_k includes its effect on s
/// along the boundary, so that no flux passes there. The ways of BoundaryStreamFunction follow behind the pairs.
class HarmonicFluxes2d {
 public:
  /// Refers to `mesh`, which must outlive it. Collective.
  HarmonicFluxes2d(const LocalMesh& mesh, const BoundaryStreamFunction& boundary);

  std::size_t count() const { return fluxes_.size(); }

  /// U += sum_k J_k c_k.
  void add_fluxes(const std::vector<real>& jumps, Field<Face>& flux) const;
  /// circulation += sum_k J_k R M c_k at all nodes.
  void add_circulations(const std::vector<real>& jumps, Field<Edge>& circulation) const;
  /// c_k . x for every k. Collective.
  std::vector<real> products(const Field<Face>& x) const;

  const Field<Edge>& circulation(std::size_t pair) const { return circulations_[pair]; }  ///< R M c_k [1]
  real mass(std::size_t i, std::size_t j) const { return masses_[i * count() + j]; }      ///< c_i . M c_j

 private:
  std::vector<Field<Face>> fluxes_;
  std::vector<Field<Edge>> circulations_;
  std::vector<real> masses_;
};

/// Jumps that nothing fixes, as unknowns in addition to those of s. Eliminated from the system by one solve each,
/// repeated when the system changes.
class JumpUnknowns {
 public:
  /// Refers to all but `boundary`; they must outlive it.
  JumpUnknowns(const HarmonicFluxes2d& jumps, const BoundaryStreamFunction& boundary, const Space<Edge>& unknowns,
               const SparseMatrix<Edge>& laplacian, Field<Edge>& inverse_mass);

  bool empty() const { return pairs_.empty(); }

  /// Solves A x = b on the unknowns, b restricted to them; x on entry is the first guess.
  using Solve = std::function<void(const Field<Edge>& b, Field<Edge>& x)>;

  /// For the system A = alpha L + nu L W^-1 L, if it has changed. Collective; throws as `solve` does.
  void eliminate(real alpha, real viscosity, const Solve& solve);
  /// From x with A x = b to the solution with jumps, to which it adds those computed. `of_jumps`: right-hand sides of
  /// the jumps' own rows, for every pair. Collective.
  void complete(const Field<Edge>& b, const std::vector<real>& of_jumps, Field<Edge>& x,
                std::vector<real>& jumps) const;

  void visit_state(StateVisitor& visitor);  ///< see Model
  void state_restored() { alpha_ = 0; }

 private:
  const HarmonicFluxes2d& jumps_;
  const Space<Edge>& unknowns_;
  const SparseMatrix<Edge>& laplacian_;
  Field<Edge>& inverse_mass_;
  std::vector<std::size_t> pairs_;
  real alpha_ = 0, viscosity_ = -1;     // for which the following holds
  std::vector<Field<Edge>> responses_;  // y_k = A^-1 a_k, a_k the column of jump k
  std::vector<real> schur_;
};

}  // namespace solenoid
