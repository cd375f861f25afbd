#include "physics/flow/reconstruct/linear_reconstruction_rows.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>

#include "physics/flow/reconstruct/reconstruction_stencil.hpp"

namespace solenoid {

namespace {

/// Place in `numbering` of each entity of `other`, -1 if it has none.
std::vector<int> places_in(const LocalNumbering& numbering, const LocalNumbering& other) {
  std::unordered_map<std::int64_t, int> place;
  for (std::size_t i = 0; i < numbering.global_id.size(); ++i) {
    place.emplace(numbering.global_id[i], static_cast<int>(i));
  }
  std::vector<int> places;
  for (const std::int64_t id : other.global_id) {
    const auto found = place.find(id);
    places.push_back(found == place.end() ? -1 : found->second);
  }
  return places;
}

/// A face relative to a node: vector to its centre, and A n.
struct FaceFrom {
  int face;
  Vec3 arm, area;
};

std::vector<FaceFrom> faces_from(const MeshPart& part, ReconstructionStencil& around, const Vec3& node) {
  std::vector<FaceFrom> faces;
  for (const SeenFace& seen : around.sorted_faces()) {
    const std::span<const int> p = part.face_points_of(seen.face);
    const Vec3 a = part.points[p[0]], b = part.points[p[1]], c = part.points[p[2]];
    const Vec3 area = cross(b - a, c - a) / 2;
    const auto& row = seen.image.row;
    faces.push_back({seen.face, seen.image.of((a + b + c) / 3) - node,
                     Vec3{dot(row[0], area), dot(row[1], area), dot(row[2], area)}});
  }
  return faces;
}

constexpr int unknowns = 11;
using Coefficients = Eigen::Matrix<double, unknowns, 1>;

/// Component along n of a + B r, B without trace: a row for the components of a, and of B in an orthonormal basis, so
/// that the smallest solution does not depend on the axes.
Coefficients along(const Vec3& n, const Vec3& r) {
  const double half = std::sqrt(0.5), sixth = std::sqrt(1.0 / 6);
  Coefficients c;
  c << n.x, n.y, n.z, n.x * r.y, n.x * r.z, n.y * r.x, n.y * r.z, n.z * r.x, n.z * r.y, half * (n.x * r.x - n.y * r.y),
      sixth * (n.x * r.x + n.y * r.y - 2 * n.z * r.z);
  return c;
}

/// Map x -> S x, A n -> cof(S) A n that thickens a thin layer of faces around a node to a fifth of its extent.
/// Velocities follow by Piola's transformation, which keeps fluxes and zero divergence.
class Thickened {
 public:
  explicit Thickened(const std::vector<FaceFrom>& faces) {
    constexpr double thickness = 0.2;
    Eigen::Matrix3d moments = Eigen::Matrix3d::Zero();
    for (const FaceFrom& f : faces) moments += vector(f.arm) * vector(f.arm).transpose();
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(moments);
    const Eigen::Vector3d extents = axes.eigenvalues().cwiseMax(0).cwiseSqrt() / std::sqrt(axes.eigenvalues()[2]);
    const Eigen::Vector3d by = (thickness * extents.cwiseMax(1e-6).cwiseInverse()).cwiseMax(1);
    const Eigen::Matrix3d& turn = axes.eigenvectors();
    to_ = turn * by.asDiagonal() * turn.transpose();
    from_ = turn * by.cwiseInverse().asDiagonal() * turn.transpose();
  }
  FaceFrom operator()(const FaceFrom& f) const {
    return {f.face, vector(to_ * vector(f.arm)), vector(to_.determinant() * from_ * vector(f.area))};
  }
  /// Weights of the mapped velocity as weights of the original one.
  Eigen::MatrixXd back(const Eigen::MatrixXd& shares) const { return to_.determinant() * shares * from_; }

 private:
  static Eigen::Vector3d vector(const Vec3& x) { return {x.x, x.y, x.z}; }
  static Vec3 vector(const Eigen::Vector3d& x) { return {real(x[0]), real(x[1]), real(x[2])}; }
  Eigen::Matrix3d to_, from_;
};

/// Weights of the fluxes in a of the fit, and whether the fit is linear or constant.
struct Fit {
  std::vector<Vec3> weights;
  bool is_linear = true;
};

/// Smallest over largest singular value; below it the fit is a constant velocity.
constexpr double well_known = 0.03;

using Square = Eigen::Matrix<double, unknowns, unknowns>;
using OfOrigin = Eigen::Matrix<double, 3, unknowns>;  // maps right-hand sides to a

OfOrigin of_linear(const Square& upper) {
  return upper.triangularView<Eigen::Upper>().solve<Eigen::OnTheRight>(OfOrigin::Identity());
}

/// For a uniform velocity.
OfOrigin of_constant(const Square& upper) {
  OfOrigin solution = OfOrigin::Zero();
  solution.leftCols<3>() =
      upper.topLeftCorner<3, 3>().triangularView<Eigen::Upper>().solve(Eigen::Matrix3d::Identity());
  return solution;
}

Fit fitted_at_origin(const std::vector<FaceFrom>& faces) {
  constexpr real near = 0.3;
  const Thickened thickened(faces);
  const auto count = static_cast<Eigen::Index>(std::max<std::size_t>(faces.size(), unknowns));
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(count, unknowns);
  std::vector<FaceFrom> seen;
  real distance = 0;
  for (const FaceFrom& f : faces) {
    seen.push_back(thickened(f));
    distance += norm(seen.back().arm) / static_cast<real>(faces.size());
  }
  std::vector<real> scales;  // of each row per flux
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const FaceFrom& f = seen[i];
    const real weight = 1 / (norm(f.arm) / distance + near);
    rows.row(static_cast<Eigen::Index>(i)) = weight * along(f.area / norm(f.area), f.arm / distance).transpose();
    scales.push_back(weight / norm(f.area));
  }
  const Eigen::HouseholderQR<Eigen::MatrixXd> factors(rows);
  const Square upper = factors.matrixQR().topRows<unknowns>().template triangularView<Eigen::Upper>();
  const Eigen::SelfAdjointEigenSolver<Square> squared(upper.transpose() * upper, Eigen::EigenvaluesOnly);
  const double least = std::sqrt(std::max(0.0, squared.eigenvalues()[0]) / squared.eigenvalues()[unknowns - 1]);
  Eigen::MatrixXd shares = Eigen::MatrixXd::Zero(count, 3);
  const bool is_linear = least >= well_known;
  shares.topRows<unknowns>() = (is_linear ? of_linear(upper) : of_constant(upper)).transpose();
  shares.applyOnTheLeft(factors.householderQ());
  shares = thickened.back(shares);
  Fit fit{{}, is_linear};
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const Eigen::Vector3d share = scales[i] * shares.row(static_cast<Eigen::Index>(i)).transpose();
    fit.weights.push_back({static_cast<real>(share[0]), static_cast<real>(share[1]), static_cast<real>(share[2])});
  }
  return fit;
}

/// Smallest weights of these places that interpolate linear functions at the origin; empty if the places nearly lie in
/// a plane.
std::vector<real> linear_weights(const std::vector<Vec3>& places) {
  constexpr double least = 1e-6;  // of the pivots
  constexpr real most = 10;       // of the sum of their magnitudes: 1 inside the hull, 3 to 5 on one side of it
  Eigen::Matrix4d products = Eigen::Matrix4d::Zero();
  real scale = 0;
  for (const Vec3& x : places) scale = std::max(scale, norm(x));
  std::vector<Eigen::Vector4d> rows;
  for (const Vec3& x : places) {
    rows.push_back(Eigen::Vector4d(1, x.x / scale, x.y / scale, x.z / scale));
    products += rows.back() * rows.back().transpose();
  }
  const Eigen::LDLT<Eigen::Matrix4d> factors(products);
  if (places.size() < 4 || !(factors.vectorD().minCoeff() > least * factors.vectorD().maxCoeff())) return {};
  const Eigen::Vector4d multiplier = factors.solve(Eigen::Vector4d::Unit(0));
  std::vector<real> weights;
  real sum = 0;
  for (const Eigen::Vector4d& row : rows) {
    weights.push_back(static_cast<real>(row.dot(multiplier)));
    sum += std::abs(weights.back());
  }
  return sum < most ? weights : std::vector<real>();
}

/// Per node of the part: the nodes that share a cell with it, and the vectors to them.
class Neighbours {
 public:
  explicit Neighbours(const MeshPart& part) : part_(part), cells_(part.nodes()) {
    for (int c = 0; c < part.cells(); ++c) {
      for (const int n : part.cell_nodes_of(c)) cells_[n].push_back(c);
    }
    const auto& id = part.cell_numbering.global_id;
    for (auto& around : cells_) std::sort(around.begin(), around.end(), [&](int a, int b) { return id[a] < id[b]; });
  }
  /// By global id: the node and the vector to it, as in the first of the cells around.
  std::map<std::int64_t, std::pair<int, Vec3>> of(int node) const {
    std::map<std::int64_t, std::pair<int, Vec3>> found;
    for (const int c : cells_[node]) {
      const auto nodes = part_.cell_nodes_of(c), points = part_.cell_points_of(c);
      const auto own = std::find(nodes.begin(), nodes.end(), node) - nodes.begin();
      for (std::size_t k = 0; k < nodes.size(); ++k) {
        if (nodes[k] == node) continue;
        found.try_emplace(part_.node_numbering.global_id[nodes[k]], nodes[k],
                          part_.points[points[k]] - part_.points[points[static_cast<std::size_t>(own)]]);
      }
    }
    return found;
  }

 private:
  const MeshPart& part_;
  std::vector<std::vector<int>> cells_;
};

}  // namespace

LinearNodeRows linear_node_rows(const LocalMesh& mesh, const WideHaloMesh& wide, const FlowBoundaries& boundaries) {
  const MeshPart& part = wide.part;
  const std::vector<int> wide_node = places_in(part.node_numbering, mesh.numbering<Node>()),
                         local_face = places_in(mesh.numbering<Face>(), wide.faces.numbering());
  std::vector<char> is_given(part.nodes(), 0);
  for (int f = 0; f < part.faces(); ++f) {
    if (part.face_patch[f] < 0 || !boundaries.velocity(part.face_patch[f])) continue;
    for (const int n : part.face_nodes_of(f)) is_given[n] = 1;
  }
  const Neighbours neighbours(part);
  ReconstructionStencil around(wide, boundaries);
  std::vector<std::optional<Fit>> fits(part.nodes());  // of local nodes and their neighbours
  const auto is_linear = [&](int n) {
    if (is_given[n]) return true;
    if (!fits[n]) {
      around.start(n);
      fits[n] = fitted_at_origin(faces_from(part, around, part.points[n]));
    }
    return fits[n]->is_linear;
  };
  const auto is_mirrored = [&](int n) {
    around.start(n);
    const std::vector<SeenFace> faces = around.sorted_faces();
    return std::any_of(faces.begin(), faces.end(), [](const SeenFace& seen) { return seen.image.mirrors; });
  };
  const std::vector<int> local_node = places_in(mesh.numbering<Node>(), part.node_numbering);
  LinearNodeRows rows;
  for (int local = 0; local < mesh.total<Node>(); ++local) {
    const int n = wide_node[local];
    if (is_given[n]) continue;
    if (!is_linear(n) && !is_mirrored(n)) {
      std::vector<Vec3> places;
      std::vector<int> sources;
      for (const auto& [id, neighbour] : neighbours.of(n)) {
        if (!is_linear(neighbour.first)) continue;
        places.push_back(neighbour.second);
        sources.push_back(local_node[neighbour.first]);
      }
      const std::vector<real> weights = linear_weights(places);
      if (!weights.empty()) {
        rows.between.push_back({local, {}});
        for (std::size_t k = 0; k < sources.size(); ++k) {
          rows.between.back().sources.emplace_back(sources[k], weights[k]);
        }
        continue;
      }
    }
    around.start(n);
    const std::vector<SeenFace> faces = around.sorted_faces();
    for (std::size_t i = 0; i < faces.size(); ++i) {
      rows.face.push_back(local_face[faces[i].face]);
      rows.weight.push_back(fits[n]->weights[i]);
    }
    fits[n]->weights = {};
    rows.node.push_back(local);
    rows.begin.push_back(static_cast<int>(rows.face.size()));
  }
  return rows;
}

}  // namespace solenoid
