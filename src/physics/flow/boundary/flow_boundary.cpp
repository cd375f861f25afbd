#include "physics/flow/boundary/flow_boundary.hpp"

namespace solenoid {

const Coefficient<Vec3>* given_velocity(const FlowBoundary& condition) {
  if (const auto* wall = std::get_if<Wall>(&condition)) return &wall->velocity;
  if (const auto* inlet = std::get_if<Inlet>(&condition)) return &inlet->velocity;
  if (const auto* farfield = std::get_if<Farfield>(&condition)) return &farfield->velocity;
  return nullptr;
}

FlowBoundaries FlowBoundaries::with_scaled_inlets() const {
  FlowBoundaries scaled = *this;
  scaled.scaling_ = std::make_shared<Scaling>();
  scaled.scaling_->enters.resize(of_patch_.size(), 0);
  for (std::size_t p = 0; p < of_patch_.size(); ++p) {
    auto* const inlet = std::get_if<Inlet>(&scaled.of_patch_[p]);
    if (!inlet) continue;
    inlet->velocity = Coefficient<Vec3>(
        [given = inlet->velocity, scaling = scaled.scaling_, p](std::span<const Vec3> points, real time,
                                                                std::span<Vec3> values) {
          given.evaluate(points, time, values);
          if (!scaling->enters[p]) return;
          for (Vec3& value : values) value *= scaling->factor;
        },
        inlet->velocity.depends(), inlet->velocity.text());
  }
  return scaled;
}

void FlowBoundaries::scale_inlets(real factor, const std::vector<char>& enters) const {
  scaling_->factor = factor;
  for (std::size_t p = 0; p < scaling_->enters.size(); ++p) scaling_->enters[p] = enters[p];
}

const Coefficient<Vec3>* FlowBoundaries::velocity(int patch) const { return given_velocity(on(patch)); }

const Coefficient<Vec3>* FlowBoundaries::no_slip_velocity(int patch) const {
  return is_without_vorticity(patch) ? nullptr : velocity(patch);
}

bool FlowBoundaries::velocity_depends_on_time() const {
  return std::any_of(of_pair_.begin(), of_pair_.end(),
                     [](const PairDrive& drive) { return drive.flux && drive.flux->depends_on_time(); }) ||
         std::any_of(of_patch_.begin(), of_patch_.end(), [](const FlowBoundary& condition) {
           const Coefficient<Vec3>* const velocity = given_velocity(condition);
           return velocity && velocity->depends_on_time();
         });
}

bool FlowBoundaries::depends_on_time() const {
  return velocity_depends_on_time() ||
         std::any_of(of_pair_.begin(), of_pair_.end(),
                     [](const PairDrive& drive) { return drive.drop && drive.drop->depends_on_time(); }) ||
         std::any_of(of_patch_.begin(), of_patch_.end(), [](const FlowBoundary& condition) {
           const auto* const outlet = std::get_if<Outlet>(&condition);
           return outlet && outlet->pressure.depends_on_time();
         });
}

}  // namespace solenoid
