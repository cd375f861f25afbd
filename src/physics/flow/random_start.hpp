/// A random flow with a given spectrum of energy, in a periodic box.
#pragma once

#include "field/field.hpp"
#include "mesh/topology.hpp"
#include "model/coefficient.hpp"
#include "model/frame.hpp"

namespace solenoid {

/// Waves of the box, with the energy that E(k) [m^3/s^2] at the "point" (k, 0, 0) [1/m] has in each shell as wide as
/// the least wave number, up to half a wave in the spacing of the nodes; in directions and with phases that follow from
/// the seed alone.
struct RandomStart {
  Coefficient<real> spectrum;
  int seed = 1;

  /// sqrt(2 E) of its energy E [m/s].
  real speed(const GlobalMesh& box) const;
  RandomStart seen(const Frame& frame) const;
};

/// Whether a mesh of tetrahedra is periodic along three axes at right angles, without any other boundary.
bool is_periodic_box(const GlobalMesh& mesh);

/// Fluxes of the flow's vector potential: its line integrals along the edges are exact, and the divergence of the
/// fluxes is 0 but for round-off. `mesh` is_periodic_box(). Collective; throws a collective Error where the spectrum is
/// negative.
Field<Face> random_flux(const RandomStart& start, const LocalMesh& mesh);

}  // namespace solenoid
