/// The linear system of a scalar's step: (mass M + stiffness (K + H)) x = b at nodes without prescribed value.
#pragma once

#include <memory>

#include "model/state_visitor.hpp"
#include "physics/scalar/scalar_matrices.hpp"
#include "solve/solve_control.hpp"

namespace solenoid {

/// Matrix-free: a new step length needs no assembly. Preconditioned by the diagonal, or, if the off-diagonal part
/// prevails, by multigrid for the lumped-mass matrix, which is rebuilt if the step length changes much.
class ScalarSystem {
 public:
  /// All outlive the system. Collective.
  ScalarSystem(const Space<Node>& unknowns, const ScalarMatrices& matrices, const DiffusionData& data);
  ~ScalarSystem();

  /// Solves at the unknowns; prescribed values of x stay unchanged, and b must include their contribution. The first
  /// guess combines the last solutions. Collective; throws as cg does.
  SolveReport solve(real mass, real stiffness, const Field<Node>& b, Field<Node>& x, const SolveControl& control);

  /// Allocates all memory of solve() for such factors. Collective.
  void reserve(real mass, real stiffness, PreconditionerKind wanted);
  void renew_images();    ///< after a change of the matrices. Collective.
  void renew_unknowns();  ///< after a change of the space, or of the whole state. Collective.

  void record_setup(const SolveControl& control);  ///< Enters the set-ups since the last call into the control's log.

  void visit_state(const std::string& name, StateVisitor& visitor);  ///< see Model; then renew_unknowns()

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace solenoid
