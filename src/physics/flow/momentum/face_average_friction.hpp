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
/// are as large as their differences. On triangles it dissipates about 1.5 times the correct energy, on any mesh; see
/// docs/numerics.md. Walls and inlets cause friction by the same differences, towards their faces' centres; outlets,
/// planes of symmetry and far fields cause none.
class FaceAverageFriction {
 public:
  /// Begins with walls at rest. Refers to the mesh, which must outlive it. Collective.
  FaceAverageFriction(const LocalMesh& mesh, const FlowBoundaries& boundaries,
                      const MemoryOf& = MemoryOf("differences of cells"));

  /// Sets the velocity of the boundary, at places_on_boundary().
  void set(std::span<const Vec3> velocity);

  /// alpha u + nu K u / V with all walls at rest, for cell velocities u. Valid until the next call of any member.
  /// Collective.
  Field<Cell, Vec3>& add_to_mass(Scalar<> alpha, Scalar<> nu, Exchanged<Cell, Vec3> velocity);
  /// By slot of owned cells: the cell beyond the face, -1 on the boundary; and A/L of the friction there [m].
  const int* cell_beyond() const { return beyond_.data(); }
  std::vector<real> conductance_of_slots() const { return conductance_of_slot_.to_host(); }
  /// sum_f A/L of the friction on owned and halo cells [m]. Collective.
  std::vector<real> conductance_of_cells() const;

  /// J^T K u: friction along the duals with all walls at rest, for cell velocities or J U, per viscosity. Collective.
  void apply(Exchanged<Cell, Vec3> velocity, Field<Face>& along_faces);
  void apply(Exchanged<Face> flux, Field<Face>& along_faces);
  /// Friction on J U with moving walls, per viscosity [1/m s]. Collective.
  const Field<Cell, Vec3>& in_cells(Exchanged<Cell, Vec3> velocity);
  /// J^T (K J U - g): the same along the duals. Collective.
  void compute(Exchanged<Cell, Vec3> velocity, Field<Face>& along_faces);

  /// Diagonal of J^T K J at owned faces. Collective.
  std::vector<real> diagonal() const;

  /// Per viscosity, in 2D [m^2/s^2].
  struct Powers {
    real dissipation;  ///< loss of kinetic energy by friction
    real boundary;     ///< gain from moving walls
  };
  Powers powers(Exchanged<Cell, Vec3> velocity);  ///< Collective.

  /// Sets the friction force on the boundary by area [m^2/s^2]. Collective.
  void compute_tractions(Exchanged<Cell, Vec3> velocity, real viscosity, BoundaryField<Vec3>& tractions);

 private:
  void compute_stresses(Exchanged<Cell, Vec3> velocity);

  const LocalMesh& mesh_;
  Field<Face> conductance_;  // A/L, 0 without friction
  DeviceArray<int> beyond_;
  DeviceArray<real> conductance_of_slot_;
  DeviceArray<Vec3> walls_;                              // velocity, per owned boundary face
  DeviceArray<int> cell_at_walls_, walls_begin_, wall_;  // cells at walls; for each, places in walls_
  std::optional<Field<Face, Vec3>> stress_;              // allocated on first use, like the next
  std::optional<Field<Cell, Vec3>> cells_;
  Field<Cell, Vec3> momentum_;
};

class RebuiltMomentum;

/// The implicit part of a friction: kappa K_0, or all of K.
struct ImplicitFriction {
  FaceAverageFriction& differences;  ///< K_0
  real factor = 1;                   ///< kappa
  RebuiltMomentum* whole = nullptr;  ///< K instead of kappa K_0
  real mean = 1;                     ///< of the viscosity in K, see VariableViscosity
};

}  // namespace solenoid
