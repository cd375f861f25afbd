/// The interface of a model (a flow, heat conduction, waves) to the loop that runs it and the outputs that write it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "model/node_velocity.hpp"
#include "model/quantity.hpp"
#include "model/state_visitor.hpp"
#include "model/tractions.hpp"
#include "solve/solve_control.hpp"

namespace solenoid {

/// A column of the history of a run: one number per step.
struct HistoryColumn {
  std::string name, unit;
  std::function<std::variant<std::int64_t, double>()> value;
};

/// An entry of the summary of a run: the value `name` in the table `group`; pairs form a table of their own. In a list,
/// nullopt stands for unbounded.
struct SummaryFigure {
  std::string group, name;
  std::variant<std::int64_t, double, std::vector<std::optional<double>>, std::vector<std::pair<std::string, double>>>
      value;
};

/// The result of a run, as text and as figures.
struct ModelOutcome {
  std::string ending;                 ///< continues "Done at t = 1 s after 10 steps"
  std::vector<std::string> lines;     ///< further text
  std::vector<std::string> warnings;  ///< points to check
  std::vector<SummaryFigure> figures;
};

/// All functions are collective unless stated otherwise.
class Model {
 public:
  virtual ~Model() = default;

  virtual real time() const = 0;  ///< [s]. Not collective.

  /// Does the solves that the first step depends on. Throws a collective Error (exit code 1) if a solver fails.
  virtual void start() {}

  /// Builds the systems of a step of `dt` [s] (0: of the steady state) without solving them and records this in
  /// solves(): after that, advance() allocates no more memory. For memory estimates.
  virtual void build_systems(real /*dt*/) {}

  /// Length of the next step [s] by the model's own criterion; the steps hit `target` [s] exactly.
  virtual real next_step(real target) const = 0;

  /// Advances by dt [s]. Throws a collective Error (exit code 1) if a solver fails, and then keeps the state of the
  /// last step.
  virtual void advance(real dt) = 0;

  /// Restores the state before the last step, for output only: no step can follow. Never called on a model that always
  /// advances alone. Collective.
  virtual void revert_step() {}

  /// Solves for the steady state, if the setup has no time.
  virtual SolveReport solve_steady();

  /// Computes the values that history() and progress() report for the last step. Throws a collective Error (exit code
  /// 1) if they cannot be right, and then restores the state of the step before.
  virtual void diagnose() = 0;

  virtual real rate_of_change() = 0;                 ///< over the last step, relative to the largest value [1/s]
  virtual bool depends_on_time() const = 0;          ///< whether a prescribed coefficient does. Not collective.
  virtual std::string progress() const = 0;          ///< the last step in a few words. Not collective.
  virtual std::vector<HistoryColumn> history() = 0;  ///< Not collective, nor are the values of its columns.
  virtual ModelOutcome outcome() = 0;
  /// Findings about the mesh at construction, as lines of text.
  virtual std::vector<std::string> remarks() const { return {}; }
  /// The origin of a state taken from an earlier run, as lines of text.
  virtual std::vector<std::string> origin() const { return {}; }

  /// The quantities for output, now and after later steps.
  virtual std::vector<Quantity> quantities() = 0;

  /// The mesh of tractions(), advecting_velocity() and force_in_fluid(): that of the fluid, if the whole mesh also has
  /// solids. Not collective.
  virtual const LocalMesh& fluid_mesh(const LocalMesh& whole) const { return whole; }
  /// The present tractions of the fluid on its boundary; nullptr if the model has none.
  virtual Tractions* tractions() { return nullptr; }
  /// The velocity that carries tracers, created at the first call; nullptr if the model has none.
  virtual AdvectingVelocity* advecting_velocity() { return nullptr; }
  /// Force per density [m^4/s^2, in 2D m^3/s^2] of the fluid on the boundary where `weight` is 1, from the momentum
  /// balance in the fluid; nullopt if the model has none.
  virtual std::optional<Vec3> force_in_fluid(const ForceTestFunction& /*weight*/) { return std::nullopt; }

  /// Visits all data that the next step depends on. If the visitor overwrites them, state_restored() recomputes the
  /// rest.
  virtual void visit_state(StateVisitor& visitor) = 0;
  virtual void state_restored() = 0;

  /// Throws a collective Error (exit code 1) if the state violates a prescribed condition, whatever the cause.
  virtual void require_sound() {}

  virtual const SolveLog& solves() const = 0;  ///< Not collective.
};

/// Names PREFIX_PATCH of history columns for a quantity on each patch: characters that end a column's name become `_`,
/// and a patch name in `taken` gets another `_`.
std::vector<std::string> names_of_patch_columns(const std::string& prefix, const std::vector<std::string>& patches,
                                                std::vector<std::string> taken = {});

/// Adds the columns iterations_NAME and residual_NAME of a solver's last solve. `solves` outlives them.
void add_solver_columns(std::vector<HistoryColumn>& columns, const SolveLog& solves, const std::string& solver);

/// Calls step(); if it throws a collective Error, undo() restores the state before it.
template <std::invocable Step, std::invocable Undo>
void step_or_undo(Step&& step, Undo&& undo) {
  try {
    step();
  } catch (const Error& error) {
    if (error.collective()) undo();
    throw;
  }
}

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
  std::vector<std::string> origin() const override;
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
