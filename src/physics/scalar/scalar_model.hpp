/// A transported scalar as a model: step length, history, and quantities.
#pragma once

#include <optional>

#include "model/model.hpp"
#include "physics/scalar/advecting_fluxes.hpp"
#include "physics/scalar/scalar_setup.hpp"
#include "physics/scalar/scalar_transport.hpp"
#include "physics/scalar/solid_heat.hpp"

namespace solenoid {

class ScalarModel : public Model {
 public:
  /// At time 0, in the flow of `flow`. `fluid`: the flow's part of the mesh of `pairs`, if that mesh also has solids.
  /// All outlive the model. Collective; throws as ScalarTransport does.
  ScalarModel(const ScalarSetup& setup, const FlowSetup& flow, const NodePairs& pairs, AdvectingFluxes& carrier,
              const FluidPart* fluid = nullptr, const MemoryOf& = MemoryOf("scalar"));

  /// Of the present temperature; nullptr without buoyancy.
  Buoyancy* buoyancy() { return buoyancy_ ? &*buoyancy_ : nullptr; }

  /// At the nodes of the fluid, halo included, as it is after a step: if it is felt by the flow.
  const Field<Node>& in_fluid() { return in_fluid_ ? *in_fluid_ : scalar_.values(); }

  /// Starts at `time` [s] from its initial values, in the present flow: for a scalar that a restored state lacks.
  /// Collective.
  void begin_at(real time);

  real time() const override { return scalar_.time(); }
  std::vector<std::string> origin() const override;
  void start() override { bound_step(); }
  void build_systems(real dt) override { scalar_.build_system(dt); }
  /// Limited by the range of values and the frequency of buoyancy; unlimited if the step is prescribed.
  real next_step(real target) const override;
  void advance(real dt) override;
  void revert_step() override;
  void diagnose() override;
  real rate_of_change() override { return scalar_.rate_of_change(); }
  bool depends_on_time() const override { return scalar_.depends_on_time(); }
  std::string progress() const override;
  std::vector<HistoryColumn> history() override;
  ModelOutcome outcome() override;
  std::vector<Quantity> quantities() override { return scalar_.quantities(setup_.quantities()); }
  void visit_state(StateVisitor& visitor) override;
  void state_restored() override;
  const SolveLog& solves() const override { return scalar_.solves(); }

 private:
  void lift();
  void bound_step();
  void add_columns_of_solids(std::vector<HistoryColumn>& columns) const;
  std::string unit_of_content() const;
  std::string unit_of_flow() const;

  const ScalarSetup& setup_;
  const TimeSettings& time_;
  const LocalMesh& mesh_;
  AdvectingFluxes& carrier_;
  const FluidPart* fluid_;
  ScalarTransport scalar_;
  std::optional<Buoyancy> buoyancy_;
  const bool is_felt_;                   // by the flow: by its buoyancy, or its viscosity
  std::optional<Field<Node>> in_fluid_;  // the temperature that is felt, if there are solids
  std::optional<SolidHeat> solids_;      // if there are solids
  std::vector<int> nusselt_patches_;
  std::vector<real> patch_areas_;
  real longest_step_ = 0;  // for the present flow and values [s]
  real frequency_ = 0;     // of buoyancy, now [1/s]
  real over_swing_ = 0;    // largest ratio in the run of a step to the limit of the frequency
  real over_limit_ = 0;    // largest ratio in the run of a step to ScalarTransport::longest_step()
  ScalarTransport::Range range_{0, 0}, extremes_;
  real content_ = 0;
  HeatBalance balance_;
  std::vector<real> nusselt_;
};

}  // namespace solenoid
