/// A flow and what it carries along, as one model.
#pragma once

#include "physics/coupled_model.hpp"
#include "physics/flow_model.hpp"
#include "physics/scalar_model.hpp"

namespace solenoid {

/// In a step the scalars go first, carried by the flow's fluxes extrapolated from its last two times; the flow meets
/// the temperature that lifts it at the end of the step.
class ScalarFlow : public CoupledModel {
 public:
  /// See ModelSetup::model.
  ScalarFlow(const FlowSetup& flow, const std::vector<ScalarSetup>& scalars, const LocalMesh& mesh, MeshPart wide);

  void visit_state(StateVisitor& visitor) override;
  void state_restored() override;

 private:
  NodePairs pairs_;
  std::optional<CarryingFluxes> carrier_;
};

class ScalarFlowSetup : public ModelSetup {
 public:
  FlowSetup flow;
  std::vector<ScalarSetup> scalars;  ///< with names of their own

  std::string unknowns() const override { return flow.unknowns(); }
  std::vector<std::string> patches() const override { return flow.patches(); }
  std::string condition_on(const std::string& patch) const override;
  std::vector<std::pair<std::string, std::string>> pairs() const override { return flow.pairs(); }
  std::string drive_of_pair(std::size_t pair) const override { return flow.drive_of_pair(pair); }
  std::vector<QuantityInfo> quantities() const override;
  /// Gravity that leaves the plane.
  std::vector<std::string> faults(const GlobalMesh& mesh, const Domain& domain) const override;
  std::string between_parts() const override { return flow.between_parts(); }
  std::optional<StepForecast> forecast(const GlobalMesh& mesh) const override { return flow.forecast(mesh); }
  int wide_layers() const override { return flow.wide_layers(); }
  std::unique_ptr<Model> model(const LocalMesh& mesh, std::optional<MeshPart> wide) const override;
  void ignore_numbering() override { flow.ignore_numbering(); }
  std::unique_ptr<ModelSetup> seen_in(const Frame& frame, int dimension) const override;
};

}  // namespace solenoid
