/// What drives a flow through periodic pairs: prescribed fluxes, and drops of the pressure.
#pragma once

#include <vector>

#include "physics/flow/boundary/flow_boundary.hpp"
#include "physics/flow/boundary/flux_surfaces.hpp"

namespace solenoid {

class PairDrives {
 public:
  /// Refers to both, which must outlive it.
  PairDrives(const LocalMesh& mesh, const FlowBoundaries& boundaries);

  /// Evaluates the drives at `time` [s]. For use inside a guard.
  void sample(real time);

  const FluxSurfaces& faces() const { return faces_; }
  /// The pairs whose flux is prescribed.
  const std::vector<std::size_t>& driven() const { return driven_; }
  /// By pair, from its first patch to its second [m^3/s, in 2D m^2/s]; counts where one is prescribed.
  const std::vector<real>& fluxes() const { return fluxes_; }
  /// Prescribed pressure drops by pair [m^2/s^2], 0 where there is none.
  const std::vector<real>& drops() const { return drops_; }

 private:
  const FlowBoundaries& boundaries_;
  FluxSurfaces faces_;
  std::vector<std::size_t> driven_;
  std::vector<real> fluxes_, drops_;
};

}  // namespace solenoid
