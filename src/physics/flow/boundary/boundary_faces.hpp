/// Boundary conditions of a flow face by face, on the device.
#pragma once

#include <vector>

#include "field/boundary_field.hpp"
#include "physics/flow/boundary/flow_boundary.hpp"

namespace solenoid {

/// Owned faces whose flux the boundary gives: all of its faces but those of outlets.
std::vector<int> faces_of_given_flux(const LocalMesh& mesh, const FlowBoundaries& boundaries);

/// Fluxes, velocities and pressures that are given, and what outlets take from the cells inside.
class BoundaryFaces {
 public:
  /// Refers to both, which must outlive it. Collective.
  BoundaryFaces(const LocalMesh& mesh, const FlowBoundaries& boundaries);

  /// Samples what is given at `time` [s]. For use inside a guard.
  void sample(real time);

  /// Per mesh.boundary(): whether it is on an outlet.
  const std::vector<char>& is_open() const { return is_open_; }
  bool has_open() const { return has_open_; }  ///< on any rank

  /// Through each of mesh.boundary() along its own normal when it was sampled, of inlets and far fields by Simpson's
  /// rule, exact for cubic velocities, or by one that is so to degree five on triangles; 0 elsewhere and where the
  /// velocity is along the face [m^3/s, in 2D m^2/s].
  const std::vector<real>& fluxes() const { return fluxes_; }

  /// Samples, scales inlets through which more enters than leaves (FlowBoundaries::scale_inlets) so that what enters
  /// through them at `time` is what leaves elsewhere, through other inlets too, and samples once more; nothing where an
  /// outlet takes the rest. Collective; throws a collective Error (exit code 2) where nothing enters or leaves.
  void balance_inlets(real time);

  /// Adds the given pressure of outlets, the outward side's share of its line integral across the face [m^2/s^2].
  void add_pressure(Field<Face>& integral) const;
  /// The given pressure of outlets that is largest in magnitude [m^2/s^2], 0 without one. Collective.
  real largest_pressure() const;
  /// Takes the given pressure on outlets.
  void copy_outlet_pressure(BoundaryField<real>& pressure) const;

  /// U_f u_f on the boundary: with the velocity of the cell inside where fluid leaves; where it enters with the given
  /// one, and on outlets with half of the cell's, so that the flow of kinetic energy brings none in there.
  void carry_momentum(const Field<Face>& flux, const Field<Cell, Vec3>& velocity, Field<Face, Vec3>& momentum) const;
  /// The kinetic energy that this brings into the domain, less what it takes out [m^5/s^3]: of what enters through
  /// outlets none. Collective.
  real entering_energy(const Field<Face>& flux, const Field<Cell, Vec3>& velocity) const;

 private:
  /// On each of mesh.boundary(); 0 where no given flux passes.
  std::vector<Vec3> mean_velocities(real time) const;

  std::vector<real> pressures(real time) const;  // of each of open_

  const LocalMesh& mesh_;
  const FlowBoundaries& boundaries_;
  std::vector<char> is_open_;
  bool has_open_ = false;
  std::vector<real> fluxes_;
  DeviceArray<int> open_;        // places among mesh.boundary().owned() of those on outlets
  DeviceArray<char> is_outlet_;  // per owned boundary face
  DeviceArray<Vec3> velocity_;   // given mean, per owned boundary face; 0 where there is none
  DeviceArray<real> pressure_;   // of each of open_
};

}  // namespace solenoid
