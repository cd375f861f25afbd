/// An inflow that repeats what passes a plane inside the domain.
#pragma once

#include <string>

#include "model/point_sampler.hpp"
#include "model/state_visitor.hpp"
#include "physics/flow/boundary/boundary_velocity.hpp"
#include "physics/flow/boundary/patch_surface.hpp"

namespace solenoid {

/// The velocity on a plane parallel to an inlet, downstream of it, as it was a step before: a flow that develops
/// between the two and enters anew (Lund, Wu & Squires 1998, J. Comput. Phys. 140, 233-258, without the rescaling,
/// which a duct has no need of). The profile of the inlet adds the flow rate that it lacks; as long as nothing was
/// taken, all of it.
///
/// The plane's velocity is taken at the nodes of the inlet, and is 0 where a wall touches them; between the nodes it is
/// linear.
class RecycledInflow {
 public:
  /// `patch`: all of its faces, ascending in their global ids. `distance` [m]: of the plane, along the mean normal.
  /// Refers to `mesh`, which must outlive it. Collective; throws a collective Error (exit code 2) that begins with
  /// `subject` if the patch is not flat, has no node off walls, or the plane reaches out of the mesh.
  RecycledInflow(const LocalMesh& mesh, const std::vector<PatchFace>& patch, real distance, const std::string& subject);

  /// Where the plane's velocity is taken.
  const PointSampler& plane() const { return plane_; }
  /// Takes it `now` as the inflow at `end` [s], and forgets what was taken for other times after `now`. `velocity`: at
  /// plane().nodes(). Collective.
  void take(const std::vector<NodeVelocity>& velocity, real now, real end);

  // What was taken for the time nearest to `time`.
  std::vector<Vec3> at(std::span<const BoundaryPlace> places, real time) const;  ///< velocity on this patch [m/s]
  Vec3 mean_on(std::int64_t face, real time) const;                              ///< over a face, by its global id
  real rate(real time) const;  ///< that enters, of the plane alone [m^3/s, in 2D m^2/s]
  /// Of an inlet with this flow rate, whose profile has these shares, see InletProfile::shares_up_to(): what enters
  /// through all faces of lower global ids, without this face and with it; at the last face the flow rate.
  std::array<real, 2> rate_up_to(std::int64_t face, const std::array<real, 2>& shares, real rate, real time) const;

  void visit_state(const std::string& name, StateVisitor& visitor);  ///< see Model

 private:
  struct OnFace {
    std::int64_t id;
    std::array<int, 3> node;  // two in 2D
    std::array<Vec3, 3> corner;
    Vec3 inward;
    real area;
  };
  struct Moment {
    real time;
    std::vector<Vec3> at_nodes;
    std::vector<real> rates;  // running sums over faces_, from 0 on
  };
  std::vector<Vec3> find_faces(const std::vector<PatchFace>& patch, const Vec3& shift);
  std::size_t place_of(std::int64_t face) const;
  Vec3 mean_of(const OnFace& on, const Moment& moment) const;
  const Moment& nearest(real time) const;
  void add(real time, std::vector<Vec3> at_nodes);

  std::size_t corners_;        // of a face
  std::vector<OnFace> faces_;  // ascending ids
  std::vector<int> taken_;     // nodes that no wall touches, in the order of the plane's points
  std::size_t nodes_ = 0;
  PointSampler plane_;
  std::vector<Moment> moments_;  // ascending times
};

/// What the profile of an inlet lets in at `time` [s] of this flow rate, see RecycledInflow: all of it where nothing is
/// recycled.
real rate_of_profile(const InletRate& given, real rate, real time);

/// The conditions of a mesh's patches, with_profiles(), with what is recycled on them. `file`: of the case, for
/// messages. Collective; throws as RecycledInflow does.
std::vector<FlowBoundary> with_recycling(std::vector<FlowBoundary> of_patch, const LocalMesh& mesh,
                                         const std::string& file);

}  // namespace solenoid
