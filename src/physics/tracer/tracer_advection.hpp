/// Advection of tracers through a step of the flow, on the device.
#pragma once

#include <vector>

#include "model/advecting_velocity.hpp"
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
  /// Refers to the mesh; asks the carrier what is open.
  TracerAdvection(const LocalMesh& mesh, const AdvectingVelocity& carrier);

  /// Takes tracers in local cells, each from its `begin` of the step to the end by the classical Runge-Kutta method of
  /// fourth order, with velocities that change linearly in time. They walk from cell to cell along straight lines.
  /// Where one has to go on in a cell that other ranks have, it stops on its way in the last one that is known here:
  /// whose owner takes it on, gets the same bits. At a patch that is open one leaves; at others it goes on along the
  /// face that it came to. Beyond a face of the boundary the cell's velocity goes on as the quadratic that it is.
  void advance(std::vector<Tracer>& tracers, const CarryingStep& step) const;

  /// The velocity of each where it is [m/s].
  std::vector<Vec3> velocities(const std::vector<Tracer>& tracers, Exchanged<Node, NodeVelocity> nodes) const;

 private:
  CellNeighbours ways_;
  DeviceArray<char> is_open_;  // by patch
};

}  // namespace solenoid
