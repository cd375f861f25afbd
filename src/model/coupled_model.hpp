/// Models that advance together.
#pragma once

#include <memory>
#include <vector>

#include "model/model.hpp"

namespace solenoid {

/// A model of models. The first one is what people look at first; in a step the last one goes first, so that each finds
/// those behind it at the end of the step and those before it at its beginning. A step is taken by all or by none.
class CoupledModel : public Model {
 public:
  real time() const override { return parts_.front()->time(); }
  void start() override;
  void build_systems(real dt) override;
  real next_step(real target) const override;  ///< the shortest of theirs
  void advance(real dt) override;
  void revert_step() override;
  void diagnose() override;
  real rate_of_change() override;  ///< the largest of theirs
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
  void clear() { parts_.clear(); }  ///< for who goes before them with what they refer to

 private:
  std::vector<std::unique_ptr<Model>> parts_;
  mutable SolveLog solves_;  // of all parts, as it was last asked for
};

}  // namespace solenoid
