/// Prescribed velocities and pressures of the boundary, sampled where the schemes need them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mesh/local_mesh.hpp"
#include "physics/flow/boundary/flow_boundary.hpp"

namespace solenoid {

/// A point of the boundary, and the face and the patch whose condition holds there: the corners of a lid move on the
/// lid's faces and rest on the wall's.
struct BoundaryPlace {
  int patch;
  Vec3 at;
  std::int64_t face;  ///< global id
};

/// Velocity [m/s] that a condition prescribes at places of its patch, 0 where it prescribes none. For use inside a
/// guard.
std::vector<Vec3> velocities_at(const FlowBoundary& condition, std::span<const BoundaryPlace> places, real time);
/// The same without the turbulence of inlets; and with gusts in its place, three standard deviations along the mean,
/// for estimates of the largest velocity.
std::vector<Vec3> mean_velocities_at(const FlowBoundary& condition, std::span<const BoundaryPlace> places, real time);
std::vector<Vec3> velocities_with_gusts_at(const FlowBoundary& condition, std::span<const BoundaryPlace> places,
                                           real time);

/// Prescribed velocity [m/s] at each place at `time` [s], 0 where the condition prescribes none: one evaluation per
/// patch. For use inside a guard.
std::vector<Vec3> sample_velocity(const FlowBoundaries& boundaries, std::span<const BoundaryPlace> places, real time);
/// The same without the turbulence of inlets.
std::vector<Vec3> sample_mean_velocity(const FlowBoundaries& boundaries, std::span<const BoundaryPlace> places,
                                       real time);
/// The same for the pressure over the density [m^2/s^2] of outlets.
std::vector<real> sample_pressure(const FlowBoundaries& boundaries, std::span<const BoundaryPlace> places, real time);
/// The same for the direction of inflow of outlets, a vector of any length; 0 where there is none.
std::vector<Vec3> sample_direction(const FlowBoundaries& boundaries, std::span<const BoundaryPlace> places);

/// boundary_places() with the patches of their faces.
std::vector<BoundaryPlace> places_on_boundary(const LocalMesh& mesh);
/// The centres of owned boundary faces, of those on outlets alone or of all.
std::vector<BoundaryPlace> centres_of_faces(const LocalMesh& mesh);
std::vector<BoundaryPlace> centres_of_outlets(const LocalMesh& mesh, const FlowBoundaries& boundaries);

/// Mean over a face of the velocity at places_on_boundary(); `face` is its place in mesh.boundary().
Vec3 mean_on_face(const LocalMesh& mesh, std::span<const Vec3> velocity, int face);

/// Largest boundary speed [m/s] over all ranks. Collective.
real largest_speed(const Comm& comm, std::span<const Vec3> velocity);

/// sum_f |u.n_f| A_f / (2 V_c) [1/s]: the Courant number per second of a cell with these faces and velocity `u` [m/s].
real courant_rate_in_cell(const Geometry& geometry, int cell, std::span<const int> faces, const Vec3& u);

/// max_c(sum_f |u.n_f| A_f / (2 V_c)) [1/s] over the cells at the boundary, with the prescribed velocity u there, and
/// over `moments` uneven moments from `begin` to `end` [s]: an estimate of the Courant number per second that the
/// boundary is about to cause. Collective; throws a collective Error if a prescribed velocity is not finite.
real courant_rate_of_boundary(const LocalMesh& mesh, const FlowBoundaries& boundaries, real begin, real end,
                              int moments);

/// The same for the speed to which outlet pressures may accelerate the fluid, sqrt(2 (p_max - p_min)), in the cells at
/// outlets: for a flow that nothing else starts. Collective.
real courant_rate_of_outlets(const LocalMesh& mesh, const FlowBoundaries& boundaries, real begin, real end,
                             int moments);

/// Throws Error (exit code 2) that names the patch if a velocity leaves the plane in 2D, or if a wall moves fluid
/// through a face: |u.n| > 1e-10 of the largest speed, u the mean_on_face() (each end of a chord
/// of a turning cylinder has a normal part, their mean has none). In 3D up to a tenth of |u| is allowed, for the flat
/// triangles of a body that turns. Walls that turn with a zone may. For use inside a guard.
void require_possible(const LocalMesh& mesh, const FlowBoundaries& boundaries, std::span<const Vec3> velocity,
                      real largest);

}  // namespace solenoid
