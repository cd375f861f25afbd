/// What is given of the potential of a flow in 2D: s on the boundary, and its jumps over periodic pairs.
#pragma once

#include "physics/flow/solenoidal/potential_jumps.hpp"

namespace solenoid {

struct GivenPotential {
  BoundaryPotential boundary;
  PotentialJumps jumps;
  Field<Edge> offset;             ///< s on the boundary from the given fluxes
  std::vector<real> given_jumps;  ///< of s over pairs, from these too; 0 where they leave it open

  /// Refers to `mesh`, which must outlive it. Collective.
  GivenPotential(const LocalMesh& mesh, const FlowBoundaries& boundaries)
      : boundary(mesh, boundaries), jumps(mesh, boundary), offset(mesh), given_jumps(jumps.count(), 0) {}
  GivenPotential(const GivenPotential&) = delete;
  GivenPotential& operator=(const GivenPotential&) = delete;

  /// Takes what is given, see BoundaryPotential::offsets.
  void take(const std::vector<real>& fluxes, const std::vector<real>& through_pairs) {
    const BoundaryPotential::Offsets offsets = boundary.offsets(fluxes, through_pairs);
    offset.from_host(std::span(offsets.of_nodes).first(offset.owned()));
    given_jumps = offsets.jumps;
  }
};

}  // namespace solenoid
