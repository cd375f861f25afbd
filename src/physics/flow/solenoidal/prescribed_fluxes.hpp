/// Prescribed fluxes of the boundary, and their balance.
#pragma once

#include <vector>

#include "physics/flow/solenoidal/spanning_tree_projection.hpp"

namespace solenoid {

/// Of all that passes a part of the domain without outlets, what may enter more than leaves: the rules of BoundaryFaces
/// leave less of fluxes that do balance. It is taken off them.
constexpr real quadrature_leaves = 1e-6;

/// Where a part of the domain has no outlets, what is given to enter has to leave: up to what quadrature leaves, which
/// is taken off all fluxes of the part in proportion to them, and in bits once they are rounded.
class PrescribedFluxes {
 public:
  /// Refers to `mesh`, which must outlive it. Collective.
  PrescribedFluxes(const LocalMesh& mesh, const FlowBoundaries& boundaries, const SpanningTreeProjection& tree);

  /// `flux` [m^3/s]: through each of mesh.boundary() along its own normal. Collective; throws a collective Error (exit
  /// code 2) where a part of the domain would fill or empty.
  void set(const std::vector<real>& flux);

  /// Sets the fluxes that are given.
  void impose(Field<Face>& flux) const;
  /// The same in multiples of the grid spacing of `largest`, see round_to_grid; what rounding leaves in a part without
  /// outlets is taken off its largest one. Collective.
  void impose_rounded(real largest, Field<Face>& flux);

 private:
  /// A face whose flux is given.
  struct GivenFace {
    int place;    // in mesh.boundary()
    int part;     // among the parts without outlets, -1 in others
    real inward;  // +1 where the normal enters the domain, else -1
  };
  void round_fluxes(real spacing);

  const LocalMesh& mesh_;
  std::vector<GivenFace> faces_;  // owned
  std::size_t parts_ = 0;
  std::vector<real> fluxes_;  // of faces_
  real rounded_to_ = 0;       // the grid spacing of rounded_, 0: not of these fluxes
  DeviceArray<int> face_;     // local
  DeviceArray<real> given_, rounded_;
};

}  // namespace solenoid
