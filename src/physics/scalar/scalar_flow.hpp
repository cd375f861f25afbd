/// A flow and its transported scalars as one model.
#pragma once

#include "model/model.hpp"
#include "physics/flow/flow_model.hpp"
#include "physics/scalar/fluid_part.hpp"
#include "physics/scalar/scalar_model.hpp"

namespace solenoid {

class ScalarFlowSetup : public ModelSetup {
 public:
  FlowSetup flow;
  std::vector<ScalarSetup> scalars;  ///< distinct names; a temperature comes first

  std::string unknowns() const override { return flow.unknowns(); }
  std::vector<std::string> patches() const override { return flow.patches(); }
  std::vector<std::string> solids() const override;
  std::string condition_on(const std::string& patch) const override;
  std::vector<std::pair<std::string, std::string>> pairs() const override { return flow.pairs(); }
  std::string drive_of_pair(std::size_t pair) const override { return flow.drive_of_pair(pair); }
  std::vector<ZoneReport> zones(const GlobalMesh& mesh) const override;
  std::vector<QuantityInfo> quantities() const override;
  /// Those of the flow, and gravity out of the plane, solids that are not in the mesh, openings that no fluid touches.
  std::vector<std::string> faults(const GlobalMesh& mesh, const Domain& domain) const override;
  std::string needs_whole_mesh() const override { return solids().empty() ? flow.needs_whole_mesh() : "[region]"; }
  /// Of a reference of buoyancy outside all given temperatures, if these are constants.
  std::vector<std::string> warnings() const override;
  std::string between_parts() const override { return flow.between_parts(); }
  std::optional<StepForecast> forecast(const GlobalMesh& mesh) const override;
  /// With solids the fluid has the flow's layers.
  int layers(int dimension) const override { return solids().empty() ? flow.layers(dimension) : 1; }
  int wide_layers() const override { return flow.wide_layers(); }
  std::unique_ptr<Model> model(const LocalMesh& mesh, std::optional<MeshPart> wide) const override;
  void begin_at(real begin) override { time->begin = flow.time->begin = begin; }
  const EarlierFields* run_that_goes_on() const override { return flow.run_that_goes_on(); }
  void forget_beginning() override;
  void ignore_numbering() override { flow.ignore_numbering(); }
  void fix_time_scheme() override { flow.fix_time_scheme(); }
  std::unique_ptr<ModelSetup> transformed(const Frame& frame, int dimension) const override;

 private:
  std::vector<std::string> faults_of_solids(const GlobalMesh& mesh) const;
};

/// A step advances the scalars first, with the flow's fluxes extrapolated from its last two times; the flow then uses
/// the temperature at the end of the step for its buoyancy. With solids, the flow and the other scalars have a mesh of
/// their own, and the temperature has the whole one.
class ScalarFlow : public CoupledModel {
 public:
  /// See ModelSetup::model.
  ScalarFlow(const ScalarFlowSetup& setup, const LocalMesh& mesh, MeshPart wide);
  ~ScalarFlow() override { clear(); }

  std::vector<Quantity> quantities() override;
  void visit_state(StateVisitor& visitor) override;
  void state_restored() override;

 private:
  std::optional<FluidPart> fluid_;  // if there are solids
  FlowSetup flow_;                  // with the solids' surfaces as walls
  NodePairs pairs_;
  std::optional<NodePairs> pairs_in_fluid_;                    // of scalars without solids
  std::optional<AdvectingFluxes> carrier_, carrier_in_fluid_;  // on the two meshes
  std::vector<ScalarModel*> scalars_;                          // the parts after the flow
};

}  // namespace solenoid
