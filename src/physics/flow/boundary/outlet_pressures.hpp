/// Outlets whose pressure follows from the flux through them: flow rates, shares, resistances, windkessels.
#pragma once

#include <optional>
#include <vector>

#include "model/state_visitor.hpp"
#include "model/time_scheme.hpp"
#include "physics/flow/boundary/flow_boundary.hpp"
#include "physics/flow/boundary/flux_surfaces.hpp"

namespace solenoid {

/// flux = rate + slope pressure, at one time: a given flux has the slope 0.
struct OutletCondition {
  real rate = 0, slope = 0;
};

/// Given fluxes through all outlets, or shares of more than there is, in words; empty: neither.
std::string fault_of_given_fluxes(const std::vector<std::string>& patches, const FlowBoundaries& boundaries);

/// The outlets of a flow with a condition behind them, and the uniform pressure p_k that each has besides the
/// prescribed one [m^2/s^2]. Vessels store fluid over a step by the flow's own time scheme, so that the pressure and
/// the flux at its end belong together.
class OutletPressures {
 public:
  /// Collective. Throws a collective Error (exit code 2) if every outlet has a given flux. Refers to both, which must
  /// outlive it.
  OutletPressures(const LocalMesh& mesh, const FlowBoundaries& boundaries);

  bool empty() const { return patches_.empty(); }
  const std::vector<int>& patches() const { return patches_; }  ///< in ascending order; values below are in this order
  const FluxSurfaces& faces() const { return faces_; }          ///< out of the domain
  bool has_given_fluxes() const;

  /// Samples flow rates at `time` [s]; `fluxes`: prescribed ones of mesh.boundary(), for shares. Collective; throws a
  /// collective Error (exit code 2) where a formula does.
  void sample(real time, const std::vector<real>& fluxes);
  /// Per outlet the flux that is given [m^3/s, in 2D m^2/s].
  std::vector<std::optional<real>> given_fluxes() const;
  /// Speed of these fluxes, spread over their outlets [m/s].
  real largest_speed() const;
  /// The largest p_c, now or at the older instant [m^2/s^2].
  real largest_stored() const;
  /// Twice the dynamic pressure of these fluxes, the largest of all outlets [m^2/s^2].
  real largest_dynamic_pressure(const std::vector<real>& fluxes) const;

  const std::vector<real>& now() const { return now_; }  ///< p_k
  /// p_k at the end of the next step, extrapolated.
  std::vector<real> expected(real dt, real history_span) const;
  /// At the end of a step.
  std::vector<std::optional<OutletCondition>> conditions(const TimeCoefficients& scheme, real dt) const;
  /// Where only given fluxes count, these or 0: elsewhere the pressure stays as it is.
  std::vector<std::optional<OutletCondition>> conditions_of_fluxes(bool at_rest) const;

  /// A flow begins with these fluxes through the outlets.
  void begin(const std::vector<real>& fluxes);
  /// A step of `dt` ends; `keeps_older`: it leaves the older instant of the history in place.
  void advance(const TimeCoefficients& scheme, real dt, std::vector<real> pressures, const std::vector<real>& fluxes,
               bool keeps_older);
  void revert() { show(begun_); }

  /// Sets the pressures that the balance of momentum sees: now(), or before the first step those of given fluxes.
  void show(const std::vector<real>& pressures) { set(pressures, shown_by_patch_); }
  /// now() and the shown ones on the device, per patch of the mesh, 0 on others.
  const DeviceArray<real>& now_by_patch() const { return now_by_patch_; }
  const DeviceArray<real>& shown_by_patch() const { return shown_by_patch_; }

  void visit_state(StateVisitor& visitor);

 private:
  const Outlet& outlet(std::size_t k) const { return *boundaries_.outlet(patches_[k]); }
  const Windkessel* behind(std::size_t k) const { return std::get_if<Windkessel>(&outlet(k).behind); }
  /// Null where nothing is stored.
  const Windkessel* vessels(std::size_t k) const { return behind(k) && behind(k)->stores() ? behind(k) : nullptr; }
  /// Those behind outlet k take Q = flux_by_pressure p_c + past at the end of a step.
  struct Storage {
    real flux_by_pressure, past;
  };
  Storage storage(std::size_t k, const TimeCoefficients& scheme, real dt) const;

  void set(const std::vector<real>& pressures, DeviceArray<real>& by_patch) const;
  void set_now();

  const LocalMesh& mesh_;
  const FlowBoundaries& boundaries_;
  std::vector<int> patches_;
  FluxSurfaces faces_;
  std::vector<real> areas_, given_;  // given_: fluxes, counts where one is given
  std::vector<real> now_, older_, begun_;
  std::vector<real> stored_, stored_older_;  // p_c
  DeviceArray<real> now_by_patch_, shown_by_patch_;
};

}  // namespace solenoid
