#include "physics/flow/momentum/body_forces.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "base/vec3.hpp"
#include "field/assign.hpp"
#include "physics/flow/momentum/diagnostics.hpp"

namespace solenoid {

BodyForces::BodyForces(const LocalMesh& mesh, const std::vector<FlowZone>& zones, real time) : mesh_(mesh) {
  if (std::none_of(zones.begin(), zones.end(), [](const FlowZone& zone) { return zone.has_force(); })) return;
  zones_.emplace(mesh, zones, time);
  values_.emplace(mesh);
}

void BodyForces::set(Coefficient<Vec3> force, real time) {
  force_ = std::move(force);
  given_.emplace(mesh_);
  sample(time);
  if (!zones_) values_.emplace(mesh_);
  values_->copy_from(*given_);
}

void BodyForces::sample(real time) {
  mesh_.comm().guard([&] {
    const auto centres = std::span(mesh_.geometry().cell_centre).first(mesh_.owned<Cell>());
    const std::vector<Vec3> values = force_->at(centres, time);
    for (std::size_t c = 0; c < values.size(); ++c) {
      require_input(mesh_.dimension() == 3 || values[c].z == 0, [&] {
        return message("the body force has a z-component, {} m/s^2 at {}: a 2D flow has none", values[c].z,
                       text_of_place(centres[c], 2));
      });
    }
    given_->from_host(values);
  });
  time_ = time;
}

void BodyForces::subtract_from(Field<Cell, Vec3>& forcing, const ExpectedVelocity& velocity, real time) {
  if (!has_force()) return;
  if (force_ && force_->depends_on_time() && time != time_) sample(time);
  if (force_) {
    values_->copy_from(*given_);
  } else {
    *values_ = 0 * *values_;
  }
  if (zones_) zones_->add_to(*values_, velocity, time);
  forcing = forcing - *values_;
}

void BodyForces::subtract_buoyancy_from(Field<Face>& along_duals) const {
  if (buoyancy_) along_duals = along_duals - buoyancy_->along_duals();
}

real BodyForces::root_energy() const {
  real root = values_ ? std::sqrt(kinetic_energy(*values_)) : 0;
  if (buoyancy_) root += std::sqrt(kinetic_energy(buoyancy_->in_cells()));
  return root;
}

}  // namespace solenoid
