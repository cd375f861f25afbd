#include "physics/pressure.hpp"

#include "field/assign.hpp"
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
  const SolveReport report = system_.solve(right_side_, pressure, control);
  remove_mean(pressure);
  return report;
}

void remove_mean(Field<Cell>& values) {
  const LocalMesh& mesh = values.mesh();
  const auto V = mesh.cell_volume();
  const auto p = values.view();
  const Sums<2> sums = reduce_sums<2>(
      mesh.owned<Cell>(), SOLENOID_KERNEL(int i) {
        const Index<Cell> c{i};
        return Sums<2>{{V[c] * p[c], V[c]}};
      });
  const real mean = mesh.comm().sum(sums[0]) / mesh.comm().sum(sums[1]);
  forall(
      mesh.owned<Cell>(), SOLENOID_KERNEL(int i) { p[Index<Cell>{i}] -= mean; });
}

}  // namespace solenoid
