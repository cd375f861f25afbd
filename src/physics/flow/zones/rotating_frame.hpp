/// A frame that turns at a constant rate, and what is given of a flow as it is seen from there.
#pragma once

#include <span>

#include "model/coefficient.hpp"
#include "model/frame.hpp"

namespace solenoid {

/// The frame of the mesh where it turns: velocities in it are those relative to solid rotation, Omega x r.
struct RotatingFrame {
  Vec3 rate;   ///< Omega [1/s], along the axis; in 2D along z
  Vec3 point;  ///< on the axis [m]

  /// Omega x r of a point at rest in the frame [m/s].
  Vec3 velocity(const Vec3& x) const { return cross(rate, x - point); }
  /// Its vector potential [m^2/s], along the axis: velocity() = curl A.
  Vec3 vector_potential(const Vec3& x) const;
  /// The integral of that along a straight line [m^3/s]; in bits the opposite of that along the opposite one.
  real circulation(const Vec3& from, const Vec3& to) const;
  /// |Omega x r|^2 / 2 [m^2/s^2], whose gradient is the centrifugal acceleration.
  real centrifugal_potential(const Vec3& x) const { return dot(velocity(x), velocity(x)) / 2; }

  /// A velocity [m/s] that is told as seen from rest, less that of the frame. Its components stay those along the
  /// frame's axes.
  Coefficient<Vec3> relative(const Coefficient<Vec3>& seen_from_rest) const;
  /// A velocity [m/s] that is told as seen from the frame, as it is seen from rest.
  Coefficient<Vec3> carried(const Coefficient<Vec3>& seen_from_frame) const;
  /// A pressure over the density [m^2/s^2] less the centrifugal potential.
  Coefficient<real> reduced(const Coefficient<real>& pressure) const;

  /// In other units or along other axes.
  RotatingFrame seen(const Frame& frame) const;
};

}  // namespace solenoid
