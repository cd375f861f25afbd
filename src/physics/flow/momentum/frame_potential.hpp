/// The potential of a centrifugal force in cells and on the boundary.
#pragma once

#include <functional>

#include "field/boundary_field.hpp"
#include "physics/flow/boundary/closed_parts.hpp"

namespace solenoid {

/// Mean over a face of a quadratic function of place: Simpson's rule, or that of the midpoints of edges.
real mean_over_face(const MeshPart& part, int face, const std::function<real(const Vec3&)>& function);

/// What the pressure has beyond the reduced one that steps know.
class FramePotential {
 public:
  /// `potential`: [m^2/s^2] of a local cell at a place in it or on its boundary, quadratic. Refers to the mesh, which
  /// must outlive it. `closed`: where the volume mean of pressures is zero. Collective.
  FramePotential(const LocalMesh& mesh, const ClosedParts& closed,
                 const std::function<real(int cell, const Vec3& place)>& potential);

  /// Adds it to a reduced pressure in cells; where that has the volume mean zero so has the sum.
  void add_to(Field<Cell>& pressure) const;
  /// The same at the centres of boundary faces.
  void add_to(BoundaryField<real>& pressure) const;
  /// The same as the mean over each face: its integral over the boundary of any cells is the centrifugal force on them.
  void add_means_to(BoundaryField<real>& pressure) const;
  BoundaryField<real>& at_faces() { return at_faces_; }  ///< of add_to() there

 private:
  Field<Cell> in_cells_;
  BoundaryField<real> at_faces_, over_faces_;
};

}  // namespace solenoid
