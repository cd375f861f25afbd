/// Prescribed fluxes of the boundary, and their balance.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "physics/flow/solenoidal/spanning_tree_projection.hpp"

namespace solenoid {

/// Largest imbalance of a part of the domain without outlets, relative to the sum of its flux magnitudes: the
/// quadrature of BoundaryFaces leaves less for fluxes that do balance. It is subtracted from them.
constexpr real quadrature_leaves = 1e-6;

/// The difference of two numbers rounded to integers, which may be too large for integers of 64 bits.
inline std::int64_t quanta_between(real from, real to) {
  return static_cast<std::int64_t>(std::round(to) - std::round(from));
}

/// Inflow must equal outflow in a part of the domain without outlets: the quadrature's imbalance is subtracted from its
/// fluxes in proportion to them; rounded fluxes balance in bits.
class PrescribedFluxes {
 public:
  /// Refers to `mesh`, which must outlive it. Collective.
  PrescribedFluxes(const LocalMesh& mesh, const FlowBoundaries& boundaries, const SpanningTreeProjection& tree);

  /// `flux` [m^3/s]: through each of mesh.boundary() along its own normal. `running_sums`: of the same faces; in a part
  /// without outlets the other fluxes balance those with a flow rate, if there are any. `circulations`: of fluxes
  /// besides, which are not changed. Collective; throws a collective Error (exit code 2) if a part of the domain
  /// would fill or empty.
  void set(const std::vector<real>& flux, const RunningSums& running_sums, const EdgeIntegrals& circulations);
  /// The same in 2D from the stream function at both ends of each of them: its values are rounded instead of fluxes, so
  /// that the sum along a patch is within a grid spacing.
  void set(const std::vector<std::array<real, 2>>& ends);

  /// Sets the prescribed fluxes.
  void impose(Field<Face>& flux) const;
  /// The same in multiples of the grid spacing of `largest`, see round_to_grid. In a part without outlets the largest
  /// flux absorbs the rounding error. Collective.
  void impose_rounded(real largest, Field<Face>& flux);

 private:
  /// A face with prescribed flux.
  struct GivenFace {
    int place;             // in mesh.boundary()
    int part;              // among the parts without outlets, -1 in others
    real inward;           // +1 where the normal enters the domain, else -1
    bool is_kept = false;  // of an inlet with a flow rate that is not changed to balance the part
  };
  void round_fluxes(real spacing);

  const LocalMesh& mesh_;
  std::vector<GivenFace> faces_;  // owned
  std::size_t parts_ = 0;
  std::vector<real> fluxes_;                    // of faces_
  std::vector<std::array<real, 2>> ends_{};     // of each flux of faces_: it is their difference
  std::vector<std::array<real, 3>> besides_{};  // circulations of faces_
  real rounded_to_ = 0;                         // the grid spacing of rounded_, 0 if that is out of date
  DeviceArray<int> face_;                       // local
  DeviceArray<real> given_, rounded_;
};

}  // namespace solenoid
