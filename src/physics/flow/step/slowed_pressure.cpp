#include "physics/flow/step/slowed_pressure.hpp"

#include "field/inner_product.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

namespace {

/// Whether a weight has left the range of the one that was known.
SOLENOID_HD bool has_left(real weight, real known) {
  constexpr real least = 0.91, most = 2;
  return !(weight >= least * known && weight <= most * known);
}

/// Collective.
bool any_has_left(const Field<Cell>& now, const Field<Cell>& built) {
  const auto weight = now.view(), known = built.view();
  count_owned(now, built);
  return built.mesh().comm().max(reduce_max(
             built.owned(), 0, SOLENOID_KERNEL(int i) {
               const Index<Cell> c{i};
               return has_left(weight[c], known[c]) ? real{1} : real{0};
             })) > 0;
}

/// Of faces, the volumes of their cells over those times their weights.
void compute_weights_of_faces(Exchanged<Cell> weights, Field<Face>& of_faces) {
  const LocalMesh& mesh = of_faces.mesh();
  const auto cells = mesh.G.view();
  const auto weight = weights.view();
  const auto V = mesh.cell_volume();
  const auto result = of_faces.view();
  count_gathered(weights.field());
  count_owned(of_faces);
  forall(
      mesh.owned<Face>(), SOLENOID_KERNEL(int i) {
        const Index<Face> f{i};
        real volume = 0, slowed = 0;
        for (const auto [c, sign, slot] : cells[f]) volume += V[c], slowed += V[c] * weight[c];
        result[f] = volume / slowed;
      });
}

}  // namespace

SlowedPressure::SlowedPressure(const LocalMesh& mesh, const std::vector<char>& is_open, const PairDrives& pairs,
                               const OutletPressures& outlets, const SolveControl& control, const FluxDrag& drag)
    : pairs_(pairs),
      outlets_(outlets),
      control_(control),
      drag_(drag),
      system_(mesh, is_open, control.preconditioner),
      weight_(mesh),
      built_(mesh),
      of_faces_(mesh) {}

void SlowedPressure::renew(real alpha, real implicit) {
  drag_.compute_least_weight(implicit / alpha, weight_);
  if (!any_has_left(weight_, built_)) return;
  built_.copy_from(weight_);
  build();
}

/// A dual's part in a cell is V / A over d + 1, times d.
void SlowedPressure::build() {
  compute_weights_of_faces(halo(built_), of_faces_);
  system_.weigh(of_faces_);
  driving_.reset();
}

const DrivingPressures& SlowedPressure::driving() {
  if (!driving_) driving_.emplace(system_, pairs_, outlets_, control_);
  return *driving_;
}

void SlowedPressure::visit_state(StateVisitor& visitor) {
  visitor.field("weight_of_pressure", built_);
  system_.visit_state(visitor, "past_slowed_pressure");
}

void SlowedPressure::state_restored() {
  if (max_magnitude(built_) > 0) build();
}

}  // namespace solenoid
