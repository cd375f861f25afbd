/// Waves as a model: step length, history, and quantities.
#pragma once

#include <limits>

#include "model/model.hpp"
#include "physics/wave/wave_equation.hpp"
#include "physics/wave/wave_setup.hpp"

namespace solenoid {

class WaveModel : public Model {
 public:
  /// See ModelSetup::model.
  WaveModel(const WaveSetup& setup, const LocalMesh& mesh, const MemoryOf& = MemoryOf("waves"));

  real time() const override { return waves_.time(); }
  void build_systems(real dt) override { waves_.build_system(dt); }
  void start() override { first_energy_ = energy_ = waves_.energy(); }
  /// The Courant number is the number of cells that a wave crosses in a step.
  real next_step(real target) const override;
  void advance(real dt) override { waves_.advance(dt); }
  void diagnose() override;
  /// Infinite: waves persist unless absorbing sides remove them, so that there is no steady state.
  real rate_of_change() override { return std::numeric_limits<real>::infinity(); }
  bool depends_on_time() const override { return waves_.depends_on_time(); }
  std::string progress() const override;
  std::vector<HistoryColumn> history() override;
  ModelOutcome outcome() override;
  std::vector<Quantity> quantities() override;
  void visit_state(StateVisitor& visitor) override;
  void state_restored() override { waves_.state_restored(); }
  const SolveLog& solves() const override { return waves_.solves(); }

 private:
  const WaveSetup& setup_;
  const LocalMesh& mesh_;
  WaveEquation waves_;
  real first_energy_ = 0, energy_ = 0, drift_ = 0;  // the largest |energy / first - 1|
};

}  // namespace solenoid
