/// Pressure drop over periodic pairs with prescribed flux.
#pragma once

#include <vector>

#include "physics/flow/balance/pressure_probe_flux.hpp"
#include "physics/flow/boundary/pair_fluxes.hpp"
#include "physics/flow/solenoidal/pressure.hpp"

namespace solenoid {

/// A pressure on cells and its additional drop over each periodic pair, from the first patch to the second [m^2/s^2]:
/// its gradient is G p - sum_k d_k s_k.
struct DroppingPressure {
  Field<Cell> values;
  std::vector<real> drops;
  explicit DroppingPressure(const LocalMesh& mesh) : values(mesh), drops(mesh.part().pairs.size(), 0) {}
};

/// For each pair with prescribed flux, the flux h_k = (A/L) (s_k - G p_k) that a drop of 1 over it alone drives, s_k =
/// +-1 on its faces: D h_k = 0, so that h_k . G p = 0 for every p.
class PairPressure {
 public:
  /// Refers to `faces`, which must outlive it. Collective; throws as cg does.
  PairPressure(PressureSystem& system, const PairFaces& faces, std::vector<std::size_t> pairs,
               const SolveControl& control);

  /// flux += sum_k x_k h_k with x such that `wanted` flows through the pairs; pressure += factor sum_k x_k p_k, with
  /// its drops. Collective.
  void correct(const std::vector<real>& wanted, real factor, Field<Face>& flux, DroppingPressure& pressure) const;

  const std::vector<PressureProbeFlux>& flows() const {
    return virtual_flows_;
  }  ///< h_k of each pair with prescribed flux
  /// The drops d_k with r + G p - sum_k d_k s_k = 0 for some p, from `powers` h_k . r; 0 if the flux is not prescribed.
  std::vector<real> drops(const std::vector<real>& powers) const;

 private:
  const PairFaces& faces_;
  std::vector<std::size_t> pairs_;
  std::vector<Field<Cell>> pressures_;
  std::vector<Field<Face>> flows_;
  std::vector<PressureProbeFlux> virtual_flows_;
  std::vector<real> through_;  // of h_j through pair i
};

}  // namespace solenoid
