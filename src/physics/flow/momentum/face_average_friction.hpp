/// Friction by differences of cell velocities across faces: for comparisons, since it does not converge, and as the
/// implicit part of another friction.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "field/boundary_field.hpp"
#include "physics/flow/boundary/flow_boundary.hpp"

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

  /// alpha u + nu K u / V, where all walls are at rest, of the velocity of cells, until the next call of any.
  /// Collective.
  Field<Cell, Vec3>& add_to_mass(real alpha, real nu, Exchanged<Cell, Vec3> velocity);
  /// By slot of owned cells the cell beyond the face, -1 on the boundary, and A/L of what rubs there [m].
  const int* cell_beyond() const { return beyond_.data(); }
  std::vector<real> conductance_of_slots() const { return conductance_of_slot_.to_host(); }
  /// sum_f A/L of what rubs on owned cells, and on those of the halo [m]. Collective.
  std::vector<real> conductance_of_cells() const;

  /// J^T K u: what friction takes along the duals where all walls are at rest, of the velocity of cells or of J U, by
  /// viscosity. Collective.
  void apply(Exchanged<Cell, Vec3> velocity, Field<Face>& along_faces);
  void apply(Exchanged<Face> flux, Field<Face>& along_faces);
  /// What friction takes of momentum with walls that move as they do, from J U, by viscosity [1/m s]. Collective.
  const Field<Cell, Vec3>& in_cells(Exchanged<Cell, Vec3> velocity);
  /// J^T (K J U - g): that along the duals. Collective.
  void compute(Exchanged<Cell, Vec3> velocity, Field<Face>& along_faces);

  /// Of J^T K J, at owned faces. Collective.
  std::vector<real> diagonal() const;

  /// By viscosity, in 2D [m^2/s^2].
  struct Powers {
    real dissipation;  ///< what friction takes of the kinetic energy
    real boundary;     ///< what walls that move give of it
  };
  Powers powers(Exchanged<Cell, Vec3> velocity);  ///< Collective.

  /// Sets the fluid's pull on the boundary [m^2/s^2]. Collective.
  void compute_tractions(Exchanged<Cell, Vec3> velocity, real viscosity, BoundaryField<Vec3>& tractions);

 private:
  void compute_stresses(Exchanged<Cell, Vec3> velocity);

  const LocalMesh& mesh_;
  Field<Face> conductance_;  // A/L, 0 where nothing rubs
  DeviceArray<int> beyond_;
  DeviceArray<real> conductance_of_slot_;
  DeviceArray<Vec3> walls_;                              // velocity, per owned boundary face
  DeviceArray<int> cell_at_walls_, walls_begin_, wall_;  // cells at walls, and of each the places of these in walls_
  std::optional<Field<Face, Vec3>> stress_;              // once somebody looks
  Field<Cell, Vec3> cells_, momentum_;
};

class RebuiltMomentum;

/// The implicit part of a friction: kappa K_0, or all of it.
struct ImplicitFriction {
  FaceAverageFriction& differences;  ///< K_0
  real factor = 1;                   ///< kappa
  RebuiltMomentum* whole = nullptr;  ///< K in the place of kappa K_0
};

}  // namespace solenoid
