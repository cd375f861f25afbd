#include "physics/stream_function.hpp"

#include "field/assign.hpp"
#include "operators/p1.hpp"

namespace solenoid {

StreamFunction::StreamFunction(const LocalMesh& mesh, const BoundaryPotential& boundary,
                               PreconditionerKind preconditioner)
    : StreamFunction(mesh, boundary, preconditioner, p1_stiffness(mesh)) {}

StreamFunction::StreamFunction(const LocalMesh& mesh, const BoundaryPotential& boundary,
                               PreconditionerKind preconditioner, const MatrixRows& laplacian)
    : unknowns_(mesh, boundary.roles()),
      laplacian_(laplacian),
      system_(unknowns_, laplacian, preconditioner),
      right_side_(mesh) {}

SolveReport StreamFunction::find(const Field<Edge>& circulation, Field<Edge>& offset, Field<Edge>& potential,
                                 const SolveControl& control) {
  right_side_ = circulation - laplacian_ * halo(offset);
  unknowns_.restrict_to_unknowns(right_side_);
  potential = potential - offset;
  unknowns_.set_prescribed(potential, 0);
  const SolveReport report = system_.solve(right_side_, potential, control);
  potential = potential + offset;
  return report;
}

}  // namespace solenoid
