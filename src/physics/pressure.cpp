#include "physics/pressure.hpp"

#include "field/assign.hpp"
#include "field/integral.hpp"
#include "operators/two_point.hpp"

namespace solenoid {

PressureRecovery::PressureRecovery(const LocalMesh& mesh, PreconditionerKind preconditioner)
    : mesh_(mesh),
      conductance_(mesh, inner_conductance(mesh)),
      right_side_(mesh),
      space_(mesh, std::vector<int>(mesh.total<Cell>(), Space<Cell>::free)),
      system_(space_, two_point_laplacian(mesh, conductance_), preconditioner) {}

SolveReport PressureRecovery::solve(Field<Face>& residual, Field<Cell>& pressure, const SolveControl& control) {
  residual = conductance_ * residual;
  right_side_ = mesh_.D * halo(residual);
  const SolveReport report = system_.solve(right_side_, pressure, control, past_);
  remove_mean(pressure);
  return report;
}

void remove_mean(Field<Cell>& values) {
  const real average = mean(values.mesh(), values);
  const auto p = values.view();
  forall(
      values.owned(), SOLENOID_KERNEL(int i) { p[Index<Cell>{i}] -= average; });
}

}  // namespace solenoid
