/// The distribution of a flow rate over an inlet.
#pragma once

#include <string>

#include "physics/flow/boundary/boundary_velocity.hpp"
#include "physics/flow/boundary/patch_surface.hpp"

namespace solenoid {

/// The velocity on the faces of an inlet for a flow rate of 1, along the inward normal of each face: u = -n phi/I, I
/// the integral of phi over the patch. phi is 1 (uniform), the solution of developed_profile(), or a formula.
class InletProfile {
 public:
  /// `patch`: all of its faces, ascending in their global ids. Throws Error (exit code 2) that begins with `subject` if
  /// I is not a number greater than 0, and as developed_profile() does.
  InletProfile(const std::vector<PatchFace>& patch, int dimension, const InletRate& given, const std::string& subject);

  /// Velocity per flow rate [1/m^2, in 2D 1/m] at places on this patch.
  std::vector<Vec3> at(std::span<const BoundaryPlace> places) const;
  /// Its mean over a face, by its global id; and over the patch.
  Vec3 mean_on(std::int64_t face) const;
  const Vec3& mean() const { return mean_; }
  /// Shares of the flow rate through all faces of lower global ids, without this face and with it; at the last face 1.
  std::array<real, 2> shares_up_to(std::int64_t face) const;

 private:
  /// phi = value + sum_k change[k] s_k + bulge s_0 (1 - s_0), s_k = slope[k].(x - origin).
  struct OnFace {
    std::int64_t id;
    Vec3 origin, inward;
    std::array<real, 2> change;
    real value;
    real bulge = 0;
    std::array<Vec3, 2> slope = {};
    std::array<real, 2> shares = {};  // as shares_up_to()
    real mean = 0;                    // of the velocity along the inward normal
  };
  const OnFace& face(std::int64_t id) const;
  std::vector<real> set_shape(const std::vector<PatchFace>& patch, int dimension, const std::string& subject);
  std::vector<real> integrals_of_formula(const std::vector<PatchFace>& patch, int dimension) const;

  ProfileShape shape_;
  Coefficient<real> formula_;
  std::vector<OnFace> faces_;  // ascending ids
  real integral_ = 0;          // I
  Vec3 mean_;
};

/// The conditions of a mesh's patches with the profiles of all inlets that have a flow rate. `file`: of the case, for
/// messages. Collective; throws a collective Error as InletProfile does.
std::vector<FlowBoundary> with_profiles(std::vector<FlowBoundary> of_patch, const LocalMesh& mesh,
                                        const std::string& file);
/// The same on a whole mesh. Serial.
std::vector<FlowBoundary> with_profiles(std::vector<FlowBoundary> of_patch, const GlobalMesh& mesh,
                                        const Geometry& geometry, const std::string& file);

}  // namespace solenoid
