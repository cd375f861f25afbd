/// The implicit half of the exact fractional step in 2D: (alpha L + nu L W^-1 L) s = b for the potential s.
#pragma once

#include <memory>

#include "physics/state_visitor.hpp"
#include "solve/linear_system.hpp"
#include "solve/sparse_matrix.hpp"

namespace solenoid {

/// Solves with the matrix as a product of assembled ones: the inner index runs over every node, the walls' too.
///
/// With S = W^-1 L it is, up to rows at walls, L (alpha + nu S), and its inverse (alpha + nu S)^-1/2 L^-1
/// (alpha + nu S^T)^-1/2, since S L^-1 = L^-1 S^T. The preconditioner is that with a cycle of multigrid for L^-1 and a
/// polynomial for the root: symmetric, positive definite, and made once for steps of any length.
class ImplicitMomentum {
 public:
  /// L as rows, on the device, and as a system, whose preconditioner decides on this one's: multigrid, or the diagonal;
  /// W at the owned nodes, and W^-1, which is 0 where there is no vorticity. All but `rows` and `lumped_mass` outlive
  /// this. Collective.
  ImplicitMomentum(const Space<Edge>& unknowns, const MatrixRows& rows, const SparseMatrix<Edge>& laplacian,
                   LinearSystem<Edge>& potential_system, const Field<Edge>& lumped_mass, Field<Edge>& inverse_mass);
  ~ImplicitMomentum();

  /// alpha [1/s], viscosity nu [m^2/s]; b restricted to unknowns. The first guess is made of the last solutions; it is
  /// s on entry where there is none. Collective; throws as cg does.
  SolveReport solve(real alpha, real viscosity, const Field<Edge>& b, Field<Edge>& s, const SolveControl& control);

  /// The same from s on entry alone, and later solves know nothing of it.
  SolveReport solve_apart(real alpha, real viscosity, const Field<Edge>& b, Field<Edge>& s,
                          const SolveControl& control);

  void reserve();  ///< Takes all the memory that solve() does. Collective.

  void visit_state(StateVisitor& visitor);  ///< see Model
  void state_restored();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace solenoid
