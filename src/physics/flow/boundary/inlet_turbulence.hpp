/// Turbulence that enters through an inlet.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "physics/flow/boundary/boundary_velocity.hpp"
#include "physics/flow/boundary/eddy_field.hpp"
#include "physics/flow/boundary/patch_surface.hpp"

namespace solenoid {

/// Velocity fluctuations on an inlet in space, those of an EddyField that drifts through it with the mean velocity. All
/// is computed in the frame of the case file.
///
/// Fluxes are line integrals of the vector potential around the faces, by Simpson's rule on their edges: an edge inside
/// the patch counts for its two faces with opposite signs, one on the rim not at all, so that the net flux is 0.
class InletTurbulence {
 public:
  /// `patch`: all of its faces, ascending in their global ids. `periods`: of the mesh's periodic pairs [m]. `speed`: of
  /// the drift, before the frame changed [m/s]. Throws Error (exit code 2) that begins with `subject`.
  InletTurbulence(const std::vector<PatchFace>& patch, const std::vector<Vec3>& periods, const TurbulentInflow& given,
                  real speed, const std::string& subject);

  /// Velocity at places on this patch [m/s]: on each face linear between its corners.
  std::vector<Vec3> at(std::span<const BoundaryPlace> places, real time) const;
  /// Mean over a face, by its global id.
  Vec3 mean_on(std::int64_t face, real time) const;
  /// The line integrals along the face's edges whose sum is the flux into the domain [m^3/s].
  std::array<real, 3> circulation(std::int64_t face, real time) const;

  real intensity() const { return strongest_; }      ///< the largest on the patch
  real length() const { return length_; }            ///< integral length [m]
  real edge_length() const { return edge_length_; }  ///< mean over the patch [m]

 private:
  struct OnFace {
    std::int64_t id;
    std::array<Vec3, 3> corner;
    std::array<int, 3> node;
    std::array<int, 3> edge;  // from each corner to the next
    std::array<real, 3> sign;
    Vec3 inward;
    real area;
  };
  struct Edge {
    int node, next, middle;  // points
    Vec3 way, begin;
  };
  /// The eddies at the points asked for, times strength_.
  struct Moment {
    real time;
    std::vector<EddyField::Value> values;  // per point
    std::size_t known = 0;                 // of asked_
  };
  void find_edges(const std::vector<PatchFace>& patch);
  void find_rim(const std::vector<std::array<Vec3, 2>>& rim, const std::vector<Vec3>& images);
  const OnFace& face(std::int64_t id) const;
  std::array<real, 3> integrals(const OnFace& on, real time) const;
  Vec3 seen(const Vec3& velocity) const { return frame_.factor("m/s") * frame_.turned(velocity); }
  const std::vector<EddyField::Value>& values(std::span<const int> points, real time) const;

  std::vector<OnFace> faces_;  // ascending ids
  std::vector<Edge> edges_;
  std::vector<EddyField::Place> points_;  // of nodes, then the middles of edges
  std::vector<real> strength_;            // at points_ [m/s]
  Frame frame_;                           // of the mesh
  real speed_, length_, edge_length_ = 0, strongest_ = 0;
  std::optional<EddyField> eddies_;
  // Several schemes ask for the same points at the same times, a rank for those of its part.
  mutable std::vector<int> asked_;
  mutable std::vector<char> is_asked_;  // per point
  mutable std::vector<Moment> moments_;
};

/// The conditions of a mesh's patches, with_profiles(), with the turbulence of inlets. `file`: of the case, for
/// messages. Collective; throws a collective Error as InletTurbulence does.
std::vector<FlowBoundary> with_turbulence(std::vector<FlowBoundary> of_patch, const LocalMesh& mesh,
                                          const std::string& file);
/// The same on a whole mesh. Serial.
std::vector<FlowBoundary> with_turbulence(std::vector<FlowBoundary> of_patch, const GlobalMesh& mesh,
                                          const Geometry& geometry, const std::string& file);

}  // namespace solenoid
