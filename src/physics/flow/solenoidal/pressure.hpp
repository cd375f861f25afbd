/// The Poisson system of the pressure on cells: the correction of the classical step, and the output of the exact one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/state_visitor.hpp"
#include "physics/flow/boundary/closed_parts.hpp"
#include "solve/linear_system.hpp"

namespace solenoid {

/// -D (A/L) G p = b with A/L = 0 on faces with prescribed flux; on outlets L is the distance to the face.
class PressureSystem {
 public:
  /// `is_open`: per mesh.boundary(), whether it is on an outlet. Collective.
  PressureSystem(const LocalMesh& mesh, const std::vector<char>& is_open, PreconditionerKind preconditioner,
                 const MemoryOf& = MemoryOf("pressure"));

  /// `b`: the sources of each cell, of zero sum in each part of the domain without outlets. The value on entry is the
  /// first guess of the first solve; later ones start from earlier solutions. Collective; throws as cg does.
  SolveReport solve(const Field<Cell>& b, Field<Cell>& pressure, const SolveControl& control);

  /// The same from the value on entry alone; does not enter the history of solve().
  SolveReport solve_without_history(const Field<Cell>& b, Field<Cell>& pressure, const SolveControl& control) {
    return system_->solve(b, pressure, control);
  }

  /// Computes p from the momentum residual: G p = -residual on inner faces, in the sense of D (A/L) G p = -D (A/L)
  /// residual. `residual` [m^2/s^2]: line integral of du/dt + convection + friction along the dual of each face, with
  /// the pressure of outlets. `pressure` [m^2/s^2]: p / rho, of volume mean zero in parts of the domain without
  /// outlets. Collective; throws as cg does.
  SolveReport recover(Field<Face>& residual, Field<Cell>& pressure, const SolveControl& control);

  /// Makes this the system of A/L times a weight per face. Collective.
  void weigh(const Field<Face>& weights);

  void reserve() { past_.reserve(); }  ///< Allocates all memory of solve(). Collective.
  /// `name`: of its solutions in a state; see Model.
  void visit_state(StateVisitor& visitor, const std::string& name = "past_pressure") { visitor.past(name, past_); }
  void state_restored() { system_->renew_images(past_); }

  const LinearSystem<Cell>& system() const { return *system_; }
  const Field<Face>& conductance() const { return conductance_; }  ///< A/L [m]
  const ClosedParts& closed_parts() const { return closed_parts_; }

 private:
  const LocalMesh& mesh_;
  const std::vector<char> is_open_;
  const PreconditionerKind preconditioner_;
  Field<Face> conductance_;  // A_f / L_f, 0 on the boundary except on outlets
  ClosedParts closed_parts_;
  Field<Cell> right_side_;
  Space<Cell> space_;
  std::optional<LinearSystem<Cell>> system_;
  SolutionHistory<Cell> past_{space_};
};

}  // namespace solenoid
