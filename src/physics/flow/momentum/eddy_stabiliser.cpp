#include "physics/flow/momentum/eddy_stabiliser.hpp"

#include <algorithm>
#include <utility>

#include "field/largest_later.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

EddyStabiliser::EddyStabiliser(const LocalMesh& mesh, const FaceAverageFriction& differences, const MemoryOf& /*scope*/)
    : mesh_(mesh), squared_width_(mesh) {
  const std::vector<real> conductance = differences.conductance_of_cells();
  std::vector<real> squares;
  for (int c = 0; c < mesh.owned<Cell>(); ++c) squares.push_back(mesh.geometry().cell_volume[c] / conductance[c]);
  squared_width_.from_host(squares);
}

void EddyStabiliser::update(const Field<Cell>& eddy_viscosity) {
  eddy_viscosity_ = &eddy_viscosity;
  const auto nu = eddy_viscosity.view(), square = std::as_const(squared_width_).view();
  count_owned(eddy_viscosity, squared_width_);
  fastest_ = begin_max(
      mesh_.owned<Cell>(), SOLENOID_KERNEL(int i) { return nu[Index<Cell>{i}] / square[Index<Cell>{i}]; });
}

real EddyStabiliser::viscosity(real dt, real factor) {
  const real share = 1 / (3 * factor * dt);
  if (!(2 * over(mesh_.comm(), fastest_) > share)) return 0;
  const auto nu = eddy_viscosity_->view(), square = std::as_const(squared_width_).view();
  return mesh_.comm().max(reduce_max(
      mesh_.owned<Cell>(), 0,
      SOLENOID_KERNEL(int i) { return 2 * nu[Index<Cell>{i}] - share * square[Index<Cell>{i}]; }));
}

}  // namespace solenoid
