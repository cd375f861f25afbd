/// Boundary conditions of a flow face by face, on the device.
#pragma once

#include <vector>

#include "field/boundary_field.hpp"
#include "physics/flow/boundary/boundary_velocity.hpp"

namespace solenoid {

/// Owned boundary faces with a prescribed flux: all but those of outlets.
std::vector<int> faces_of_given_flux(const LocalMesh& mesh, const FlowBoundaries& boundaries);

/// Prescribed fluxes, velocities and pressures, and the momentum that fluid carries through the boundary.
class BoundaryFaces {
 public:
  /// Refers to both, which must outlive it. Collective.
  BoundaryFaces(const LocalMesh& mesh, const FlowBoundaries& boundaries);

  /// Samples the prescribed values at `time` [s]. For use inside a guard.
  void sample(real time);

  /// Per mesh.boundary(): whether the face is on an outlet.
  const std::vector<char>& is_open() const { return is_open_; }
  bool has_open() const { return has_open_; }  ///< on any rank

  /// Flux through each of mesh.boundary() along its own normal at the time sampled [m^3/s, in 2D m^2/s]: on inlets,
  /// far fields and walls that turn by Simpson's rule, exact for cubic velocities, or on triangles by a rule exact to
  /// degree five; 0 elsewhere and where the velocity is along the face. Without those that have circulations().
  const std::vector<real>& fluxes() const { return fluxes_; }

  /// Of these fluxes, per mesh.boundary().
  const RunningSums& running_sums() const { return running_sums_; }
  /// Of the turbulence of inlets and of the solid rotation of walls that turn, per mesh.boundary().
  const EdgeIntegrals& circulations() const { return circulations_; }

  /// These boundaries with the inlets of net inflow scaled so that their inflow at `time` [s] equals the net outflow
  /// through all other patches; as they are if the domain has an outlet. Collective; throws a collective Error (exit
  /// code 2) if nothing enters or nothing leaves.
  FlowBoundaries balanced(const FlowBoundaries& boundaries, real time) const;

  /// Adds the prescribed pressure of outlets and `besides`, one value per patch: the outward side's share of its line
  /// integral across the face [m^2/s^2].
  void add_pressure(const DeviceArray<real>& besides, Field<Face>& integral) const;
  /// The largest magnitude of the prescribed pressure on outlets [m^2/s^2], 0 without outlets. Collective.
  real largest_pressure() const;
  /// Copies the prescribed pressure on outlets plus `besides`, one value per patch, into `pressure`.
  void copy_outlet_pressure(const DeviceArray<real>& besides, BoundaryField<real>& pressure) const;

  /// U_f u_f on the boundary. u_f is the inner cell's velocity where fluid leaves and the prescribed one where it
  /// enters; on outlets half of the cell's, or of directed inflow entering_momentum(), so that no kinetic energy flows
  /// in there.
  void carry_momentum(const Field<Face>& flux, const Field<Cell, Vec3>& velocity, Field<Face, Vec3>& momentum) const;
  /// Net inflow of kinetic energy by carry_momentum() [m^5/s^3], none through walls that turn with a zone; inflow
  /// through outlets brings none, and directed inflow takes that of the difference from its direction. Collective.
  real entering_energy(const Field<Face>& flux, const Field<Cell, Vec3>& velocity) const;

 private:
  void take_out_rotation(const std::vector<Vec3>& means);
  std::vector<real> fluxes_of(const std::vector<Vec3>& means) const;

  const LocalMesh& mesh_;
  const FlowBoundaries& boundaries_;
  std::vector<char> is_open_;
  bool has_open_ = false;
  std::vector<real> fluxes_;
  RunningSums running_sums_;
  EdgeIntegrals circulations_;
  std::vector<BoundaryPlace> outlets_;  // centres of each of open_
  DeviceArray<int> open_, patch_;       // outlet faces, as places among mesh.boundary().owned(); the patch of each
  DeviceArray<char> kind_;              // per owned boundary face: outlets of either form, walls that turn, others
  DeviceArray<Vec3> entering_, drift_;  // entering_momentum(), entering_drift()
  DeviceArray<Vec3> velocity_;          // prescribed mean, per owned boundary face; 0 where it may have no flux
  DeviceArray<real> pressure_;          // of each of open_
};

}  // namespace solenoid
