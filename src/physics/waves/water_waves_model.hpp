/// Water waves as a model: step length, history, and quantities.
#pragma once

#include <limits>

#include "model/model.hpp"
#include "operators/p1.hpp"
#include "physics/waves/water_waves.hpp"
#include "physics/waves/water_waves_setup.hpp"
#include "physics/waves/wave_height.hpp"

namespace solenoid {

class WaterWavesModel : public Model {
 public:
  /// See ModelSetup::model.
  WaterWavesModel(const WaterWavesSetup& setup, const LocalMesh& mesh, const MemoryOf& = MemoryOf("water waves"));

  real time() const override { return waves_.time(); }
  /// Throws a collective Error (exit code 2) if the steps of the case are unstable on this mesh.
  void start() override;
  /// `cfl` is a share of the longest stable step.
  real next_step(real target) const override;
  /// See Model; an energy that is not finite or, where it is conserved, grows tenfold is a failure too (exit code 1).
  void advance(real dt) override;
  void diagnose() override;
  /// Infinite: waves persist unless they leave, so that there is no steady state.
  real rate_of_change() override { return std::numeric_limits<real>::infinity(); }
  bool depends_on_time() const override;
  std::string progress() const override;
  std::vector<HistoryColumn> history() override;
  ModelOutcome outcome() override;
  std::vector<Quantity> quantities() override;
  void visit_state(StateVisitor& visitor) override;
  void state_restored() override;
  const SolveLog& solves() const override { return waves_.solves(); }

 private:
  Field<Cell, Vec3>& velocity();
  void compute_forces();
  void require_bounded_energy(real energy);

  const WaterWavesSetup& setup_;
  WaterWaves waves_;
  WaveHeight height_;
  P1Gradient gradient_;
  Field<Cell, Vec3> velocity_;
  std::optional<Field<Cell, Vec3>> slope_;  // with ships
  std::vector<ShipForce> forces_;
  real longest_step_ = 0, first_energy_ = 0, energy_ = 0, first_volume_ = 0, volume_ = 0;
  real reference_energy_ = 0;  // of the first step, whose potential is of half steps as later
  real drift_ = 0;             // largest relative difference of the energy from it
  real volume_drift_ = 0;      // of the volume from the first one
};

}  // namespace solenoid
