/// Means of fields over planes normal to a direction, and their variances about them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/vec3.hpp"
#include "mesh/local_mesh.hpp"
#include "model/place_of_points.hpp"
#include "model/quantity.hpp"

namespace solenoid {

/// Parallel planes, by their places s along the normal: s is the product of a position with it.
struct ProfilePlanes {
  Vec3 normal{0, 1, 0};                      ///< unit length
  std::vector<double> positions;             ///< s [m], ascending; empty: `points`
  int points = 0;                            ///< so many planes from end to end of the nodes, evenly; 0: their layers
  std::optional<PlaceOfPoints> within = {};  ///< only nodes, and cells with their centroids, there
};

/// Fields as functions of s, piecewise linear between planes: the fit of least squares to the values at the nodes, or
/// in the cells, between the first plane and the last, each weighted by its volume. So a field that is linear in s has
/// its exact values; where planes are layers of nodes, the fit of values at nodes is their mean in each layer.
/// The same to round-off on any number of ranks. Refers to `mesh`, which outlives it. All functions are collective
/// unless noted.
class PlaneProfile {
 public:
  /// `solids`: volume groups that are left out. Throws a collective Error (exit code 2) that begins with `what` and
  /// names the key if the normal has a part along a period of the mesh or out of a triangle mesh, if the nodes are not
  /// in layers, if planes are too close for the mesh, or if `within` has fewer than two planes of nodes.
  PlaneProfile(const LocalMesh& mesh, const ProfilePlanes& planes, const std::vector<std::string>& solids,
               const std::string& what);

  /// s of the planes [m], ascending. Not collective.
  const std::vector<double>& positions() const { return positions_; }
  /// Numbers that identify the normal and the part of the mesh that counts. Not collective.
  std::vector<double> place() const;
  /// Volume of the cells by the planes they are shared out to [m^3; in 2D m^2]. Not collective.
  const std::vector<double>& volumes() const { return cells_.volume; }

  // `values`: of each local node or cell, `components` of each, as of to_host() in quantity.hpp.
  /// The profile: `components` numbers a plane.
  std::vector<double> means(const std::vector<real>& values, ValuesAt at, int components) const;
  /// The mean square of what differs from the profile `means` at the place of each value: per plane its variances,
  /// and for vectors the covariances xy, yz, zx after them; never negative, and 0 of a field that is linear in s.
  std::vector<double> spread(const std::vector<real>& values, ValuesAt at, int components,
                             const std::vector<double>& means) const;

 private:
  struct Sample {
    int entity;    // local node or cell
    int interval;  // between the planes `interval` and the next
    real share;    // of the next plane
    real volume;
  };
  struct Samples {
    std::vector<Sample> samples;
    std::vector<double> volume;           // shared out to each plane
    std::vector<double> pivot, coupling;  // the factors of the matrix of the fit
  };
  struct Place {
    int entity;
    real s, volume;
  };
  Samples samples_of(const std::vector<Place>& places, const std::string& what, const char* entities) const;
  std::vector<double> sums(const std::vector<real>& terms, const Samples& at, int components) const;
  const Samples& samples(ValuesAt at) const { return at == ValuesAt::nodes ? nodes_ : cells_; }

  const LocalMesh& mesh_;
  Vec3 normal_;
  std::vector<double> positions_;
  std::optional<PlaceOfPoints> within_;
  Samples nodes_, cells_;
};

}  // namespace solenoid
