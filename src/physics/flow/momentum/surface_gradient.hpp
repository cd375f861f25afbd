/// Stress on a boundary whose velocity varies along it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "field/boundary_field.hpp"
#include "operators/means.hpp"
#include "parallel/pending.hpp"
#include "physics/flow/boundary/flow_boundary.hpp"
#include "physics/flow/boundary/symmetry_planes.hpp"

namespace solenoid {

/// (n x grad) x u = (grad u)^T n - n div u [1/s], n out of the fluid: derivatives along the boundary alone. The stress
/// of a divergence-free fluid is (grad u + grad u^T) n = omega x n + 2 (n x grad) x u. The integral over a face is that
/// of dl x u around it (Stokes), over a piece of boundary that around its rim, over a closed surface 0.
///
/// Where the condition prescribes the velocity, it is that of the face's own patch at boundary_places(), linear in
/// between. On outlets and planes of symmetry each edge (in 2D node) has the prescribed velocity of adjacent faces,
/// else the mean of the cells around, without its part across planes of symmetry.
class SurfaceGradient {
 public:
  /// Begins with a boundary at rest. Refers to the mesh, which must outlive it.
  SurfaceGradient(const LocalMesh& mesh, const FlowBoundaries& boundaries,
                  const MemoryOf& = MemoryOf("gradient on surface"));

  /// Sets the velocity of the boundary, at places_on_boundary().
  void set(std::span<const Vec3> velocity);
  /// Copies the fluid's velocity where no condition prescribes one. Collective.
  void update(Field<Cell, Vec3>& velocity);

  /// Adds `factor` times the term to the means over the faces.
  void add_to(real factor, BoundaryField<Vec3>& stress) const;
  /// `factor` times the integral of u . (n x grad) x u over this rank's faces [m^3/s^2, in 2D m^2/s^2].
  PendingSums<1> power(real factor) const;

 private:
  /// Data at the edges of faces without prescribed velocity.
  struct Open {
    std::vector<int> given;                         // owned edges whose adjacent faces have a prescribed velocity
    std::vector<std::vector<std::size_t>> sources;  // its places in places_on_boundary()
    DeviceArray<int> place, edge, given_edge;       // places that copy from an edge; the edges of `given`
    DeviceArray<Vec3> given_velocity;
    MeansAround<Edge> means;
    SymmetryPlanes<Edge> planes;
    Field<Edge, Vec3> velocity;
    explicit Open(const LocalMesh& mesh) : velocity(mesh) {}
  };

  const LocalMesh& mesh_;
  std::vector<std::size_t> sources_;  // of owned boundary faces, place by place: index in places_on_boundary()
  DeviceArray<Vec3> arm_, velocity_;  // in the same order: dl around the face, in 2D -/+ e_z at its ends; u
  std::optional<Open> open_;
};

}  // namespace solenoid
