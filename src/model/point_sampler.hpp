/// Sampling of fields at points anywhere in the mesh: the cell and rank of each, and the values there.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mesh/local_mesh.hpp"
#include "model/cell_fit.hpp"
#include "model/node_velocity.hpp"

namespace solenoid {

/// Points, each in the cell with the lowest global id that contains it: the same cell on any partition.
class PointSampler {
 public:
  /// Collective. Throws a collective Error (exit code 2) if a point lies outside the mesh; the message begins with
  /// `what` and reports the extent of the mesh.
  PointSampler(const LocalMesh& mesh, std::vector<Vec3> points, const std::string& what);
  /// For many points, such as those of a picture: those outside the mesh have zeros, and is_inside() is false for them.
  /// at_points() is unavailable, since its set-up would take long. Collective.
  PointSampler(const LocalMesh& mesh, std::vector<Vec3> points);
  /// The same points in another mesh; those outside have zeros. Collective.
  PointSampler in(const LocalMesh& mesh) const;
  /// Throws as the first constructor does if a point lies outside. Collective.
  void require_inside(const std::string& what) const;

  const std::vector<Vec3>& points() const { return points_; }
  const std::vector<char>& is_inside() const { return is_inside_; }  ///< by point, on every rank

  /// The points of this rank, each with the owned cell that contains it.
  std::vector<std::pair<int, int>> cells() const {
    std::vector<std::pair<int, int>> all;
    for (const Found& f : found_) all.emplace_back(f.point, f.cell);
    return all;
  }

  /// Local nodes, each once, of the cells that contain this rank's points.
  const std::vector<int>& nodes() const { return nodes_; }

  // At each point, on every rank; `at_nodes`: values at nodes(), in their order. Collective.
  std::vector<Vec3> velocity(const std::vector<NodeVelocity>& at_nodes) const;   ///< [m/s]
  std::vector<Vec3> vorticity(const std::vector<NodeVelocity>& at_nodes) const;  ///< [1/s], linear between nodes
  std::vector<real> linear(const std::vector<real>& at_nodes) const;             ///< between the nodes
  // The value of the cell that contains each point; `cells`: values in the owned cells.
  std::vector<Vec3> in_cells(const std::vector<Vec3>& cells) const;
  std::vector<real> in_cells(const std::vector<real>& cells) const;
  /// Value at each point from a cell field: linear around each cell by least squares over the cells that share a node
  /// with it, exact for linear fields.
  std::vector<real> at_points(const std::vector<real>& cells_with_halo) const;

 private:
  struct Found {
    int point, cell;
    real weight[4];  // barycentric coordinates
    int node[4];     // indices into nodes_
    CellFit fit;     // with reconstruction
  };
  void find_cells();
  void find_nodes();
  void set_up_reconstruction();

  const LocalMesh& mesh_;
  std::vector<Vec3> points_;
  std::vector<char> is_inside_;
  std::vector<Found> found_;  // the points of this rank
  std::vector<int> nodes_;
  bool has_reconstruction_ = false;
};

}  // namespace solenoid
