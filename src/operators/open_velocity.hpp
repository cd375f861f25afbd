/// Velocity of the fluid along openings, that just inside them.
#pragma once

#include <vector>

#include "operators/node_means.hpp"

namespace solenoid {

/// Behind each face that is open, at the node opposite to it: the mean over the cells around, weighted with their
/// volumes. The velocity of the cell at the face alone, of first order, errs to one side there: by 0.14 h du/dy on
/// equilateral triangles, which no finer mesh would take off the vorticity at the opening. Around a node inside, cells
/// err to all sides.
class OpenVelocity {
 public:
  /// `is_open`: per mesh.boundary().
  OpenVelocity(const LocalMesh& mesh, const std::vector<char>& is_open);

  /// Sets `behind` [m/s] at the owned nodes opposite to open faces.
  void compute(Exchanged<Cell, Vec3> velocity, Field<Node, Vec3>& behind) const { means_.compute(velocity, behind); }

 private:
  NodeMeans means_;
};

/// The node of a boundary face's cell that the face does not have.
int opposite_node(const MeshPart& part, const BoundaryFace& face);

}  // namespace solenoid
