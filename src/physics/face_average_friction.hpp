/// Friction by differences of cell velocities across faces, for comparisons: it does not converge.
#pragma once

#include <span>
#include <vector>

#include "physics/boundary_field.hpp"
#include "physics/flow_boundary.hpp"

namespace solenoid {

/// The thesis's diffusive flux (eq. 7.7): J^T (K J U - g) with the cell velocities J U of face_diffusion, whose errors
/// are as large as their differences. On triangles it takes about 1.5 times the energy that it should, on any mesh; see
/// docs/numerics.md. Walls and inlets rub on the fluid by the same differences, towards their faces' centres; outlets,
/// planes of symmetry and far fields do not.
class FaceAverageFriction {
 public:
  /// Walls are at rest. Refers to the mesh, which must outlive it. Collective.
  FaceAverageFriction(const LocalMesh& mesh, const FlowBoundaries& boundaries);

  /// Takes the velocity of the boundary, see sample_boundary.
  void set(std::span<const Vec3> velocity);

  /// J^T K J U: what friction takes along the duals where all walls are at rest, by viscosity. Collective.
  void apply(Exchanged<Face> flux, Field<Face>& along_faces);
  /// What friction takes of momentum with walls that move as they do, from J U, by viscosity [1/m s]. Collective.
  const Field<Cell, Vec3>& in_cells(Exchanged<Cell, Vec3> velocity);
  /// J^T (K J U - g): that along the duals. Collective.
  void find(Exchanged<Cell, Vec3> velocity, Field<Face>& along_faces);

  /// Of J^T K J, at owned faces. Collective.
  std::vector<real> diagonal();

  /// By viscosity, in 2D [m^2/s^2].
  struct Powers {
    real dissipation;  ///< what friction takes of the kinetic energy
    real boundary;     ///< what walls that move give of it
  };
  Powers powers(Exchanged<Cell, Vec3> velocity);  ///< Collective.

  /// Sets the fluid's pull on the boundary [m^2/s^2]. Collective.
  void find_tractions(Exchanged<Cell, Vec3> velocity, real viscosity, BoundaryField<Vec3>& tractions);

 private:
  enum class Walls { at_rest, as_they_move };
  void find_stresses(Exchanged<Cell, Vec3> velocity, Walls walls);

  const LocalMesh& mesh_;
  Field<Face> conductance_;  // A/L, 0 where nothing rubs
  DeviceArray<Vec3> walls_;  // velocity, per owned boundary face
  Field<Face, Vec3> stress_;
  Field<Cell, Vec3> cells_;
};

}  // namespace solenoid
