/// A frame that turns: the steps that its Coriolis force allows, and the torque on what turns with it.
#include <algorithm>

#include "base/error.hpp"
#include "base/vec3.hpp"
#include "model/frame.hpp"
#include "model/patch_integral.hpp"
#include "physics/flow/flow_model.hpp"

namespace solenoid {

namespace {

/// Patches of walls at rest in the frame.
std::vector<int> patches_that_turn(const FlowBoundaries& boundaries, const LocalMesh& mesh) {
  std::vector<int> patches;
  for (int p = 0; p < static_cast<int>(mesh.part().patches.size()); ++p) {
    const Coefficient<Vec3>* const velocity = boundaries.velocity(p);
    const bool is_at_rest = boundaries.is_wall(p) && velocity->constant() && norm(*velocity->constant()) == 0;
    if (is_at_rest || boundaries.wall_law(p)) patches.push_back(p);
  }
  return patches;
}

}  // namespace

real FlowSetup::rate_of_frame(int dimension) const {
  constexpr real largest_turn = 0.3;  // 2 Omega dt: waves without friction then grow by .7 % a step (docs/numerics.md)
  const bool are_all_walls = std::all_of(boundary.begin(), boundary.end(), [](const auto& of_patch) {
    return std::holds_alternative<Wall>(of_patch.second);
  });
  const bool is_pressure = dimension == 2 && are_all_walls && periodic.empty();
  return settings.frame && !is_pressure ? 2 * norm(settings.frame->rate) / largest_turn : 0;
}

real FlowModel::rate_of_frame() const { return setup_.rate_of_frame(mesh_.dimension()); }

/// After a step.
void FlowModel::note_frame() {
  if (!setup_.settings.frame) return;
  rate_ = std::max(rate_, rate_of_frame());
  largest_turn_ = std::max(largest_turn_, flow_->last_dt() * rate_of_frame());
}

/// Adds the torque, if the pressure has been computed for the present step. Collective.
void FlowModel::tell_frame(ModelOutcome& outcome) {
  const auto& frame = setup_.settings.frame;
  if (!frame) return;
  if (largest_turn_ > 1) {
    outcome.warnings.push_back(
        message("steps were up to {:.3g} times as long as the Coriolis force allows, which is {:.4g} s: inertial waves "
                "may grow; take smaller ones (cfl or step in [time])",
                largest_turn_, 1 / rate_of_frame()));
  }
  const std::vector<int> patches = patches_that_turn(flow_->boundaries(), mesh_);
  if (patches.empty() || step_of_pressure_ != step_ || flow_->last_dt() == 0) return;
  const PatchIntegral rotor(mesh_, patches);
  Tractions& tractions = flow_->balance().tractions();
  const Vec3 moment =
      rotor.moment_of(tractions.pressure, frame->point) + rotor.moment_of(tractions.friction, frame->point);
  const real power = -dot(frame->rate, moment), turning = norm(frame->rate);
  const real torque = turning > 0 ? dot(frame->rate, moment) / turning : 0;
  outcome.figures.push_back({"rotating_frame", "torque", torque});
  outcome.figures.push_back({"rotating_frame", "power", power});
  outcome.lines.push_back(
      message("  rotor    torque of the fluid on walls that turn with the frame {:.6g} {}; they give "
              "it {:.6g} {}",
              torque, unit_of_energy(mesh_.dimension()), power, unit_of_power(mesh_.dimension())));
}

}  // namespace solenoid
