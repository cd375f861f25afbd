/// Inflow through outlets, over the two rings of cells whose stencils are cut off there (2D).
#pragma once

#include <optional>

#include "field/field.hpp"
#include "physics/flow/boundary/flow_boundary.hpp"

namespace solenoid {

/// Share of inflow in all that passes the outlet faces at a node, from 0 to 1. A node one face away from outlets has
/// the largest share of its neighbours on outlets.
class EnteringShare {
 public:
  /// Keeps no reference to either. Collective.
  EnteringShare(const LocalMesh& mesh, const FlowBoundaries& boundaries);

  bool has_outlets() const { return shares_.has_value(); }  ///< on any rank
  /// Owned faces with an end on an outlet or one face away from one.
  const DeviceArray<int>& faces() const { return faces_; }

  /// The present shares, 0 away from outlets. Only if has_outlets(). Collective.
  Exchanged<Node> compute(Exchanged<Face> flux);

 private:
  std::optional<Field<Node>> on_outlets_, shares_;  // first on outlets alone, then with their neighbours
  DeviceArray<real> outward_;  // per local face: on outlets +1 where its normal leaves the domain, else -1; 0 elsewhere
  DeviceArray<int> nodes_, faces_;           // nodes_: owned ones on outlets
  DeviceArray<int> near_, begin_, outlets_;  // owned nodes on and next to outlets; the outlet nodes there
};

}  // namespace solenoid
