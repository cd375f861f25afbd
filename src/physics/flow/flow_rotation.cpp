/// Frames that turn, of the flow or of zones: the steps that their Coriolis forces allow, and the torque on what turns
/// with them.
#include <algorithm>

#include "base/error.hpp"
#include "base/vec3.hpp"
#include "model/frame.hpp"
#include "model/patch_integral.hpp"
#include "physics/flow/flow_model.hpp"

namespace solenoid {

namespace {

/// Patches of walls at rest in the frame, or that turn with a zone of `frame`.
std::vector<int> patches_that_turn(const FlowBoundaries& boundaries, const LocalMesh& mesh) {
  std::vector<int> patches;
  for (int p = 0; p < static_cast<int>(mesh.part().patches.size()); ++p) {
    const Coefficient<Vec3>* const velocity = boundaries.velocity(p);
    const bool is_at_rest = boundaries.is_wall(p) && velocity->constant() && norm(*velocity->constant()) == 0;
    if (is_at_rest || boundaries.wall_law(p)) patches.push_back(p);
  }
  return patches;
}

/// Of a zone, whose walls turn in it.
std::vector<int> patches_that_turn(const FlowBoundaries& boundaries, const LocalMesh& mesh, const FlowZone& zone) {
  const MeshPart& part = mesh.part();
  const std::vector<char> marks =
      cells_of(zone, {mesh.dimension(), mesh.geometry().cell_centre, part.cell_region, part.regions});
  std::vector<std::int64_t> is_there(part.patches.size(), 0);
  for (const BoundaryFace& b : mesh.boundary()) {
    if (b.is_owned && marks[b.cell] && boundaries.turns(b.patch)) is_there[b.patch] = 1;
  }
  mesh.comm().sum(std::span(is_there));
  std::vector<int> patches;
  for (std::size_t p = 0; p < is_there.size(); ++p) {
    if (is_there[p]) patches.push_back(static_cast<int>(p));
  }
  return patches;
}

}  // namespace

real FlowSetup::rate_of_frame(int dimension) const {
  // 2 Omega dt: waves without friction then lose .2 % a step, beside convection of third order they grow by .7 %
  // (docs/numerics.md)
  constexpr real largest_turn = 0.3;
  const bool are_all_walls = std::all_of(boundary.begin(), boundary.end(), [](const auto& of_patch) {
    return std::holds_alternative<Wall>(of_patch.second);
  });
  const bool is_pressure = dimension == 2 && are_all_walls && periodic.empty();
  real fastest = settings.frame && !is_pressure ? norm(settings.frame->rate) : 0;
  for (const FlowZone& zone : settings.zones)
    fastest = std::max(fastest, zone.rotating ? norm(zone.rotating->rate) : 0);
  return 2 * fastest / largest_turn;
}

real FlowModel::rate_of_frame() const { return setup_.rate_of_frame(mesh_.dimension()); }

/// After a step.
void FlowModel::note_frame() {
  if (rate_of_frame() == 0) return;
  rate_ = std::max(rate_, rate_of_frame());
  largest_turn_ = std::max(largest_turn_, flow_->last_dt() * rate_of_frame());
}

/// Adds torques, if the pressure has been computed for the present step. Collective.
void FlowModel::tell_frame(ModelOutcome& outcome) {
  if (largest_turn_ > 1) {
    outcome.warnings.push_back(
        message("steps were up to {:.3g} times as long as the Coriolis force allows, which is {:.4g} s: inertial waves "
                "are damped by them, or grow; take smaller ones (cfl or step in [time])",
                largest_turn_, 1 / rate_of_frame()));
  }
  if (step_of_pressure_ != step_ || flow_->last_dt() == 0) return;
  using Figures = std::vector<std::pair<std::string, double>>;
  const auto tell = [&](const RotatingFrame& frame, const std::vector<int>& patches, const std::string& name) {
    if (patches.empty()) return Figures();
    const PatchIntegral rotor(mesh_, patches);
    Tractions& tractions = flow_->balance().tractions();
    const Vec3 moment =
        rotor.moment_of(tractions.pressure, frame.point) + rotor.moment_of(tractions.friction, frame.point);
    const real power = -dot(frame.rate, moment), turning = norm(frame.rate);
    const real torque = turning > 0 ? dot(frame.rate, moment) / turning : 0;
    outcome.lines.push_back(
        message("  rotor    torque of the fluid on walls that turn with {} {:.6g} {}; they give it "
                "{:.6g} {}",
                name, torque, unit_of_energy(mesh_.dimension()), power, unit_of_power(mesh_.dimension())));
    return Figures{{"torque", torque}, {"power", power}};
  };
  if (const auto& frame = setup_.settings.frame) {
    for (const auto& [name, value] : tell(*frame, patches_that_turn(flow_->boundaries(), mesh_), "the frame")) {
      outcome.figures.push_back({"rotating_frame", name, value});
    }
  }
  for (const FlowZone& zone : setup_.settings.zones) {
    if (!zone.rotating) continue;
    const Figures found = tell(*zone.rotating, patches_that_turn(flow_->boundaries(), mesh_, zone), zone.name);
    if (!found.empty()) outcome.figures.push_back({"rotors", zone.name, found});
  }
}

}  // namespace solenoid
