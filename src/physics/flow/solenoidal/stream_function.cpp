#include "physics/flow/solenoidal/stream_function.hpp"

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "operators/p1.hpp"
#include "solve/bring_in.hpp"

namespace solenoid {

StreamFunction::StreamFunction(const LocalMesh& mesh, const BoundaryStreamFunction& boundary,
                               const HarmonicFluxes2d& jumps, Field<Edge>& inverse_mass,
                               PreconditionerKind preconditioner)
    : StreamFunction(mesh, boundary, jumps, inverse_mass, preconditioner, p1_stiffness(mesh)) {}

StreamFunction::StreamFunction(const LocalMesh& mesh, const BoundaryStreamFunction& boundary,
                               const HarmonicFluxes2d& jumps, Field<Edge>& inverse_mass,
                               PreconditionerKind preconditioner, const MatrixRows& laplacian)
    : jumps_(jumps),
      unknowns_(mesh, boundary.roles()),
      laplacian_(laplacian),
      system_(unknowns_, laplacian, preconditioner),
      free_jumps_(jumps, boundary, unknowns_, laplacian_, inverse_mass),
      right_side_(mesh) {}

SolveReport StreamFunction::compute(const Field<Edge>& circulation, std::vector<real> of_jumps, Field<Edge>& offset,
                                    const std::vector<real>& given_jumps, Field<Edge>& potential,
                                    const SolveControl& control) {
  right_side_ = circulation - laplacian_ * halo(offset);
  std::vector<real> jumps = given_jumps;
  for (real& jump : jumps) jump = -jump;
  jumps_.add_circulations(jumps, right_side_);
  unknowns_.restrict_to_unknowns(right_side_);
  for (std::size_t k = 0; k < of_jumps.size(); ++k) {
    of_jumps[k] -= dot(jumps_.circulation(k), offset);
    for (std::size_t j = 0; j < jumps.size(); ++j) of_jumps[k] += jumps_.mass(k, j) * jumps[j];
  }
  free_jumps_.eliminate(1, 0, [&](const Field<Edge>& b, Field<Edge>& x) { system_.solve(b, x, control); });

  potential = potential - offset;
  unknowns_.set_prescribed(potential, 0);
  bring_in(unknowns_, potential);  // a restored state may belong to another boundary
  const SolveReport report = system_.solve(right_side_, potential, control);
  free_jumps_.complete(right_side_, of_jumps, potential, jumps);
  potential = potential + offset;
  return report;
}

}  // namespace solenoid
