#include "physics/flow/momentum/body_forces.hpp"

#include <cmath>
#include <span>
#include <utility>

#include "base/vec3.hpp"
#include "field/assign.hpp"
#include "physics/flow/momentum/diagnostics.hpp"

namespace solenoid {

void BodyForces::set(Coefficient<Vec3> force, real time) {
  force_ = std::move(force);
  values_.emplace(mesh_);
  sample(time);
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
    values_->from_host(values);
  });
  time_ = time;
}

void BodyForces::subtract_from(Field<Cell, Vec3>& forcing, real time) {
  if (!force_) return;
  if (force_->depends_on_time() && time != time_) sample(time);
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
