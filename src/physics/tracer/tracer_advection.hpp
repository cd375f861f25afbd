/// Advection of tracers through a step of the flow, on the device.
#pragma once

#include <cstdint>
#include <vector>

#include "base/vec3.hpp"
#include "model/node_velocity.hpp"
#include "physics/tracer/cell_neighbours.hpp"

namespace solenoid {

/// Stage of a tracer in a step of the fourth-order Runge-Kutta method: moving to the point of the first to fourth
/// velocity evaluation; moving to the end of the step; arrived; or gone.
enum class TracerStage : int { first, second, third, fourth, end, done, left, lost };

/// A particle without mass that follows the flow.
struct Tracer {
  Vec3 place;      ///< at the beginning of the step, then at its end [m]
  Vec3 from, to;   ///< the present straight path [m]
  Vec3 way;        ///< displacement of the step from the velocities so far [m]
  real begin = 0;  ///< fraction of the step at which the tracer starts: > 0 if released within the step
  real born = 0;   ///< release time [s]
  std::int64_t id = 0;
  int cell = -1;   ///< local, at the present point of the path
  int patch = -1;  ///< through which it left
  TracerStage stage = TracerStage::done;
  std::int64_t cell_id = -1;  ///< global id, between steps and between ranks

  /// Prepares the next step, from the present position.
  void set_out() {
    from = to = place;
    way = {};
    stage = TracerStage::first;
  }
};

/// A step of the flow: its length [s], and the velocities at its beginning and end.
struct CarryingStep {
  real dt;
  Exchanged<Node, NodeVelocity> before, after;
};

class TracerAdvection {
 public:
  /// Refers to the mesh; queries the open patches of the carrier.
  TracerAdvection(const LocalMesh& mesh, const AdvectingVelocity& carrier, const MemoryOf& = MemoryOf("tracers"));

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
