/// Inflow through outlets, over the two rings of cells whose stencils are cut off there (2D).
#pragma once

#include <optional>

#include "field/field.hpp"
#include "physics/flow/boundary/flow_boundary.hpp"

namespace solenoid {

/// Of what passes the faces of outlets at a node, the share that enters: 0 to 1. Of a node beside outlets, at the other
/// end of a face, the largest of its neighbours'.
class EnteringShare {
 public:
  /// Refers to neither. Collective.
  EnteringShare(const LocalMesh& mesh, const FlowBoundaries& boundaries);

  bool has_outlets() const { return shares_.has_value(); }  ///< on any rank
  /// Owned faces with an end on an outlet or beside one.
  const DeviceArray<int>& faces() const { return faces_; }

  /// The shares now, 0 away from outlets. Only where has_outlets(). Collective.
  Exchanged<Node> compute(Exchanged<Face> flux);

 private:
  std::optional<Field<Node>> on_outlets_, shares_;  // on outlets alone; with the nodes beside them
  DeviceArray<real> outward_;                // per local face: of outlets +1 where its normal leaves the domain or -1
  DeviceArray<int> nodes_, faces_;           // nodes_: owned ones on outlets
  DeviceArray<int> near_, begin_, outlets_;  // owned nodes on and beside outlets; the nodes of outlets there
};

}  // namespace solenoid
