/// Quality of the cells of a mesh: in values, and of a distributed mesh in figures.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mesh/geometry.hpp"
#include "mesh/local_mesh.hpp"

namespace solenoid {

/// One measure of shape, one value per cell. Values beyond `limit` deserve attention; beyond `hopeless` results are
/// round-off.
struct QualityMeasure {
  std::string name, unit;
  real ideal, limit, hopeless;  ///< for the equilateral cell; where trouble begins; where the cell is useless
  std::vector<real> value{};

  bool large_is_bad() const { return limit > ideal; }
  bool is_worse(real a, real b) const { return large_is_bad() ? a > b : a < b; }
  bool is_beyond_limit(real a) const { return is_worse(a, limit); }
  bool is_hopeless(real a) const { return is_worse(a, hopeless); }
};

/// Per cell:
/// smallest_angle, largest_angle: between sides (2D) or faces (3D) [deg];
/// aspect_ratio: longest edge over inscribed radius, 1 for the equilateral cell;
/// non_orthogonality: the largest angle between a face's normal and the line through the centroids of its two cells, on
/// the boundary the line through the centroids of cell and face [deg];
/// volume_jump: the largest volume ratio across one of its faces, at least 1.
std::vector<QualityMeasure> measure_quality(const GlobalMesh& mesh, const Geometry& geometry);
/// The same for a rank's part of a mesh. Not valid for halo cells, whose neighbours may be missing.
std::vector<QualityMeasure> measure_quality(const Connectivity& part, const Geometry& geometry);

struct QualityFigure {
  QualityMeasure measure;    ///< without its values
  real worst = 0, mean = 0;  ///< over all cells
  std::int64_t beyond = 0;   ///< cells beyond the limit of the measure
};

/// Collective.
std::vector<QualityFigure> quality_of(const LocalMesh& mesh);

}  // namespace solenoid
