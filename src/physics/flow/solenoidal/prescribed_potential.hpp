/// The prescribed part of a stream function in 2D: s on the boundary, and its jumps over periodic pairs.
#pragma once

#include "physics/flow/solenoidal/harmonic_fluxes_2d.hpp"

namespace solenoid {

struct PrescribedPotential {
  BoundaryStreamFunction boundary;
  HarmonicFluxes2d jumps;
  Field<Edge> offset;             ///< s on the boundary from the prescribed fluxes
  std::vector<real> given_jumps;  ///< of s over pairs, from these too; 0 if they are not fixed

  /// Refers to `mesh`, which must outlive it. Collective.
  PrescribedPotential(const LocalMesh& mesh, const FlowBoundaries& boundaries)
      : boundary(mesh, boundaries), jumps(mesh, boundary), offset(mesh), given_jumps(jumps.count(), 0) {}
  PrescribedPotential(const PrescribedPotential&) = delete;
  PrescribedPotential& operator=(const PrescribedPotential&) = delete;

  /// Sets both from prescribed fluxes, see BoundaryStreamFunction::offsets.
  void set(const std::vector<real>& fluxes, const std::vector<real>& through_pairs) {
    const BoundaryStreamFunction::Offsets offsets = boundary.offsets(fluxes, through_pairs);
    offset.from_host(std::span(offsets.of_nodes).first(offset.owned()));
    given_jumps = offsets.jumps;
  }
};

}  // namespace solenoid
