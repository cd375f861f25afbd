/// The velocity that walls give to the fluid, sampled where the schemes need it.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "mesh/local_mesh.hpp"
#include "physics/given.hpp"

namespace solenoid {

/// What the walls do: the velocity [m/s] of each.
class WallMotion {
 public:
  /// By patch; one alone holds on all of them.
  WallMotion(std::vector<Given<Vec3>> of_patch) : of_patch_(std::move(of_patch)) {}
  WallMotion(Given<Vec3> everywhere) : of_patch_{std::move(everywhere)} {}

  const Given<Vec3>& on(int patch) const { return of_patch_.size() == 1 ? of_patch_[0] : of_patch_[patch]; }
  Vec3 velocity(int patch, const Vec3& x, real time) const { return on(patch).at(x, time); }
  bool depends_on_time() const;

 private:
  std::vector<Given<Vec3>> of_patch_;
};

/// Velocity at the two end nodes of each of mesh.boundary(), each end from the face's own patch (the corners of a
/// lid move on the lid's face and rest on the wall's).
std::vector<std::array<Vec3, 2>> sample_ends(const LocalMesh& mesh, const WallMotion& walls, real time);

/// Largest boundary speed [m/s] over all ranks. Collective.
real largest_speed(const Comm& comm, const std::vector<std::array<Vec3, 2>>& end_velocity);

/// sum_f |u.n_f| A_f / (2 V_c) [1/s]: the Courant number per second of a cell with these faces in which the fluid moves
/// at `u` [m/s].
real courant_rate_in_cell(const Geometry& geometry, int cell, std::span<const int> faces, const Vec3& u);

/// max_c(sum_f |u.n_f| A_f / (2 V_c)) [1/s] over the cells beside walls, u the wall's velocity there, and over
/// `moments` uneven moments after `begin` up to `end` [s]: the Courant number per second that the walls are about to
/// give to the fluid. Collective; throws a collective Error where a wall's velocity is not finite.
real courant_rate_of_walls(const LocalMesh& mesh, const WallMotion& walls, real begin, real end, int moments);

/// Throws Error (exit code 2), naming the patch, where a wall moves fluid through a face: |u.n| > 1e-10 of the largest
/// speed, u the mean of the face's ends (each end of a chord of a turning cylinder has a normal part, their mean has
/// none). For use inside a guard.
void require_tangential(const LocalMesh& mesh, const std::vector<std::array<Vec3, 2>>& end_velocity, real largest);

}  // namespace solenoid
