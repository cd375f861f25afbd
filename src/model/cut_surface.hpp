/// The cuts of cells joined to one surface on rank 0, with values at its points and in its polygons.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh/local_mesh.hpp"
#include "model/plane_cut.hpp"

namespace solenoid {

/// Cut points on the same edge of the mesh are one point, so that neighbours share their edges. Points ascend in the
/// numbers of the edge's ends, polygons in the numbers of their cells: the surface is the same on any partition.
class CutSurface {
 public:
  /// `pieces`: those of this rank, of one cut. Refers to `mesh`, which outlives it. Collective.
  CutSurface(const LocalMesh& mesh, const std::vector<CutPiece>& pieces);

  // On rank 0; empty on other ranks.
  const std::vector<Vec3>& points() const { return points_; }   ///< [m]
  const std::vector<int>& corners() const { return corners_; }  ///< of the polygons, indices into points()
  const std::vector<int>& begin() const { return begin_; }  ///< the first corner of each polygon, and the end of all
  const std::vector<std::int64_t>& cells() const { return cells_; }  ///< of each polygon, numbers in the whole mesh

  // On rank 0, `components` reals for each point or polygon; empty on other ranks. Collective.
  /// Linear between the ends of each edge; `values`: `components` per local node, halo included.
  std::vector<real> at_points(const std::vector<real>& values, int components) const;
  /// Those of the cells; `values`: `components` per owned cell, or more.
  std::vector<real> in_cells(const std::vector<real>& values, int components) const;

 private:
  struct Ends {
    int above, below;  // local nodes
    real share;
  };
  std::vector<real> chosen(const std::vector<real>& here, const std::vector<int>& from, int components) const;

  const LocalMesh& mesh_;
  std::vector<Ends> ends_;                   // of the points of this rank
  std::vector<int> own_cells_;               // of its polygons
  std::vector<int> point_from_, cell_from_;  // on rank 0: places among those of all ranks
  std::vector<Vec3> points_;
  std::vector<int> corners_, begin_{0};
  std::vector<std::int64_t> cells_;
};

}  // namespace solenoid
