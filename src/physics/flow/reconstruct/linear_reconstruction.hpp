/// Nodal velocities linear in the surrounding fluxes: exact for linear velocities on any tetrahedra.
#pragma once

#include <vector>

#include "field/field.hpp"
#include "physics/flow/boundary/flow_boundary.hpp"
#include "physics/flow/reconstruct/wide_halo_mesh.hpp"

namespace solenoid {

/// v = N U: of each node whose velocity is not given, the value there of the linear velocity without divergence that is
/// nearest, in least squares with weights 1 / (r + .3), to the mean velocities U_f / A_f through the faces of the cells
/// that have the node; r the distance in units of the mean one. Beyond periodic pairs and planes of symmetry the fluid
/// goes on. A node whose faces hardly tell it takes the linear function of those beside it. N and its transpose are
/// kept, three numbers an entry.
class LinearReconstruction {
 public:
  /// `wide` is of `mesh`. Collective; throws a collective Error.
  LinearReconstruction(const LocalMesh& mesh, const WideHaloMesh& wide, const FlowBoundaries& boundaries);

  /// Sets the velocity at owned nodes where it is not given; where it is, it is there on entry. Collective.
  void compute(Exchanged<Face> flux, Field<Node, Vec3>& velocity) const;
  /// along += N^T psi, at owned faces; psi takes what nodes of few faces add to others. Collective.
  void add_transposed(Field<Node, Vec3>& psi, Field<Face>& along) const;

  /// Weights row by row; public because nvcc takes no private types.
  template <class T>
  struct Rows {
    DeviceArray<int> row, begin, column;
    DeviceArray<T> weight;
    std::int64_t bytes() const {
      return static_cast<std::int64_t>((row.size() + begin.size() + column.size()) * sizeof(int) +
                                       weight.size() * sizeof(T));
    }
  };

 private:
  Rows<Vec3> of_nodes_, of_faces_;
  Rows<real> between_, of_sources_;  // of nodes of few faces; and of the nodes that these take from
  bool has_between_ = false;         // on any rank
};

}  // namespace solenoid
