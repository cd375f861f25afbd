/// Advection of tracers through a step of the flow, on the device.
#pragma once

#include <vector>

#include "model/node_velocity.hpp"
#include "physics/tracer/cell_neighbours.hpp"
#include "physics/tracer/tracer.hpp"

namespace solenoid {

/// A step of the flow: its length [s], and the velocities at its beginning and end.
struct CarryingStep {
  real dt;
  Exchanged<Node, NodeVelocity> before, after;
};

class TracerAdvection {
 public:
  /// Refers to the mesh; queries the open patches of the carrier.
  TracerAdvection(const LocalMesh& mesh, const AdvectingVelocity& carrier);

  /// Advances tracers in local cells, each from its `begin` to the end of the step, by the classical Runge-Kutta method
  /// of fourth order, with velocities linear in time. They walk from cell to cell along straight lines. A tracer that
  /// enters a cell unknown to this rank stops in the last known one; the owner of that cell continues with identical
  /// bits. At an open patch a tracer leaves; at other patches it slides along the boundary face. Beyond a boundary face
  /// the cell's quadratic velocity is extrapolated.
  void advance(std::vector<Tracer>& tracers, const CarryingStep& step) const;

  /// The velocity at each tracer's position [m/s].
  std::vector<Vec3> velocities(const std::vector<Tracer>& tracers, Exchanged<Node, NodeVelocity> nodes) const;

 private:
  CellNeighbours ways_;
  DeviceArray<char> is_open_;  // by patch
};

}  // namespace solenoid
