/// Heat conduction as a model: step length, history, and quantities.
#pragma once

#include "model/model.hpp"
#include "physics/heat/heat_conduction.hpp"
#include "physics/heat/heat_setup.hpp"

namespace solenoid {

class HeatModel : public Model {
 public:
  /// See ModelSetup::model.
  HeatModel(const HeatSetup& setup, const LocalMesh& mesh, const MemoryOf& = MemoryOf("heat"));

  real time() const override { return heat_.time(); }
  void build_systems(real dt) override { heat_.build_system(dt); }
  real next_step(real target) const override;
  void advance(real dt) override { heat_.advance(dt); }
  SolveReport solve_steady() override;
  void diagnose() override;
  real rate_of_change() override { return heat_.rate_of_change(); }
  bool depends_on_time() const override { return heat_.depends_on_time(); }
  std::string progress() const override;
  std::vector<HistoryColumn> history() override;
  ModelOutcome outcome() override;
  std::vector<Quantity> quantities() override { return heat_.quantities(setup_.quantities()); }
  void visit_state(StateVisitor& visitor) override { heat_.visit_state(visitor); }
  void state_restored() override { heat_.state_restored(); }
  const SolveLog& solves() const override { return heat_.solves(); }

 private:
  std::string unit_of_heat() const { return mesh_.dimension() == 2 ? "W/m" : "W"; }

  const HeatSetup& setup_;
  const LocalMesh& mesh_;
  HeatConduction heat_;
  HeatConduction::Range range_{0, 0};  // of the last step
  HeatBalance balance_;
};

/// The warning about temperatures outside the bounds of the maximum principle, for a run with or without BDF2.
std::string beyond_bounds_text(const MaximumPrinciple& found, bool with_bdf2);

}  // namespace solenoid
