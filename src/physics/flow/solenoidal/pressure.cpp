#include "physics/flow/solenoidal/pressure.hpp"

#include "field/assign.hpp"
#include "operators/finite_volumes.hpp"

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
                               PreconditionerKind preconditioner, const MemoryOf& /*scope*/)
    : mesh_(mesh),
      is_open_(is_open),
      preconditioner_(preconditioner),
      conductance_(mesh, open_conductance(mesh, is_open)),
      closed_parts_(mesh, is_open),
      right_side_(mesh),
      space_(mesh, std::vector<int>(mesh.total<Cell>(), Space<Cell>::free)),
      system_(std::in_place, space_, two_point_laplacian(mesh, conductance_), preconditioner) {}

void PressureSystem::weigh(const Field<Face>& weights) {
  conductance_.from_host(open_conductance(mesh_, is_open_));
  conductance_ = weights * conductance_;
  system_.emplace(space_, two_point_laplacian(mesh_, conductance_), preconditioner_);
  system_->renew_images(past_);
}

SolveReport PressureSystem::solve(const Field<Cell>& b, Field<Cell>& pressure, const SolveControl& control) {
  return system_->solve(b, pressure, control, past_);
}

SolveReport PressureSystem::recover(Field<Face>& residual, Field<Cell>& pressure, const SolveControl& control) {
  residual = conductance_ * residual;
  right_side_ = mesh_.D * halo(residual);
  const SolveReport report = solve(right_side_, pressure, control);
  closed_parts_.remove_means(pressure);
  return report;
}

}  // namespace solenoid
