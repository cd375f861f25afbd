#include "physics/scalar_flow.hpp"

#include "base/error.hpp"

namespace solenoid {

ScalarFlow::ScalarFlow(const FlowSetup& flow, const std::vector<ScalarSetup>& scalars, const LocalMesh& mesh,
                       MeshPart wide)
    : pairs_(mesh) {
  auto moving = std::make_unique<FlowModel>(flow, mesh, std::move(wide));
  FlowModel& carrying = *moving;
  carrier_.emplace(pairs_, carrying.flow());
  add(std::move(moving));
  for (const ScalarSetup& scalar : scalars) {
    auto carried = std::make_unique<ScalarModel>(scalar, *flow.time, pairs_, *carrier_);
    if (Buoyancy* const buoyancy = carried->buoyancy()) carrying.set_buoyancy(*buoyancy);
    add(std::move(carried));
  }
}

void ScalarFlow::visit_state(StateVisitor& visitor) {
  CoupledModel::visit_state(visitor);
  carrier_->visit_state(visitor);
}

void ScalarFlow::state_restored() {
  CoupledModel::state_restored();
  carrier_->state_restored();
}

std::string ScalarFlowSetup::condition_on(const std::string& patch) const {
  std::string text = flow.condition_on(patch);
  for (const ScalarSetup& scalar : scalars) {
    const std::string condition = scalar.condition_on(patch);
    if (!condition.empty()) text += "; " + condition;
  }
  return text;
}

std::vector<QuantityInfo> ScalarFlowSetup::quantities() const {
  std::vector<QuantityInfo> all = flow.quantities();
  for (const ScalarSetup& scalar : scalars) {
    for (QuantityInfo& info : scalar.quantities()) all.push_back(std::move(info));
  }
  return all;
}

std::vector<std::string> ScalarFlowSetup::faults(const GlobalMesh& mesh, const Domain& domain) const {
  std::vector<std::string> faults = flow.faults(mesh, domain);
  for (const ScalarSetup& scalar : scalars) {
    if (mesh.dimension == 3 || !scalar.buoyancy || scalar.buoyancy->gravity.z == 0) continue;
    faults.push_back(message("{}: `gravity` in [temperature] has a z-component, {} m/s^2: a 2D flow has none", file,
                             scalar.buoyancy->gravity.z));
  }
  return faults;
}

std::unique_ptr<Model> ScalarFlowSetup::model(const LocalMesh& mesh, std::optional<MeshPart> wide) const {
  return std::make_unique<ScalarFlow>(flow, scalars, mesh, std::move(*wide));
}

std::unique_ptr<ModelSetup> ScalarFlowSetup::seen_in(const Frame& frame, int dimension) const {
  auto other = std::make_unique<ScalarFlowSetup>();
  const std::unique_ptr<ModelSetup> seen = flow.seen_in(frame, dimension);
  other->flow = static_cast<const FlowSetup&>(*seen);
  other->file = file;
  other->time = other->flow.time;
  for (const ScalarSetup& scalar : scalars) other->scalars.push_back(scalar.seen_in(frame));
  return other;
}

}  // namespace solenoid
