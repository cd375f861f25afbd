/// Least-squares systems of quadratic reconstructions. For files that include Eigen.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "model/node_velocity.hpp"
#include "physics/flow/reconstruct/least_squares_solution.hpp"
#include "physics/flow/reconstruct/reconstruction_stencil.hpp"
#include "physics/flow/reconstruct/wall_data.hpp"

namespace solenoid {

/// The solved system at one node; depends on the mesh alone.
struct FitSystem {
  int node;                     // of the wide part
  std::vector<SeenFace> faces;  // ascending in their global ids
  Eigen::MatrixXd shares;       // rows in the order of the faces, one per face and more per sticky face: weights of the
                                // datum, a mean velocity, in the components of the basis
};

/// Fits a basis of velocities to the face averages U_f / A_f around each node and to the tangential velocity of faces
/// that the fluid sticks to: rows in the order of the faces, with weights 1 / (r + .3), r the distance in units of the
/// mean one. Rings of cells are added while rows are too few, a pivot is small, or the noise is too large: data errors
/// of 1 may cause errors of at most 14 in the velocity and 48 over the mean distance in its gradient, whatever the
/// axes. Of many faces only the nearest count. If the last ring still leaves six times that noise, the fit is linear,
/// or constant (a mean of the data).
template <class Basis>
class QuadraticLeastSquares {
 public:
  using System = FitSystem;
  static constexpr double noise_of_value = 14, noise_of_gradient = 48;  // above this noise more rings are added
  static constexpr double most_noise = 6;                               // multiple of it that no fit may exceed
  static constexpr int tangents = Basis::dimension - 1;                 // directions of prescribed velocity on a wall

  /// Refers to both, which must outlive it.
  QuadraticLeastSquares(const WideHaloMesh& wide, const FlowBoundaries& boundaries)
      : wide_(wide), boundaries_(boundaries) {}

  System set_up(int node, ReconstructionStencil& around) const;

  /// Weights of the data in the velocity: of fluxes, and of tangential velocities, in the order of the faces.
  struct Weights {
    std::vector<NodeVelocity> flux, along;
  };
  Weights weights(const System& system) const;

  /// Corners at the node of sticky faces, which prescribe its velocity.
  std::vector<WallCorner> corners_at_node(const System& system, const WallData& walls) const;

 private:
  bool is_sticky(int face) const {
    const int patch = wide_.part.face_patch[face];
    return patch >= 0 && boundaries_.no_slip_velocity(patch);
  }
  /// Error bound for the velocity where all data of `faces` err by 1, and for its gradient in units of `scale`: the
  /// larger ratio to its limit. Sums the norms of vectors and tensors, which do not depend on the axes.
  double noise(const std::vector<SeenFace>& faces, const Eigen::MatrixXd& shares, double scale) const;
  double area(int face) const;
  double distance(const SeenFace& seen, const Vec3& origin) const;
  void keep_nearest(int node, std::size_t most, std::vector<SeenFace>& faces) const;

  const WideHaloMesh& wide_;
  const FlowBoundaries& boundaries_;
};

template <class Basis>
double QuadraticLeastSquares<Basis>::area(int face) const {
  const std::span<const int> p = wide_.part.face_points_of(face);
  const std::vector<Vec3>& x = wide_.part.points;
  if constexpr (Basis::dimension == 2) return norm(x[p[1]] - x[p[0]]);
  return norm(cross(x[p[1]] - x[p[0]], x[p[2]] - x[p[0]])) / 2;
}

template <class Basis>
double QuadraticLeastSquares<Basis>::distance(const SeenFace& seen, const Vec3& origin) const {
  Vec3 centre;
  for (const int point : wide_.part.face_points_of(seen.face)) centre += wide_.part.points[point] / Basis::dimension;
  return norm(seen.image.of(centre) - origin);
}

/// Of more than `most` faces keeps those at the node and the nearest others, with all that are as far away as the last
/// one: the same choice on any partition and any numbering of the mesh.
template <class Basis>
void QuadraticLeastSquares<Basis>::keep_nearest(int node, std::size_t most, std::vector<SeenFace>& faces) const {
  if (faces.size() <= most) return;
  constexpr double nearly = 1e6;  // parts of the mean distance
  const Vec3 origin = wide_.part.points[node];
  std::vector<double> distances;
  double mean = 0;
  for (const SeenFace& seen : faces) {
    const std::span<const int> points = wide_.part.face_points_of(seen.face);
    const Vec3 first = seen.image.of(wide_.part.points[points[0]]),
               second = seen.image.of(wide_.part.points[points[1]]);
    const bool has_node = std::any_of(points.begin(), points.end(), [&](int point) {
      return norm(seen.image.of(wide_.part.points[point]) - origin) < norm(second - first) / nearly;
    });
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
double QuadraticLeastSquares<Basis>::noise(const std::vector<SeenFace>& faces, const Eigen::MatrixXd& shares,
                                           double scale) const {
  double of_value = 0, of_gradient = 0;
  Eigen::Index row = 0;
  const auto add = [&](Eigen::Index rows) {  // of one datum, a vector
    double value = 0, gradient = 0;
    for (Eigen::Index k = 0; k < shares.cols(); ++k) {
      (Basis::components[k] < 3 ? value : gradient) += shares.col(k).segment(row, rows).squaredNorm();
    }
    of_value += std::sqrt(value), of_gradient += std::sqrt(gradient);
    row += rows;
  };
  for (const SeenFace& seen : faces) {
    add(1);
    if (is_sticky(seen.face)) add(tangents);
  }
  return std::max(of_value / noise_of_value, scale * of_gradient / noise_of_gradient);
}

template <class Basis>
FitSystem QuadraticLeastSquares<Basis>::set_up(int node, ReconstructionStencil& around) const {
  const MeshPart& part = wide_.part;
  const Vec3 origin = part.points[node];
  around.start(node);
  std::size_t most = Basis::most_faces;
  int ring = 1;
  const auto grow = [&] {
    if (ring == WideHaloMesh::layers) return;
    around.grow();
    ++ring;
  };
  for (;; grow()) {
    auto rows = static_cast<Eigen::Index>(around.count());
    around.for_each_face([&](int f) { rows += is_sticky(f) ? tangents : 0; });
    const bool last = ring == WideHaloMesh::layers;
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

    Eigen::MatrixXd matrix(rows, Basis::unknowns);
    Eigen::VectorXd weight(rows);
    Eigen::Index row = 0;
    for (const SeenFace& seen : faces) {
      const typename Basis::Face face(part, seen, origin, scale);
      const auto add = [&](const typename Basis::Row& values) {
        weight[row] = face.weight();
        matrix.row(row++) = face.weight() * values;
      };
      add(face.through());
      for (int t = 0; is_sticky(seen.face) && t < tangents; ++t) add(face.along(t));
    }
    const Eigen::MatrixXd results = Basis::results(scale);
    LeastSquaresSolution solution = solve_fit(matrix, weight, results, Basis::unknowns);
    double found = noise(faces, solution.shares, scale);
    const bool takes_more = !last || most < std::min(around.count(), 4 * Basis::most_faces);
    if (takes_more && !(solution.is_whole && found <= 1)) {
      most *= 2;
      continue;
    }
    for (int degree = 1; degree >= 0 && found > most_noise; --degree) {
      solution = solve_fit(matrix, weight, results, Basis::of_degree[degree]);
      found = noise(faces, solution.shares, scale);
    }
    return {node, std::move(faces), std::move(solution.shares)};
  }
}

template <class Basis>
typename QuadraticLeastSquares<Basis>::Weights QuadraticLeastSquares<Basis>::weights(const System& system) const {
  Weights weights;
  Eigen::Index row = 0;
  for (const SeenFace& seen : system.faces) {
    const auto of_row = [&](double factor) {
      NodeVelocity weight{};
      for (Eigen::Index k = 0; k < system.shares.cols(); ++k) {
        set_component(weight, Basis::components[k], factor * system.shares(row, k));
      }
      ++row;
      return weight;
    };
    weights.flux.push_back(of_row(1 / area(seen.face)));
    for (int t = 0; is_sticky(seen.face) && t < tangents; ++t) weights.along.push_back(of_row(1));
  }
  return weights;
}

template <class Basis>
std::vector<WallCorner> QuadraticLeastSquares<Basis>::corners_at_node(const System& system,
                                                                      const WallData& walls) const {
  constexpr double nearly = 1e-9;  // of a side
  const MeshPart& part = wide_.part;
  const Vec3 origin = part.points[system.node];
  std::vector<WallCorner> corners;
  for (const SeenFace& seen : system.faces) {
    const int place = walls.place(seen.face);
    if (place < 0 || !seen.image.only_moves()) continue;
    const std::span<const int> nodes = part.face_nodes_of(seen.face), points = part.face_points_of(seen.face);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      if (nodes[k] != system.node) continue;
      const Vec3 side = part.points[points[k]] - part.points[points[(k + 1) % nodes.size()]];
      if (norm(seen.image.of(part.points[points[k]]) - origin) > nearly * norm(side)) continue;
      corners.push_back({place, points[k]});
    }
  }
  return corners;
}

}  // namespace solenoid
