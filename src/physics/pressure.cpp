#include "physics/pressure.hpp"

#include <algorithm>

#include "field/assign.hpp"
#include "field/integral.hpp"
#include "operators/two_point.hpp"

namespace solenoid {

namespace {

std::vector<real> open_conductance(const LocalMesh& mesh, const std::vector<char>& is_open) {
  std::vector<real> values = inner_conductance(mesh);
  for (int i = 0; i < mesh.boundary().size(); ++i) {
    const BoundaryFace& b = mesh.boundary()[i];
    if (b.is_owned && is_open[i]) values[b.face] = mesh.geometry().face_area[b.face] / mesh.dual_length()[b.face];
  }
  return values;
}

}  // namespace

PressureSystem::PressureSystem(const LocalMesh& mesh, const std::vector<char>& is_open,
                               PreconditionerKind preconditioner)
    : mesh_(mesh),
      conductance_(mesh, open_conductance(mesh, is_open)),
      has_open_(mesh.comm().sum(static_cast<std::int64_t>(std::count(is_open.begin(), is_open.end(), 1))) > 0),
      right_side_(mesh),
      space_(mesh, std::vector<int>(mesh.total<Cell>(), Space<Cell>::free)),
      system_(space_, two_point_laplacian(mesh, conductance_), preconditioner) {}

SolveReport PressureSystem::solve(const Field<Cell>& b, Field<Cell>& pressure, const SolveControl& control) {
  return system_.solve(b, pressure, control, past_);
}

SolveReport PressureSystem::recover(Field<Face>& residual, Field<Cell>& pressure, const SolveControl& control) {
  residual = conductance_ * residual;
  right_side_ = mesh_.D * halo(residual);
  const SolveReport report = solve(right_side_, pressure, control);
  if (!has_open_) remove_mean(pressure);
  return report;
}

void remove_mean(Field<Cell>& values) {
  const real average = mean(values.mesh(), values);
  const auto p = values.view();
  forall(
      values.owned(), SOLENOID_KERNEL(int i) { p[Index<Cell>{i}] -= average; });
}

}  // namespace solenoid
