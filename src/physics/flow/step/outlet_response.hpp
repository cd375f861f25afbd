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
  explicit OutletResponse(const OutletPressures& outlets) : outlets_(outlets) {}

  /// Collective; throws as cg does.
  void compute(real alpha, real nu, SolenoidalSpace& space, VorticityMomentumSystem& system,
               const SolveControl& control);
  void forget() { alpha_ = 0; }
  bool is_known() const { return alpha_ > 0; }
  /// Whether these changes of `pressures` may be made for `alpha`, too: what the momentum balance lacks by that is
  /// small.
  bool is_near(real alpha, const std::vector<real>& changes, const std::vector<real>& pressures) const;

  /// The changes of `pressures`, for which `fluxes` leave, that satisfy the conditions.
  std::vector<real> changes(const std::vector<real>& fluxes, const std::vector<real>& pressures,
                            const std::vector<std::optional<OutletCondition>>& conditions) const;
  /// sum_k changes[k] (s_k, c_k). Returns the sum of c_k.
  std::vector<real> combine(const std::vector<real>& changes, Field<Edge>& s) const;

 private:
  const OutletPressures& outlets_;
  real alpha_ = 0;  // 0: not known
  std::vector<Field<Edge>> potentials_;
  std::vector<std::vector<real>> factors_;
  std::vector<real> leaving_less_;  // by a pressure of 1 on outlet j through outlet i, row by row
};

}  // namespace solenoid
