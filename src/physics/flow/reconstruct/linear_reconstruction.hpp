/// Nodal velocities linear in the surrounding fluxes: exact for linear velocities on any simplices.
#pragma once

#include <vector>

#include "field/field.hpp"
#include "physics/flow/boundary/flow_boundary.hpp"
#include "physics/flow/reconstruct/wide_halo_mesh.hpp"

namespace solenoid {

/// v = N U. At a node without a prescribed velocity, v is the value of the linear, divergence-free velocity closest to
/// the mean velocities U_f / A_f through the faces of the cells around the node: least squares, weights 1 / (r + .3), r
/// the distance in units of the mean one. The stencil continues beyond periodic pairs and planes of symmetry. Where its
/// faces hardly determine the fit, v interpolates the neighbours linearly. On triangles nodes of fewer than six take
/// the next ring of cells, too: the mesh has two layers of halo there. N and its transpose are stored, three numbers an
/// entry.
class LinearReconstruction {
 public:
  /// `wide` belongs to `mesh`. Collective; throws a collective Error.
  LinearReconstruction(const LocalMesh& mesh, const WideHaloMesh& wide, const FlowBoundaries& boundaries,
                       const MemoryOf& = MemoryOf("velocity at nodes"));

  /// Sets the velocity at owned nodes, except prescribed ones, which must be set on entry. Collective.
  void compute(Exchanged<Face> flux, Field<Node, Vec3>& velocity) const;
  /// along += N^T psi at owned faces. Adds to psi, at their sources, the shares of interpolated nodes. Collective.
  void add_transposed(Field<Node, Vec3>& psi, Field<Face>& along) const;

  /// Weights row by row; public because nvcc does not accept private types.
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
  Rows<real> between_, of_sources_;  // of interpolated nodes, and of their source nodes
  bool has_between_ = false;         // on any rank
};

}  // namespace solenoid
