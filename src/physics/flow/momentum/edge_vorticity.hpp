/// Vorticity at edges, from the circulation around them.
#pragma once

#include <optional>

#include "model/state_visitor.hpp"
#include "physics/flow/boundary/flow_boundary.hpp"
#include "physics/flow/momentum/flow_state.hpp"
#include "solve/chebyshev.hpp"

namespace solenoid {

/// M_e omega = R M U + b at the edges, with P1's mass M_e, lumped, in 2D, and Nedelec's in 3D, where omega is a line
/// integral [m/s]: that of the vorticity whose tangential part is continuous. There is none on planes of symmetry and
/// far fields.
///
/// For the steps omega = B (R M U + b) + omega', with a diagonal B: W^-1 in 2D, where omega' = 0. In 3D it is .87 over
/// sum_K l_K diag(M_K), l_K the least eigenvalue of diag(M_K)^-1 M_K in cell K, so that the first part alone has no
/// less than .87 of the friction in any flow (Wathen 1987: eigenvalues of a sum of matrices of cells are bounded by
/// theirs). It is implicit; omega' is extrapolated to second order. With BDF2 that is stable from .75 on, and where
/// omega is known to q of what is expected from (1 + q) (1/a - 1) + q < 1/3, a = .87 with the seventh that
/// compute_after_step() leaves.
class EdgeVorticity {
 public:
  /// Whether there will be a vorticity to find, and not B alone. Collective.
  enum class Finds { vorticity, nothing };
  EdgeVorticity(const LocalMesh& mesh, const FlowBoundaries& boundaries, Finds finds);

  Field<Edge>& lumped_inverse_mass() { return lumped_inverse_mass_; }  ///< B, 0 where there is no vorticity

  /// Sets it from what circulates, R M U + b. Collective.
  void compute(const Field<Edge>& circulation, Field<Edge>& vorticity);
  /// The same at the end of a step, from what was expected: in 3D so many iterations of Chebyshev's; four leave a
  /// seventh of the error, or less, of what eigenvalues above a tenth of the largest have. Collective.
  void compute_after_step(const Field<Edge>& circulation, Field<Edge>& vorticity, int iterations);

  /// Extrapolates omega' to the end of the next step, (1 - older) times the last one and older times the one before.
  void extrapolate(real older);
  /// Whether the one before stays the one before at the end of the next step, see StepHistory.
  void keep_older(bool is_kept) { keeps_older_ = is_kept; }
  /// From a circulation to B times it + omega' as it is expected.
  void add_extrapolated_rest(Field<Edge>& circulation) const;

  void visit_state(StateVisitor& visitor);  ///< see Model
  /// A state was laid over this one, with this circulation and vorticity: what it has of omega' beside another B counts
  /// for nothing. Collective.
  void go_on(const Field<Edge>& circulation, const Field<Edge>& vorticity);

 private:
  void keep_rest(const Field<Edge>& circulation, const Field<Edge>& vorticity);

  /// omega' in 3D.
  struct Rest {
    Space<Edge> space;
    Field<Edge> last, before, expected;
    Rest(const LocalMesh& mesh, const std::vector<int>& roles);
  };
  real part_of_rest_ = 0;  // a when it was found
  bool has_rest_ = true;   // the state that was laid over this one
  Field<Edge> lumped_inverse_mass_;
  std::optional<Rest> rest_;
  std::optional<ChebyshevIteration<Edge>> mass_;  // M_e, in 3D
  bool keeps_older_ = false;
};

}  // namespace solenoid
