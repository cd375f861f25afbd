/// The linear system of a scalar's step: (mass M + stiffness (K + H)) x = b at nodes without prescribed value.
#pragma once

#include <memory>

#include "model/state_visitor.hpp"
#include "physics/scalar/scalar_matrices.hpp"

namespace solenoid {

/// The matrix is not assembled: steps of any length take it as it is. Preconditioned by its diagonal, or, where
/// differences prevail, by multigrid for lumped masses, which is made anew where the step's length has changed much.
class ScalarSystem {
 public:
  /// All outlive the system. Collective.
  ScalarSystem(const Space<Node>& unknowns, const ScalarMatrices& matrices, const DiffusionData& data);
  ~ScalarSystem();

  /// b and x at unknowns; what is prescribed of x is left as it is, its share belongs into b. The first guess is made
  /// of the last solutions. Collective; throws as cg does.
  SolveReport solve(real mass, real stiffness, const Field<Node>& b, Field<Node>& x, const SolveControl& control);

  /// Takes all the memory that solve() does with such factors. Collective.
  void reserve(real mass, real stiffness, PreconditionerKind wanted);
  void renew_images();    ///< after a change of the matrices. Collective.
  void renew_unknowns();  ///< after a change of the space, or of all of the state. Collective.

  double setup_seconds() const;
  const MultigridShape* shape() const;  ///< of multigrid, where that is the preconditioner

  void visit_state(const std::string& name, StateVisitor& visitor);  ///< see Model; then renew_unknowns()

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace solenoid
