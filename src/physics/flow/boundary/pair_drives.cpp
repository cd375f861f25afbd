#include "physics/flow/boundary/pair_drives.hpp"

namespace solenoid {

PairDrives::PairDrives(const LocalMesh& mesh, const FlowBoundaries& boundaries)
    : boundaries_(boundaries),
      faces_(FluxSurfaces::of_pairs(mesh)),
      fluxes_(faces_.count(), 0),
      drops_(faces_.count(), 0) {
  for (std::size_t k = 0; k < faces_.count(); ++k) {
    if (boundaries_.drive(static_cast<int>(k)).flux) driven_.push_back(k);
  }
}

void PairDrives::sample(real time) {
  for (std::size_t k = 0; k < faces_.count(); ++k) {
    const PairDrive& drive = boundaries_.drive(static_cast<int>(k));
    if (drive.flux) fluxes_[k] = drive.flux->at(Vec3{}, time);
    if (drive.drop) drops_[k] = drive.drop->at(Vec3{}, time);
  }
}

}  // namespace solenoid
