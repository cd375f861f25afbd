/// Models that advance together.
#pragma once

#include <memory>
#include <vector>

#include "model/model.hpp"

namespace solenoid {

/// A model made of parts. The first part comes first in all reports; a step advances the parts from last to first, so
/// that each part sees the later ones at the end of the step and the earlier ones at its beginning. If one part fails,
/// the others revert their step.
class CoupledModel : public Model {
 public:
  real time() const override { return parts_.front()->time(); }
  void start() override;
  void build_systems(real dt) override;
  real next_step(real target) const override;  ///< the shortest step of the parts
  void advance(real dt) override;
  void revert_step() override;
  void diagnose() override;
  real rate_of_change() override;  ///< the largest of the parts
  bool depends_on_time() const override;
  std::string progress() const override;
  std::vector<HistoryColumn> history() override;
  ModelOutcome outcome() override;
  std::vector<std::string> remarks() const override;
  std::vector<Quantity> quantities() override;
  const LocalMesh& fluid_mesh(const LocalMesh& whole) const override { return parts_.front()->fluid_mesh(whole); }
  Tractions* tractions() override { return parts_.front()->tractions(); }
  std::optional<Vec3> force_in_fluid(const ForceTestFunction& weight) override {
    return parts_.front()->force_in_fluid(weight);
  }
  AdvectingVelocity* advecting_velocity() override { return parts_.front()->advecting_velocity(); }
  void visit_state(StateVisitor& visitor) override;
  void state_restored() override;
  void require_sound() override;
  const SolveLog& solves() const override;

 protected:
  void add(std::unique_ptr<Model> part) { parts_.push_back(std::move(part)); }
  const std::vector<std::unique_ptr<Model>>& parts() const { return parts_; }
  void clear() { parts_.clear(); }  ///< for derived classes whose members the parts refer to

 private:
  std::vector<std::unique_ptr<Model>> parts_;
  mutable SolveLog solves_;  // of all parts, as of the last call
};

}  // namespace solenoid
