/// The interface of a model (a flow, heat conduction, waves) to the loop that runs it and the outputs that write it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/advecting_velocity.hpp"
#include "model/force_test_function.hpp"
#include "model/quantity.hpp"
#include "model/state_visitor.hpp"
#include "model/tractions.hpp"
#include "solve/solve_control.hpp"

namespace solenoid {

/// A column of the history of a run: a number after each step.
struct HistoryColumn {
  std::string name, unit;
  std::function<std::variant<std::int64_t, double>()> value;
};

/// An entry of the summary of a run: the value `name` in the table `group`; pairs are a table of their own. In a list,
/// what is absent is unbounded.
struct SummaryFigure {
  std::string group, name;
  std::variant<std::int64_t, double, std::vector<std::optional<double>>, std::vector<std::pair<std::string, double>>>
      value;
};

/// How it ended, for people and scripts.
struct ModelOutcome {
  std::string ending;                 ///< goes on after "Done at t = 1 s after 10 steps"
  std::vector<std::string> lines;     ///< more of it
  std::vector<std::string> warnings;  ///< what deserves a look
  std::vector<SummaryFigure> figures;
};

/// Every function is collective unless it is said not to be.
class Model {
 public:
  virtual ~Model() = default;

  virtual real time() const = 0;  ///< [s]. Not collective.

  /// Makes ready for the first step what takes a solver. Throws a collective Error (exit code 1) when it fails.
  virtual void start() {}

  /// Builds what a step of `dt` [s], or the steady state where it is 0, solves, without solving, and notes it in
  /// solves(): what is left then is all the memory that advance() takes. For who wants to know that.
  virtual void build_systems(real /*dt*/) {}

  /// The length of the next step [s] by the model's own law; the steps to come land on `target` [s].
  virtual real next_step(real target) const = 0;

  /// Advances by dt [s]. Throws a collective Error (exit code 1) when a solver fails; the state is that of the last
  /// step then.
  virtual void advance(real dt) = 0;

  /// Goes back to before the last step, to look at it: nothing can advance from there. Of what never advances with
  /// others it is not asked. Collective.
  virtual void revert_step() {}

  /// Finds the steady state instead, where the setup has no time.
  virtual SolveReport solve_steady();

  /// Works out what history() and progress() tell of the step just taken. Throws a collective Error (exit code 1) where
  /// it cannot be right; the state is that of the step before then.
  virtual void diagnose() = 0;

  virtual real rate_of_change() = 0;                 ///< of the last step, relative to the largest there is [1/s]
  virtual bool depends_on_time() const = 0;          ///< something that is given does. Not collective.
  virtual std::string progress() const = 0;          ///< the last step in a few words. Not collective.
  virtual std::vector<HistoryColumn> history() = 0;  ///< Not collective, as the values of its columns.
  virtual ModelOutcome outcome() = 0;
  /// What it found of the mesh when it was made, in lines for people.
  virtual std::vector<std::string> remarks() const { return {}; }

  /// What can be looked at, now and after later steps.
  virtual std::vector<Quantity> quantities() = 0;

  /// The mesh that tractions(), advecting_velocity() and force_in_fluid() are of: that of the fluid, where there are
  /// solids in the whole one. Not collective.
  virtual const LocalMesh& fluid_mesh(const LocalMesh& whole) const { return whole; }
  /// What the fluid does to its boundary now; nullptr where the model has none.
  virtual Tractions* tractions() { return nullptr; }
  /// What carries tracers, made when it is first asked for; nullptr where the model has none.
  virtual AdvectingVelocity* advecting_velocity() { return nullptr; }
  /// The force of the fluid by its density [m^4/s^2, in 2D m^3/s^2] on the boundary where `weight` is 1, found from
  /// what momentum does in the fluid; nothing where the model has none.
  virtual std::optional<Vec3> force_in_fluid(const ForceTestFunction& /*weight*/) { return std::nullopt; }

  /// Shows `visitor` all that the next step depends on. Where that overwrites it, state_restored() makes the rest anew.
  virtual void visit_state(StateVisitor& visitor) = 0;
  virtual void state_restored() = 0;

  /// Throws a collective Error (exit code 1) where the state is none that what is given allows, whatever made it so.
  virtual void require_sound() {}

  virtual const SolveLog& solves() const = 0;  ///< Not collective.
};

/// What the history calls a quantity of each patch, PREFIX_PATCH: what would end a column's name is left out of the
/// patches' names, and one that is `taken` already gets a stroke more.
std::vector<std::string> names_of_patch_columns(const std::string& prefix, const std::vector<std::string>& patches,
                                                std::vector<std::string> taken = {});

/// Adds the columns of what a solver last did: iterations_NAME and residual_NAME. `solves` outlives them.
void add_solver_columns(std::vector<HistoryColumn>& columns, const SolveLog& solves, const std::string& solver);

}  // namespace solenoid
