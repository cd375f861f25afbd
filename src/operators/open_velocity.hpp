/// Velocity of the fluid at openings, from just inside them.
#pragma once

#include <vector>

#include "operators/node_means.hpp"

namespace solenoid {

/// Velocity behind each open face, at the opposite node: the volume-weighted mean over the surrounding cells. The
/// velocity of the adjacent cell alone, of first order, has a one-sided error: 0.14 h du/dy on equilateral triangles,
/// an error in the vorticity at the opening that mesh refinement would not remove. Around an inner node the errors of
/// the cells have all directions.
class OpenVelocity {
 public:
  /// `is_open`: per face of mesh.boundary().
  OpenVelocity(const LocalMesh& mesh, const std::vector<char>& is_open);

  /// Sets `behind` [m/s] at the owned nodes opposite to open faces.
  void compute(Exchanged<Cell, Vec3> velocity, Field<Node, Vec3>& behind) const { means_.compute(velocity, behind); }

 private:
  NodeMeans means_;
};

/// The node of a boundary face's cell that is not on the face.
int opposite_node(const MeshPart& part, const BoundaryFace& face);

}  // namespace solenoid
