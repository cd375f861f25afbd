/// The fluxes by which an exact step answers to pressures on outlets.
#pragma once

#include <optional>
#include <vector>

#include "physics/flow/boundary/outlet_pressures.hpp"
#include "physics/flow/momentum/vorticity_momentum_system.hpp"
#include "physics/flow/solenoidal/solenoidal_space.hpp"

namespace solenoid {

/// For each outlet of OutletPressures the solution (s_k, c_k) of Z^T (alpha M + nu K) Z (s, c) = -Z^T e_k, e_k the line
/// integrals along the duals of a pressure of 1 on it. A step is linear in these pressures: with the fluxes for some,
/// those for others follow without a solve.
class OutletResponse {
 public:
  /// Refers to `outlets`, which must outlive it. Collective.
  explicit OutletResponse(const OutletPressures& outlets);

  /// Collective; throws as cg does.
  void compute(real alpha, real nu, SolenoidalSpace& space, VorticityMomentumSystem& system,
               const SolveControl& control);
  void forget() { alpha_ = 0; }
  real alpha() const { return alpha_; }   ///< 0: not known
  real viscosity() const { return nu_; }  ///< of compute()
  bool is_known() const { return alpha_ > 0 && is_computed_; }
  /// Whether these changes of pressures may be made for `alpha` and `nu`, too: what the momentum balance lacks by that
  /// is small beside the dynamic pressure of `fluxes`.
  bool is_near(real alpha, real nu, const std::vector<real>& changes, const std::vector<real>& fluxes) const;

  /// The changes of `pressures`, for which `fluxes` leave, that satisfy the conditions.
  std::vector<real> changes(const std::vector<real>& fluxes, const std::vector<real>& pressures,
                            const std::vector<std::optional<OutletCondition>>& conditions) const;
  /// sum_k changes[k] (s_k, c_k). Returns the sum of c_k.
  std::vector<real> combine(const std::vector<real>& changes, Field<Edge>& s) const;

  /// A restarted run takes the response for the same alpha and nu, so that it goes on in bits.
  void visit_state(StateVisitor& visitor);
  void state_restored() { is_computed_ = false; }

 private:
  const OutletPressures& outlets_;
  real alpha_ = 0, nu_ = 0;
  bool is_computed_ = false;
  std::optional<Field<Face>> along_duals_, flux_;  // scratch, if there are outlets
  std::optional<Circulation> forces_, right_side_;
  std::vector<Field<Edge>> potentials_;
  std::vector<std::vector<real>> factors_;
  std::vector<real> leaving_less_;  // by a pressure of 1 on outlet j through outlet i, row by row
};

}  // namespace solenoid
