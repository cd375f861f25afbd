/// The stress on walls that the mesh does not resolve, as a force on the cells next to them.
#pragma once

#include "field/boundary_field.hpp"
#include "model/time_scheme.hpp"
#include "physics/flow/boundary/flow_boundary.hpp"

namespace solenoid {

struct WallFaces;  // arrays of the faces, for kernels

/// tau = u_tau^2 against the velocity along the wall of the cell inside, at the distance y of its centre: u_tau from
/// ReichardtLaw. Fluid slips along these walls, so that this is all of their friction. In a step it is that of the
/// extrapolated velocity. Of walls at rest, and one viscosity.
class WallStress {
 public:
  /// Refers to the mesh, which must outlive it. `viscosity` of the fluid [m^2/s]. Collective.
  WallStress(const LocalMesh& mesh, const FlowBoundaries& boundaries, real viscosity,
             const MemoryOf& = MemoryOf("wall_stress"));

  bool is_there() const { return is_there_; }  ///< on any rank

  /// The stress of a step from this flow and the one where the history begins.
  void extrapolate(const TimeCoefficients& scheme, const Field<Cell, Vec3>& velocity,
                   const Field<Cell, Vec3>& velocity_old);
  /// That of a flow as it is.
  void set(const Field<Cell, Vec3>& velocity);
  /// Adds what it takes of the cells' momentum [m/s^2].
  void add_to(Field<Cell, Vec3>& forcing) const;
  /// Adds the fluid's pull on the walls [m^2/s^2].
  void add_to(BoundaryField<Vec3>& tractions) const;
  /// Power that it takes of a flow of this velocity [m^5/s^3, in 2D m^4/s^3]. Collective.
  real power(const Field<Cell, Vec3>& velocity) const;

  /// Sets the pull of this flow on these walls [m^2/s^2], and leaves the rest of the boundary.
  void compute(const Field<Cell, Vec3>& velocity, BoundaryField<Vec3>& tractions) const;
  /// Largest rate of the explicit stress in a cell, sum_f A_f (d tau / d u) / V [1/s]: BDF2 is stable below 4/3 of the
  /// inverse. Collective.
  real rate(const Field<Cell, Vec3>& velocity) const;
  struct Distances {
    real least = 0, mean = 0, largest = 0;
  };
  /// y u_tau / nu of this flow over these walls, the mean by area. Collective.
  Distances in_wall_units(const Field<Cell, Vec3>& velocity) const;

 private:
  WallFaces walls() const;

  const LocalMesh& mesh_;
  real viscosity_;
  bool is_there_ = false;
  real area_ = 0;                   // of all ranks [m^2]
  DeviceArray<int> place_, cell_;   // of each owned face: place in mesh.boundary(), the cell inside
  DeviceArray<Vec3> normal_;        // unit length
  DeviceArray<real> distance_;      // y [m]
  DeviceArray<real> roughness_;     // over y
  DeviceArray<real> area_of_face_;  // [m^2]
  DeviceArray<int> wall_cell_;      // the cells, each once
  DeviceArray<int> offset_, face_;  // of each of these, its faces
  DeviceArray<Vec3> stress_;        // on each face, along the flow [m^2/s^2]
};

}  // namespace solenoid
