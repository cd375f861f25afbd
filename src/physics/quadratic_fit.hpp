/// The least-squares systems of quadratic velocity fits at nodes. For files that include Eigen.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "physics/cubic_stream.hpp"
#include "physics/fit_surroundings.hpp"
#include "physics/fit_walls.hpp"
#include "physics/node_velocity.hpp"

namespace solenoid {

/// The system at one node: what depends on the mesh alone.
template <class Basis>
struct FitSystem {
  int node;                     // of the wide part
  std::vector<SeenFace> faces;  // ascending in their global ids
  std::vector<double> weight;   // of each of them
  Eigen::ColPivHouseholderQR<typename Basis::Matrix> factors;
  Eigen::Index rank;
  typename Basis::Results results;  // of the unknowns as the factors have them
};

/// Fits of a basis of velocities to the face averages U_f / A_f around each node, and to the tangential velocity of
/// faces that the fluid sticks to: a row for each, in the order of the faces, weighted with 1 / (r + .3), r the
/// distance in units of the mean one. Rings of cells are added while there are too few rows, or the system is badly
/// conditioned; of many faces the nearest count. What even the last ring leaves open stays zero.
template <class Basis>
class QuadraticFit {
 public:
  using System = FitSystem<Basis>;
  static constexpr int tangents = Basis::dimension - 1;  // of a wall, along which it gives velocities

  /// Refers to both, which must outlive it.
  QuadraticFit(const WideMesh& wide, const FlowBoundaries& boundaries) : wide_(wide), boundaries_(boundaries) {}

  System set_up(int node, FitSurroundings& around) const;

  /// What a row's datum adds to the velocity: of fluxes, and of tangential velocities, in the order of the faces.
  struct Weights {
    std::vector<NodeVelocity> flux, along;
  };
  Weights weights(const System& system) const;

  /// The corners of sticky faces that are the node: they give it its velocity.
  std::vector<WallCorner> corners_at_node(const System& system, const FitWalls& walls) const;

 private:
  bool is_sticky(int face) const {
    const int patch = wide_.part.face_patch[face];
    return patch >= 0 && boundaries_.no_slip_velocity(patch);
  }
  double area(int face) const;
  double distance(const SeenFace& seen, const Vec3& origin) const;
  void keep_nearest(int node, std::size_t most, std::vector<SeenFace>& faces) const;

  const WideMesh& wide_;
  const FlowBoundaries& boundaries_;
};

template <class Basis>
double QuadraticFit<Basis>::area(int face) const {
  const std::span<const int> p = wide_.part.face_points_of(face);
  const std::vector<Vec3>& x = wide_.part.points;
  if constexpr (Basis::dimension == 2) return norm(x[p[1]] - x[p[0]]);
  return norm(cross(x[p[1]] - x[p[0]], x[p[2]] - x[p[0]])) / 2;
}

template <class Basis>
double QuadraticFit<Basis>::distance(const SeenFace& seen, const Vec3& origin) const {
  Vec3 centre;
  for (const int point : wide_.part.face_points_of(seen.face)) centre += wide_.part.points[point] / Basis::dimension;
  return norm(centre + seen.shift - origin);
}

/// Of more than `most`, in their order: those that have the node, and the nearest others, with all that are as far away
/// as the last one: so it is the same on any partition, and however the mesh is numbered.
template <class Basis>
void QuadraticFit<Basis>::keep_nearest(int node, std::size_t most, std::vector<SeenFace>& faces) const {
  if (faces.size() <= most) return;
  constexpr double nearly = 1e6;  // parts of the mean distance
  const Vec3 origin = wide_.part.points[node];
  std::vector<double> distances;
  double mean = 0;
  for (const SeenFace& seen : faces) {
    const std::span<const int> nodes = wide_.part.face_nodes_of(seen.face);
    const bool has_node = std::find(nodes.begin(), nodes.end(), node) != nodes.end();
    distances.push_back(has_node ? 0 : distance(seen, origin));
    mean += distances.back() / static_cast<double>(faces.size());
  }
  for (double& distance : distances) distance = std::round(distance / mean * nearly);
  std::vector<double> by_distance = distances;
  std::nth_element(by_distance.begin(), by_distance.begin() + static_cast<std::ptrdiff_t>(most) - 1, by_distance.end());
  const double farthest = by_distance[most - 1];
  std::vector<SeenFace> kept;
  for (std::size_t i = 0; i < faces.size(); ++i) {
    if (distances[i] <= farthest) kept.push_back(faces[i]);
  }
  faces = std::move(kept);
}

template <class Basis>
FitSystem<Basis> QuadraticFit<Basis>::set_up(int node, FitSurroundings& around) const {
  const MeshPart& part = wide_.part;
  const Vec3 origin = part.points[node];
  around.start(node);
  std::size_t most = Basis::most_faces;
  for (int ring = 1;; ++ring, around.grow()) {
    auto rows = static_cast<Eigen::Index>(around.count());
    around.for_each_face([&](int f) { rows += is_sticky(f) ? tangents : 0; });
    const bool last = ring == WideMesh::layers;
    if (!last && static_cast<double>(rows) < Basis::rows_per_unknown * Basis::unknowns) continue;

    std::vector<SeenFace> faces = around.sorted_faces();
    keep_nearest(node, most, faces);
    rows = static_cast<Eigen::Index>(faces.size());
    double scale = 0;
    for (const SeenFace& seen : faces) {
      scale += distance(seen, origin);
      rows += is_sticky(seen.face) ? tangents : 0;
    }
    scale /= static_cast<double>(faces.size());

    typename Basis::Matrix matrix(rows, Basis::unknowns);
    std::vector<double> weight;
    Eigen::Index row = 0;
    for (const SeenFace& seen : faces) {
      const typename Basis::Face face(part, seen, origin, scale);
      weight.push_back(face.weight());
      matrix.row(row++) = face.weight() * face.through();
      for (int t = 0; is_sticky(seen.face) && t < tangents; ++t) matrix.row(row++) = face.weight() * face.along(t);
    }
    const typename Basis::Row column_norm = matrix.colwise().norm().cwiseMax(1e-300);
    matrix.array().rowwise() /= column_norm.array();
    Eigen::ColPivHouseholderQR<typename Basis::Matrix> factors(matrix);
    const auto pivots = factors.matrixQR().diagonal().cwiseAbs();
    const double least = cubic::worst_condition * pivots.maxCoeff();
    const auto rank = static_cast<Eigen::Index>((pivots.array() > least).count());
    if (!last && rank < Basis::unknowns) {
      most *= 2;
      continue;
    }
    typename Basis::Results results = Basis::results(scale);
    results.array().rowwise() /= column_norm.array();
    results = results * factors.colsPermutation();
    return {node, std::move(faces), std::move(weight), std::move(factors), rank, results};
  }
}

template <class Basis>
typename QuadraticFit<Basis>::Weights QuadraticFit<Basis>::weights(const System& system) const {
  const Eigen::Index rank = system.rank, count = system.results.rows();
  Eigen::MatrixXd of_rows = Eigen::MatrixXd::Zero(system.factors.rows(), count);
  of_rows.topRows(rank) = system.factors.matrixQR()
                              .topLeftCorner(rank, rank)
                              .template triangularView<Eigen::Upper>()
                              .transpose()
                              .solve(system.results.leftCols(rank).transpose());
  of_rows.applyOnTheLeft(system.factors.householderQ());
  Weights weights;
  Eigen::Index row = 0;
  for (std::size_t i = 0; i < system.faces.size(); ++i) {
    const int f = system.faces[i].face;
    const auto of_row = [&](double factor) {
      NodeVelocity weight{};
      for (Eigen::Index k = 0; k < count; ++k) set_component(weight, Basis::components[k], factor * of_rows(row, k));
      ++row;
      return weight;
    };
    weights.flux.push_back(of_row(system.weight[i] / area(f)));
    for (int t = 0; is_sticky(f) && t < tangents; ++t) weights.along.push_back(of_row(system.weight[i]));
  }
  return weights;
}

template <class Basis>
std::vector<WallCorner> QuadraticFit<Basis>::corners_at_node(const System& system, const FitWalls& walls) const {
  constexpr double nearly = 1e-9;  // of a side
  const MeshPart& part = wide_.part;
  const Vec3 origin = part.points[system.node];
  std::vector<WallCorner> corners;
  for (const SeenFace& seen : system.faces) {
    const int place = walls.place(seen.face);
    if (place < 0) continue;
    const std::span<const int> nodes = part.face_nodes_of(seen.face), points = part.face_points_of(seen.face);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      if (nodes[k] != system.node) continue;
      const Vec3 side = part.points[points[k]] - part.points[points[(k + 1) % nodes.size()]];
      if (norm(part.points[points[k]] + seen.shift - origin) > nearly * norm(side)) continue;
      corners.push_back({place, points[k]});
    }
  }
  return corners;
}

}  // namespace solenoid
