/// A flow as a model: step length, history, and quantities.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "model/model.hpp"
#include "physics/flow/balance/energy_watch.hpp"
#include "physics/flow/boundary/patch_flows.hpp"
#include "physics/flow/flow_advection.hpp"
#include "physics/flow/flow_setup.hpp"
#include "physics/flow/reconstruct/velocity_reconstruction.hpp"
#include "physics/flow/step/flow_step.hpp"

namespace solenoid {

/// Of a flow: velocity, pressure, vorticity, divergence, viscosity, viscosity of eddies, wall shear; stream_function in
/// 2D, q_criterion in 3D.
std::vector<QuantityInfo> flow_quantities();

class FlowModel : public Model {
 public:
  /// See ModelSetup::model.
  FlowModel(const FlowSetup& setup, const LocalMesh& mesh, MeshPart wide, const MemoryOf& = MemoryOf("flow"));
  ~FlowModel() override;

  real time() const override { return flow_->time(); }
  void start() override;
  void build_systems(real /*dt*/) override {
    flow_->build_systems();
    fit_.prepare();
  }
  /// See FlowStep::set_buoyancy; before start().
  void set_buoyancy(Buoyancy& buoyancy) {
    buoyancy_ = &buoyancy;
    flow_->set_buoyancy(buoyancy);
  }
  /// See FlowStep::set_temperature; before start().
  void set_temperature(const Field<Node>& temperature) { flow_->set_temperature(temperature); }
  FlowStep& flow() { return *flow_; }
  /// From the present flow, and from a boundary that is about to move it.
  real next_step(real target) const override;
  void advance(real dt) override;
  void revert_step() override {
    flow_->revert_step();
    ++step_;
  }
  void diagnose() override;
  real rate_of_change() override { return flow_->rate_of_change(); }
  bool depends_on_time() const override;
  std::string progress() const override;
  std::vector<HistoryColumn> history() override;
  ModelOutcome outcome() override;
  std::vector<std::string> remarks() const override;
  std::vector<std::string> origin() const override;
  std::vector<Quantity> quantities() override;
  const LocalMesh& fluid_mesh(const LocalMesh&) const override { return mesh_; }
  Tractions* tractions() override { return &flow_->balance().tractions(); }
  AdvectingVelocity* advecting_velocity() override {
    return carrier_ ? &*carrier_ : &carrier_.emplace(*flow_, wide_, fit_);
  }
  std::optional<Vec3> force_in_fluid(const ForceTestFunction& weight) override {
    return flow_->balance().force_in_fluid(weight);
  }
  void visit_state(StateVisitor& visitor) override;
  void state_restored() override;
  void require_sound() override { flow_->require_given_fluxes(); }
  const SolveLog& solves() const override { return flow_->solves(); }

 private:
  struct VelocityAtPoints;
  void compute_first_rate();
  void diagnose_openings();
  std::string fastest();
  real rate_of_fluxes();
  Vec3 fastest_place();
  void note_courant();
  void tell_courant(ModelOutcome& outcome) const;
  EnergySources energy_sources();
  [[noreturn]] void stop_diverged(const std::string& fault);
  std::vector<std::string> names_of_openings() const;
  real courant_rate_of_pairs(real begin, real end, int moments) const;
  std::vector<std::string> names_behind_pairs() const;
  void tell_pairs(ModelOutcome& outcome) const;
  void tell_energy(ModelOutcome& outcome);
  real rate_of_walls() const;
  void note_walls();
  void tell_walls(ModelOutcome& outcome) const;
  real rate_of_frame() const;
  void note_frame();
  void tell_frame(ModelOutcome& outcome);
  Coefficient<Vec3> driving_force() const;
  void note_zones();
  void add_zone_columns(std::vector<HistoryColumn>& columns) const;
  void tell_zones(ModelOutcome& outcome) const;
  bool is_outlet(std::size_t opening) const;
  using Sample = std::function<std::vector<real>(const PointSampler&, const std::vector<NodeVelocity>&)>;
  Exchanged<Node, NodeVelocity> node_velocity();
  Field<Cell>& pressure_now();
  Field<Cell>& viscosity_now();
  NodeViscosity compute_wall_shear_now();
  const std::vector<NodeVelocity>& velocity_around(const PointSampler& points);
  AtPoints from_fit(const PointSampler& points, const Sample& sample);

  const FlowSetup& setup_;
  const LocalMesh& mesh_;
  WideHaloMesh wide_;
  std::unique_ptr<FlowStep> flow_;
  Buoyancy* buoyancy_ = nullptr;
  VelocityReconstruction fit_;
  std::optional<FlowAdvection> carrier_;     // once needed
  std::optional<Field<Face>> initial_flux_;  // until start()

  real rate_ = 0;          // Courant number per second expected in the next step
  real rate_of_flow_ = 0;  // the same after the last step
  StepGrowth growth_;
  struct {
    int count = 0;
    real largest = 0, since = 0;  // Courant number; time of the first [s]
    Vec3 place{};                 // of the first
  } fast_steps_;                  // beyond the limit of the Courant number, since the start or restart
  struct {
    real power = 0;                    // after the last step, see FlowStep::power_of_walls()
    real rate = 0, largest_ratio = 0;  // see WallStress::rate(); of steps over the longest stable one
  } walls_;                            // that are not resolved
  real largest_turn_ = 0;              // of steps over the longest that the Coriolis force allows
  std::vector<ZoneDrive> drives_;      // fans and disks after the last step
  real cfl_ = 0, max_divergence_ = 0, kinetic_energy_ = 0, dissipation_ = 0, by_eddies_ = 0;  // of the last step
  real largest_divergence_ = 0;                                                               // over the run
  real volume_ = 0;                                                                           // of the fluid [m^3]
  EnergyWatch energy_;
  const std::vector<Vec3> areas_of_pairs_;
  PatchFlows openings_;
  std::vector<PatchFlow> through_openings_;           // after the last step
  std::vector<real> rates_of_pairs_;                  // Courant number per second of a flux of 1 through each
  std::vector<real> through_pairs_, pressure_drops_;  // of periodic pairs, now
  std::vector<real> pressures_;                       // on openings
  std::vector<real> backflow_, largest_backflow_;     // see diagnose_openings(): now, over the run

  // Quantities evaluated for output, and the steps that they belong to.
  Field<Node, NodeVelocity> nodes_;
  std::optional<Exchanged<Node, NodeVelocity>> fitted_;  // in the step `step_of_nodes_`
  Field<Node, Vec3> velocity_;
  Field<Node> vorticity_;
  Field<Node, Vec3> vorticity_in_space_;
  Field<Node> at_nodes_;  // of other quantities, one at a time
  Field<Cell> divergence_;
  std::optional<Field<Cell>> viscosity_ratio_;  // with modelled eddies
  std::optional<Field<Cell>> zone_numbers_;     // with zones
  BoundaryField<Vec3> wall_shear_;
  BoundaryField<real> y_plus_;
  DeviceArray<char> is_wall_;  // of each owned boundary face
  std::map<const PointSampler*, VelocityAtPoints> at_points_;
  int step_ = 0, step_of_nodes_ = -1, step_of_pressure_ = -1;
};

}  // namespace solenoid
