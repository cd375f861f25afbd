/// The pressure that the exact step never needed, for people to look at: one Poisson solve on cells.
#pragma once

#include "physics/state_visitor.hpp"
#include "solve/linear_system.hpp"

namespace solenoid {

/// Finds p from what the momentum equation leaves over: G p = -residual on inner faces, in the sense of
/// D (A/L) G p = -D (A/L) residual, with A/L = 0 on the boundary (NUMERICS: exact fractional step).
class PressureRecovery {
 public:
  PressureRecovery(const LocalMesh& mesh, PreconditionerKind preconditioner);

  /// `residual` [m^2/s^2] is the line integral of du/dt + convection + friction along the dual of each face. `pressure`
  /// [m^2/s^2] receives p / rho with volume mean zero; its value on entry is the first guess of the first one, later
  /// ones start from the last ones. Collective; throws as cg does.
  SolveReport solve(Field<Face>& residual, Field<Cell>& pressure, const SolveControl& control);

  void reserve() { past_.reserve(); }  ///< Takes all the memory that solve() does. Collective.
  void visit_state(StateVisitor& visitor) { visitor.past("past_pressure", past_); }  ///< see Model
  void state_restored() { system_.renew_images(past_); }

  const LinearSystem<Cell>& system() const { return system_; }

 private:
  const LocalMesh& mesh_;
  Field<Face> conductance_;  // A_f / L_f, 0 on the boundary
  Field<Cell> right_side_;
  Space<Cell> space_;
  LinearSystem<Cell> system_;
  PastSolutions<Cell> past_{space_};
};

/// Makes the volume mean of `values` zero. Collective.
void remove_mean(Field<Cell>& values);

}  // namespace solenoid
