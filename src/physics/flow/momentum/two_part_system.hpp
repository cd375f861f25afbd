/// A system (alpha A + nu B) x = b for the change of a step, with first guesses from the changes of past steps.
#pragma once

#include <array>
#include <span>
#include <string>
#include <utility>

#include "model/state_visitor.hpp"
#include "solve/bring_in.hpp"
#include "solve/solve_control.hpp"

namespace solenoid {

/// A is a mass and B a friction, both constant from step to step; derived classes have them, and the solver.
template <class L>
class TwoPartSystem {
 public:
  virtual ~TwoPartSystem() = default;

  /// alpha [1/s], viscosity nu [m^2/s]; b is restricted to unknowns and includes the share of prescribed x, which stays
  /// as on entry. The first guess combines the last solutions; without any it is x on entry. Collective; throws as cg
  /// does.
  SolveReport solve(real alpha, real viscosity, const Field<L>& b, Field<L>& x, const SolveControl& control) {
    return recorded(control, [&](const SolveControl& its_control) {
      const bool is_guessed = past_.guess(std::array{alpha, viscosity}, b, x, &between_);
      const SolveReport report = solve_from(x, is_guessed ? &between_ : nullptr, alpha, viscosity, b, its_control);
      past_.keep(x, parts());
      return report;
    });
  }
  /// The same from x on entry alone; does not enter the history of solve().
  SolveReport solve_without_history(real alpha, real viscosity, const Field<L>& b, Field<L>& x,
                                    const SolveControl& control) {
    return solve_from(x, nullptr, alpha, viscosity, b, control);
  }

  void reserve() { past_.reserve(); }  ///< Allocates all memory of solve(). Collective.

  /// Call when another part of friction becomes implicit. Collective.
  virtual void friction_changed() { past_.renew_images(parts()); }

  virtual void visit_state(StateVisitor& visitor) { visitor.past(name_, past_); }  ///< see Model
  void state_restored() {
    bring_in(unknowns_, past_);
    friction_changed();
  }

 protected:
  /// `name`: of the solutions in a state. Refers to `unknowns`, which must outlive it.
  TwoPartSystem(const Space<L>& unknowns, std::string name)
      : between_(unknowns.mesh()),
        unknowns_(unknowns),
        name_(std::move(name)),
        past_(unknowns, 2, SolutionHistory<L>::Images::all) {}

  /// Sets A x and B x, restricted to unknowns. Collective.
  virtual void apply_parts(Field<L>& x, std::span<Field<L>> images) = 0;
  /// Solves from x on entry; `image`: of that x, if known. Collective; throws as cg does.
  virtual SolveReport solve_from(Field<L>& x, const Field<L>* image, real alpha, real viscosity, const Field<L>& b,
                                 const SolveControl& control) = 0;

  Field<L> between_;  ///< within a product; before the first one the image of a guess

 private:
  typename SolutionHistory<L>::Apply parts() {
    return [this](Field<L>& x, std::span<Field<L>> images) { apply_parts(x, images); };
  }

  const Space<L>& unknowns_;
  std::string name_;
  SolutionHistory<L> past_;
};

}  // namespace solenoid
