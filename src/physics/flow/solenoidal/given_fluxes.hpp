/// Fluxes that the boundary gives, and how they balance.
#pragma once

#include <vector>

#include "physics/flow/solenoidal/flux_tree.hpp"

namespace solenoid {

/// Of all that passes a part of the domain without outlets, what may enter more than leaves: the rules of BoundaryFaces
/// leave less of fluxes that do balance. It is taken off them.
constexpr real quadrature_leaves = 1e-6;

/// Where a part of the domain has no outlets, what is given to enter has to leave: up to what quadrature leaves, which
/// is taken off all fluxes of the part in proportion to them, and in bits once they are rounded.
class GivenFluxes {
 public:
  /// Refers to `mesh`, which must outlive it. Collective.
  GivenFluxes(const LocalMesh& mesh, const FlowBoundaries& boundaries, const FluxTree& tree);

  /// `flux` [m^3/s]: through each of mesh.boundary() along its own normal. Collective; throws a collective Error (exit
  /// code 2) where a part of the domain would fill or empty.
  void take(const std::vector<real>& flux);

  /// Sets the fluxes that are given.
  void impose(Field<Face>& flux) const;
  /// The same in multiples of the quantum of `largest`, see round_to_quantum; what rounding leaves in a part without
  /// outlets is taken off its largest one. Collective.
  void impose_rounded(real largest, Field<Face>& flux);

 private:
  /// A face whose flux is given.
  struct GivenFace {
    int place;    // in mesh.boundary()
    int part;     // among the parts without outlets, -1 in others
    real inward;  // +1 where the normal enters the domain, else -1
  };
  void find_rounded(real quantum);

  const LocalMesh& mesh_;
  std::vector<GivenFace> faces_;  // owned
  std::size_t parts_ = 0;
  std::vector<real> fluxes_;  // of faces_
  real rounded_to_ = 0;       // the quantum of rounded_, 0: not of these fluxes
  DeviceArray<int> face_;     // local
  DeviceArray<real> given_, rounded_;
};

}  // namespace solenoid
