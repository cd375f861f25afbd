/// Restart of a flow from the state of another run, and the check of the fluxes through its boundary.
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/vec3.hpp"
#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "model/frame.hpp"
#include "physics/flow/step/flow_step.hpp"
#include "solve/tolerances.hpp"

namespace solenoid {

/// Fluxes that are other than they are given.
struct FlowStep::StrangeFluxes {
  real share = 0;              // of all that flows
  real found = 0, wanted = 0;  // where they differ most
  Vec3 place;                  // there, of a face; of none where a pair is meant
  std::optional<std::size_t> pair = {};
  std::optional<int> outlet = {};  // place of the patch
};

void FlowStep::go_on(bool is_complete) {
  pressure_system_.state_restored();
  require_on_all_ranks(
      has_flux_, [] { return "the state to go on from has no fluxes: it is not one of a flow in this space"; },
      ExitCode::bad_input);
  if (history_.span == 0) history_.span = dt_;  // from a program that kept no more
  convection_.state_restored();
  set_boundary(time_);
  if (is_complete && has_flux_old_ && !friction_.lacks_vorticity() &&
      find_strange_fluxes().share <= tolerance::of_restored_fluxes) {
    const bool begins_anew = mesh_.dimension() == 2 && friction_.has_vorticity();
    update_flow(begins_anew ? Friction::Vorticity::anew : Friction::Vorticity::kept);
    wall_stress_.set(state_.velocity);
    if (frame_) frame_->set(state_.velocity);
    return convection_.renew(state_, friction_.circulation());
  }
  dt_ = 0;
  friction_.forget_steps();
  history_ = {};
  is_left_out_ = false;
  Field<Face> flux(mesh_);
  flux.copy_from(state_.flux);
  project(flux);
  convection_.renew(state_, friction_.circulation());
}

FlowStep::StrangeFluxes FlowStep::find_strange_fluxes() {
  const Comm& comm = mesh_.comm();
  Field<Face> given(mesh_);
  given_.impose(given);
  const std::vector<real> wanted = given.to_host(), found = state_.flux.to_host();
  StrangeFluxes strange;
  real largest = 0;
  std::vector<PartialSum> parts(2);  // what is other than given; all that crosses
  for (const BoundaryFace& b : mesh_.boundary()) {
    if (!b.is_owned) continue;
    const real apart = boundaries_.outlet(b.patch) ? 0 : std::abs(found[b.face] - wanted[b.face]);
    parts[0] += apart;
    parts[1] += std::abs(found[b.face]);
    if (apart <= largest) continue;
    largest = apart;
    strange = {0, found[b.face], wanted[b.face], mesh_.geometry().face_centre[b.face]};
  }
  std::vector<real> sums = totals(comm, parts);
  const Vec3 values = comm.of_least(-largest, {strange.found, strange.wanted, 0});
  strange = {0, values.x, values.y, comm.of_least(-largest, strange.place)};
  largest = comm.max(largest);

  const real left = tolerance_of_pairs_;
  const std::vector<real> through = through_pairs();
  for (const std::size_t k : pairs_.driven()) {
    const real size = std::max(std::abs(through[k]), std::abs(pairs_.fluxes()[k]));
    const real apart = std::max(std::abs(through[k] - pairs_.fluxes()[k]) - left * size, real{0});
    sums[0] += apart;
    sums[1] += size;
    if (apart <= largest) continue;
    largest = apart;
    strange = {0, through[k], pairs_.fluxes()[k], {}, k};
  }
  const std::vector<real> leaving = outlets_.faces().sum(state_.flux);
  const std::vector<std::optional<real>> given_at_outlets = outlets_.given_fluxes();
  for (std::size_t k = 0; k < leaving.size(); ++k) {
    if (!given_at_outlets[k]) continue;
    const real at_outlet = *given_at_outlets[k], size = std::max(std::abs(leaving[k]), std::abs(at_outlet));
    const real apart = std::max(std::abs(leaving[k] - at_outlet) - left * size, real{0});
    sums[0] += apart;
    sums[1] += size;
    if (apart <= largest) continue;
    largest = apart;
    strange = {0, leaving[k], at_outlet, {}, {}, outlets_.patches()[k]};
  }
  // What is rounded is of the size of all that flows between two walls.
  const real across = std::pow(static_cast<real>(mesh_.global_count<Cell>()), real{1} / mesh_.dimension());
  if (!(sums[0] <= 0)) strange.share = sums[0] / (sums[1] + across * max_magnitude(state_.flux));
  return strange;
}

void FlowStep::require_given_fluxes() {
  const StrangeFluxes strange = find_strange_fluxes();
  require_on_all_ranks(strange.share <= tolerance::of_written_fluxes, [&] {
    const char* const unit = unit_of_flux(mesh_.dimension());
    const std::string where = strange.outlet ? "the outlet `" + mesh_.part().patches[*strange.outlet] + "`"
                              : strange.pair
                                  ? message("the periodic pair \"{}\", \"{}\"", mesh_.part().pairs[*strange.pair].first,
                                            mesh_.part().pairs[*strange.pair].second)
                                  : "the face at " + text_of_place(strange.place, mesh_.dimension());
    return message(
        "at t = {:.6g} s the boundary is crossed otherwise than it says, by {:.2g} of all that flows; most through {}: "
        "{:.6g} {}, given is {:.6g}. The results are not those of this case: begin anew, and please report it",
        time_, strange.share, where, strange.found, unit, strange.wanted);
  });
}

}  // namespace solenoid
