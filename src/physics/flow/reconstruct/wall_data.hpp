/// Velocities of walls and inlets as data of the reconstructions.
#pragma once

#include <span>
#include <vector>

#include "physics/flow/boundary/boundary_velocity.hpp"
#include "physics/flow/reconstruct/wide_halo_mesh.hpp"

namespace solenoid {

/// The corner of a WallData place at this point.
struct WallCorner {
  int place, point;
};

/// For faces that the fluid sticks to: mean velocities along their tangents, and the velocity at their corners.
class WallData {
 public:
  /// For those among `faces` of wide.part. Refers to `wide` and `boundaries`, which must outlive it.
  WallData(const WideHaloMesh& wide, const FlowBoundaries& boundaries, std::vector<int> faces);

  /// Samples the velocities at `time` [s], each from the face's own patch. For use inside a guard.
  void sample(real time);

  /// Place of a face, -1 if the fluid does not stick to it.
  int place(int face) const { return place_[static_cast<std::size_t>(face)]; }

  /// dimension - 1 values per place: along the first side, from the first corner to the second, and in 3D along the
  /// face's own normal x that.
  const std::vector<real>& along() const { return along_; }
  /// Mean velocity over some corners.
  Vec3 mean_at(std::span<const WallCorner> corners) const;

 private:
  const WideHaloMesh& wide_;
  const FlowBoundaries& boundaries_;
  std::vector<int> place_, faces_;
  std::vector<BoundaryPlace> places_;  // per face its corners and the points of a rule
  bool is_sampled_ = false;
  std::vector<real> along_;
  std::vector<Vec3> corners_;  // `dimension` per place
};

}  // namespace solenoid
