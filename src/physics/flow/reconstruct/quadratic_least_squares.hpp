/// Least-squares systems of quadratic reconstructions.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "model/node_velocity.hpp"
#include "physics/flow/reconstruct/cell_stretch.hpp"
#include "physics/flow/reconstruct/least_squares_solution.hpp"
#include "physics/flow/reconstruct/reconstruction_stencil.hpp"
#include "physics/flow/reconstruct/wall_data.hpp"

namespace solenoid {

/// Fits a basis of velocities to the face averages U_f / A_f around each node and to the tangential velocity of faces
/// that the fluid sticks to: rows in the order of the faces, with weights 1 / (r + .3), r the distance in units of the
/// mean one. Rings of cells are added while rows are too few, a pivot is small, or the noise is too large: data errors
/// of 1 may cause errors of at most 14 in the velocity and 48 over the mean distance in its gradient, whatever the
/// axes. Of many faces only the nearest count, unless they leave a pivot small. If the last ring still leaves six times
/// that noise, the fit is linear, or constant (a mean of the data). Between flat or long cells all of this is in
/// coordinates in which they are neither (CellStretch): in space errors may be as many times larger as cells are longer
/// than high.
template <class Basis>
class QuadraticLeastSquares {
 public:
  using Solver = typename Basis::Solver;
  using Shares = typename Solver::Shares;
  /// The solved system at one node; depends on the mesh alone.
  struct System {
    int node;                     // of the wide part
    std::vector<SeenFace> faces;  // ascending in their global ids
    std::vector<Shares> shares;   // in the order of the faces, one per face and more per sticky face: weights of the
                                  // datum, a mean velocity, in the components of the velocity
  };
  /// Memory for the systems of one thread.
  struct Workspace {
    ReconstructionStencil around;
    Solver solver{};
    std::vector<double> distances{}, by_distance{};
  };
  static constexpr double noise_of_value = 14, noise_of_gradient = 48;  // above this noise more rings are added
  static constexpr double most_noise = 6;                               // multiple of it that no fit may exceed
  static constexpr int tangents = Basis::dimension - 1;                 // directions of prescribed velocity on a wall

  /// Refers to both, which must outlive it.
  QuadraticLeastSquares(const WideHaloMesh& wide, const FlowBoundaries& boundaries)
      : wide_(wide), boundaries_(boundaries) {}

  System set_up(int node, Workspace& work) const;

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
  double noise(const std::vector<SeenFace>& faces, const std::vector<Shares>& shares, double scale) const;
  static void add_to(Shares& sum, double factor, const Shares& share) {
    for (std::size_t k = 0; k < share.of.size(); ++k) sum.of[k] += factor * share.of[k];
  }
  double area(int face) const;
  CellStretch stretch_of_cells(Workspace& work) const;
  double choose_nearest(int node, std::size_t most, const CellStretch& stretch, Workspace& work,
                        std::vector<SeenFace>& faces) const;
  /// The solved shares as those of the velocity in space.
  std::vector<Shares> shares_in_space(const std::vector<SeenFace>& faces, const FitFrame& frame,
                                      const std::vector<Shares>& solved) const;

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

/// Of the stencil as it is, the first ring.
template <class Basis>
CellStretch QuadraticLeastSquares<Basis>::stretch_of_cells(Workspace& work) const {
  const std::vector<Vec3>& at = wide_.part.points;
  Tensor sides;
  for (const ReconstructionStencil::Place& place : work.around.sorted_places()) {
    const std::span<const int> points = wide_.part.face_points_of(place.face);
    for (std::size_t k = 0; k < points.size(); ++k) {
      const Vec3 side = at[points[(k + 1) % points.size()]] - at[points[k]];
      sides = sides + Tensor::square(1, work.around.image(place.image).turned(side));
    }
  }
  return Basis::dimension == 2 ? CellStretch::in_plane(sides) : CellStretch(sides);
}

/// All faces of the stencil, or of more than `most` those at the node and the nearest others, with all that are as far
/// away as the last one: the same choice on any partition and any numbering of the mesh. Returns the mean distance of
/// their centres [m].
template <class Basis>
double QuadraticLeastSquares<Basis>::choose_nearest(int node, std::size_t most, const CellStretch& stretch,
                                                    Workspace& work, std::vector<SeenFace>& faces) const {
  constexpr double nearly = 1e6;  // parts of the mean distance
  const std::vector<Vec3>& at = wide_.part.points;
  const Vec3 origin = at[node];
  const std::vector<ReconstructionStencil::Place>& places = work.around.sorted_places();
  std::vector<double>& distances = work.distances;
  const bool takes_all = places.size() <= most;
  double mean = 0, farthest = 0;
  distances.clear();
  for (const ReconstructionStencil::Place& place : places) {
    const SeenImage& image = work.around.image(place.image);
    const std::span<const int> points = wide_.part.face_points_of(place.face);
    const Vec3 side = at[points[1]] - at[points[0]];
    const double close = dot(side, side) / (nearly * nearly);
    const bool has_node = std::any_of(points.begin(), points.end(), [&](int point) {
      if (place.image == 0) return point == node;
      const Vec3 way = image.of(at[point]) - origin;
      return dot(way, way) < close;
    });
    distances.push_back(has_node && !takes_all ? 0 : norm(stretch.shrunk(place.centre - origin)));
    mean += distances.back();
  }
  mean /= static_cast<double>(places.size());
  if (!takes_all) {
    for (double& distance : distances) distance = std::round(distance / mean * nearly);
    work.by_distance = distances;
    const auto last = work.by_distance.begin() + static_cast<std::ptrdiff_t>(most) - 1;
    std::nth_element(work.by_distance.begin(), last, work.by_distance.end());
    farthest = *last;
  }
  faces.clear();
  double sum = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!takes_all && distances[i] > farthest) continue;
    faces.push_back({places[i].face, work.around.image(places[i].image)});
    sum += norm(stretch.shrunk(places[i].centre - origin));
  }
  return sum / static_cast<double>(faces.size());
}

template <class Basis>
double QuadraticLeastSquares<Basis>::noise(const std::vector<SeenFace>& faces, const std::vector<Shares>& shares,
                                           double scale) const {
  double of_value = 0, of_gradient = 0;
  std::size_t row = 0;
  const auto add = [&](int rows) {  // of one datum, a vector
    double value = 0, gradient = 0;
    for (int t = 0; t < rows; ++t, ++row) {
      for (std::size_t k = 0; k < std::size(Basis::components); ++k) {
        const double share = shares[row].of[k];
        (Basis::components[k] < 3 ? value : gradient) += share * share;
      }
    }
    of_value += std::sqrt(value), of_gradient += std::sqrt(gradient);
  };
  for (const SeenFace& seen : faces) {
    add(1);
    if (is_sticky(seen.face)) add(tangents);
  }
  return std::max(of_value / noise_of_value, scale * of_gradient / noise_of_gradient);
}

template <class Basis>
typename QuadraticLeastSquares<Basis>::System QuadraticLeastSquares<Basis>::set_up(int node, Workspace& work) const {
  constexpr double worst_condition = 1e-4;  // smallest over largest pivot
  const MeshPart& part = wide_.part;
  const Vec3 origin = part.points[node];
  ReconstructionStencil& around = work.around;
  Solver& solver = work.solver;
  std::vector<SeenFace> faces;
  around.start(node);
  FitFrame frame{origin, 1, stretch_of_cells(work)};
  std::size_t most = Basis::most_faces;
  int ring = 1;
  const auto grow = [&] {
    if (ring == WideHaloMesh::layers) return;
    around.grow();
    ++ring;
  };
  for (;; grow()) {
    auto rows = static_cast<double>(around.count());
    around.for_each_face([&](int f) { rows += is_sticky(f) ? tangents : 0; });
    const bool last = ring == WideHaloMesh::layers;
    if (!last && rows < Basis::rows_per_unknown * Basis::unknowns) continue;

    const double scale = frame.scale = choose_nearest(node, most, frame.stretch, work, faces);
    solver.clear();
    for (const SeenFace& seen : faces) {
      const typename Basis::Face face(part, seen, frame);
      solver.add(face.through(), face.weight());
      for (int t = 0; is_sticky(seen.face) && t < tangents; ++t) solver.add(face.along(t), face.weight());
    }
    const typename Solver::OfCoefficients results = Basis::results(scale);
    const bool is_whole = solver.solve(results, Basis::unknowns, worst_condition);
    double found = noise(faces, solver.shares(), scale);
    // between long cells the nearest faces may lie in one layer, in which not all quadratics differ
    const bool takes_more = !last || (most < around.count() && (!is_whole || most < 4 * Basis::most_faces));
    if (takes_more && !(is_whole && found <= 1)) {
      most *= 2;
      continue;
    }
    for (int degree = 1; degree >= 0 && found > most_noise; --degree) {
      solver.solve(results, Basis::of_degree[degree], worst_condition);
      found = noise(faces, solver.shares(), scale);
    }
    std::vector<Shares> shares = shares_in_space(faces, frame, solver.shares());
    return {node, std::move(faces), std::move(shares)};
  }
}

template <class Basis>
std::vector<typename QuadraticLeastSquares<Basis>::Shares> QuadraticLeastSquares<Basis>::shares_in_space(
    const std::vector<SeenFace>& faces, const FitFrame& frame, const std::vector<Shares>& solved) const {
  std::vector<Shares> shares = solved;
  if (!frame.stretch.is_needed()) return shares;
  // Row by row a component of v, of which v = J^-1 u makes one of u through the face and some along it.
  const CellStretch& stretch = frame.stretch;
  auto next = shares.begin();
  for (const SeenFace& seen : faces) {
    const typename Basis::Face face(wide_.part, seen, frame);
    const Vec3 across = stretch.shrunk(face.normal);
    const int along = is_sticky(seen.face) ? tangents : 0;
    const auto rows = std::span(next, static_cast<std::size_t>(1 + along));
    for (Shares& share : rows) Basis::stretch(share, stretch);
    std::array<Shares, 1 + tangents> data{};
    add_to(data[0], norm(across), rows[0]);
    const auto directions = Basis::tangents_in_space(face, stretch);
    for (int k = 0; k < along; ++k) {
      const auto part = [&](const Vec3& direction) { return dot(face.tangent[k], stretch.shrunk(direction)); };
      add_to(data[0], part(across / norm(across)), rows[1 + k]);
      for (int t = 0; t < along; ++t) add_to(data[1 + t], part(directions[t]), rows[1 + k]);
    }
    next = std::copy_n(data.begin(), rows.size(), next);
  }
  return shares;
}

template <class Basis>
typename QuadraticLeastSquares<Basis>::Weights QuadraticLeastSquares<Basis>::weights(const System& system) const {
  Weights weights;
  weights.flux.reserve(system.faces.size());
  std::size_t row = 0;
  const auto of_row = [&](double factor) {
    NodeVelocity weight{};
    for (std::size_t k = 0; k < std::size(Basis::components); ++k) {
      set_component(weight, Basis::components[k], static_cast<real>(factor * system.shares[row].of[k]));
    }
    ++row;
    return weight;
  };
  for (const SeenFace& seen : system.faces) {
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
