/// Values at points that lie anywhere in the mesh: which cell on which rank holds each, and the velocity there.
#pragma once

#include <string>
#include <vector>

#include "physics/velocity_fit.hpp"

namespace solenoid {

/// Points, each found in the cell with the lowest global id that contains it: the same cell on any partition.
class PointSampler {
 public:
  /// Collective. Throws a collective Error (exit code 2) that names `what` and the point where one lies outside the
  /// mesh.
  PointSampler(const LocalMesh& mesh, std::vector<Vec3> points, const std::string& what);

  const std::vector<Vec3>& points() const { return points_; }

  /// Velocity [m/s] at each point, on every rank. Collective.
  std::vector<Vec3> velocity(const std::vector<NodeVelocity>& nodes_with_halo) const;

 private:
  struct Found {
    int point, cell;
    real weight[4];  // barycentric coordinates
  };
  const LocalMesh& mesh_;
  std::vector<Vec3> points_;
  std::vector<Found> found_;  // the points this rank answers for
};

}  // namespace solenoid
