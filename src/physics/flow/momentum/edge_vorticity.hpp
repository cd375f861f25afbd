/// Vorticity at edges, from the circulation around them.
#pragma once

#include <optional>

#include "model/state_visitor.hpp"
#include "physics/flow/boundary/flow_boundary.hpp"
#include "physics/flow/momentum/flow_state.hpp"
#include "solve/chebyshev.hpp"

namespace solenoid {

/// M_e omega = R M U + b at the edges, with P1's mass M_e, lumped, in 2D, and Nedelec's in 3D, where omega is a line
/// integral [m/s] of a vorticity with continuous tangential part. Zero on planes of symmetry and far fields.
///
/// The steps split omega = B (R M U + b) + omega' with a diagonal B: W^-1 in 2D, where omega' = 0. In 3D B is a = .87
/// over sum_K l_K diag(M_K), l_K the least eigenvalue of diag(M_K)^-1 M_K in cell K, so that the first part has at
/// least .87 of the friction of any flow (Wathen 1987: cells' eigenvalues bound those of the sum of their matrices). It
/// is implicit; omega' is extrapolated to second order. With BDF2 this is stable for a >= .75 or, if the share q of the
/// error of the expected omega remains, for (1 + q) (1/a - 1) + q < 1/3: a = .87 with the q = 1/7 that
/// compute_after_step() leaves.
class EdgeVorticity {
 public:
  /// Whether to compute the vorticity, or B alone. Constructor collective.
  enum class Finds { vorticity, nothing };
  EdgeVorticity(const LocalMesh& mesh, const FlowBoundaries& boundaries, Finds finds,
                const MemoryOf& = MemoryOf("vorticity"));

  Field<Edge>& lumped_inverse_mass() { return lumped_inverse_mass_; }  ///< B, 0 where there is no vorticity

  /// Sets the vorticity from the circulation R M U + b. Collective.
  void compute(const Field<Edge>& circulation, Field<Edge>& vorticity);
  /// The same at the end of a step, starting from the expected vorticity: in 3D `iterations` Chebyshev iterations; four
  /// leave at most a seventh of the error in modes with eigenvalues above a tenth of the largest. Collective.
  void compute_after_step(const Field<Edge>& circulation, Field<Edge>& vorticity, int iterations);

  /// Extrapolates omega' to the end of the next step: (1 - older) times the last one plus older times the one before.
  void extrapolate(real older);
  /// Whether the next step replaces the last omega' and keeps the one before, see StepHistory.
  void keep_older(bool is_kept) { keeps_older_ = is_kept; }
  /// circulation = B circulation + extrapolated omega'.
  void add_extrapolated_rest(Field<Edge>& circulation) const;

  void visit_state(StateVisitor& visitor);  ///< see Model
  /// Completes a restored state with this circulation and vorticity: omega' of a state with another B is discarded.
  /// Collective.
  void go_on(const Field<Edge>& circulation, const Field<Edge>& vorticity);

 private:
  void keep_rest(const Field<Edge>& circulation, const Field<Edge>& vorticity);

  /// omega' in 3D.
  struct Rest {
    Space<Edge> space;
    Field<Edge> last, before, expected;
    Rest(const LocalMesh& mesh, const std::vector<int>& roles);
  };
  real part_of_rest_ = 0;  // a of the restored omega'
  bool has_rest_ = true;   // whether the restored state had omega'
  Field<Edge> lumped_inverse_mass_;
  std::optional<Rest> rest_;
  std::optional<ChebyshevIteration<Edge>> mass_;  // M_e, in 3D
  bool keeps_older_ = false;
};

}  // namespace solenoid
