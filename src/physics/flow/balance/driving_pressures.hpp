/// Pressures that follow from fluxes: drops over periodic pairs with prescribed flux, and pressures of outlets.
#pragma once

#include <optional>
#include <vector>

#include "physics/flow/balance/pressure_probe_flux.hpp"
#include "physics/flow/boundary/outlet_pressures.hpp"
#include "physics/flow/boundary/pair_drives.hpp"
#include "physics/flow/solenoidal/pressure.hpp"

namespace solenoid {

/// A pressure on cells, its additional drop d_k over each periodic pair, from the first patch to the second, and the
/// pressures q_k on the outlets of OutletPressures [m^2/s^2]: its gradient is G p - sum_k d_k s_k + sum_k q_k s_k.
struct DroppingPressure {
  Field<Cell> values;
  std::vector<real> drops, outlets;
  DroppingPressure(const LocalMesh& mesh, const OutletPressures& of)
      : values(mesh), drops(mesh.part().pairs.size(), 0), outlets(of.patches().size(), 0) {}
};

/// For each pair with prescribed flux, and each outlet of OutletPressures, the flux h_k = (A/L) (s_k - G p_k) that a
/// drop of 1 over it alone drives, s_k = +-1 on its faces: D h_k = 0, so that h_k . G p = 0 for every p.
class DrivingPressures {
 public:
  /// Refers to `pairs` and `outlets`, which must outlive it. Collective; throws as cg does.
  DrivingPressures(PressureSystem& system, const PairDrives& pairs, const OutletPressures& outlets,
                   const SolveControl& control);

  /// Conditions of a correction.
  struct Wanted {
    const std::vector<real>& through_pairs;                         ///< counts where it is prescribed
    const std::vector<std::optional<OutletCondition>>& at_outlets;  ///< without one, the pressure stays
    const std::vector<real>& pressures;                             ///< of outlets before the correction
  };
  /// flux += sum_k x_k h_k with x such that it is as wanted; pressure += factor sum_k x_k p_k, with its drops and
  /// pressures of outlets. Collective.
  void correct(const Wanted& wanted, real factor, Field<Face>& flux, DroppingPressure& pressure) const;

  /// h_k of each pair with prescribed flux.
  const std::vector<PressureProbeFlux>& flows_of_pairs() const { return probes_; }
  /// The drops d_k over pairs with r + G p - sum_k d_k s_k = 0 for some p, from `powers` h_k . r; 0 if the flux is not
  /// prescribed.
  std::vector<real> drops(const std::vector<real>& powers) const;

 private:
  std::vector<real> through(const Field<Face>& flux) const;

  const PairDrives& pairs_;
  const OutletPressures& outlets_;
  std::vector<Field<Cell>> pressures_;  // first of pairs, then of outlets
  std::vector<Field<Face>> flows_;
  std::vector<PressureProbeFlux> probes_;
  std::vector<real> through_;  // of h_j through surface i
};

}  // namespace solenoid
