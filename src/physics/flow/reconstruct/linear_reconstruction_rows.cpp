#include "physics/flow/reconstruct/linear_reconstruction_rows.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <map>
#include <unordered_map>
#include <utility>

#include "parallel/host_threads.hpp"
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
    const Vec3 a = part.points[p[0]], b = part.points[p[1]], c = part.points[p.back()];
    const bool is_planar = part.dimension == 2;
    const Vec3 area = is_planar ? Vec3{b.y - a.y, a.x - b.x, 0} : cross(b - a, c - a) / 2;  // normal to the right
    const Vec3 centre = is_planar ? (a + b) / 2 : (a + b + c) / 3;
    const auto& row = seen.image.row;
    faces.push_back(
        {seen.face, seen.image.of(centre) - node, Vec3{dot(row[0], area), dot(row[1], area), dot(row[2], area)}});
  }
  return faces;
}

/// Of a linear velocity without divergence.
template <int d>
constexpr int unknowns = d* d + d - 1;
template <int d>
using Coefficients = Eigen::Matrix<double, unknowns<d>, 1>;

/// Component along n of a + B r, B without trace: a row for the components of a, and of B in an orthonormal basis, so
/// that the smallest solution does not depend on the axes.
template <int d>
Coefficients<d> along(const Vec3& n, const Vec3& r) {
  const double half = std::sqrt(0.5), sixth = std::sqrt(1.0 / 6);
  Coefficients<d> c;
  if constexpr (d == 2) {
    c << n.x, n.y, n.x * r.y, n.y * r.x, half * (n.x * r.x - n.y * r.y);
  } else {
    c << n.x, n.y, n.z, n.x * r.y, n.x * r.z, n.y * r.x, n.y * r.z, n.z * r.x, n.z * r.y,
        half * (n.x * r.x - n.y * r.y), sixth * (n.x * r.x + n.y * r.y - 2 * n.z * r.z);
  }
  return c;
}

/// Map x -> S x, A n -> cof(S) A n that thickens a thin layer of faces around a node to a fifth of its extent.
/// Velocities follow by Piola's transformation, which keeps fluxes and zero divergence.
class Thickened {
 public:
  Thickened(const std::vector<FaceFrom>& faces, bool is_planar) {
    constexpr double thickness = 0.2;
    Eigen::Matrix3d moments = Eigen::Matrix3d::Zero();
    for (const FaceFrom& f : faces) moments += vector(f.arm) * vector(f.arm).transpose();
    if (is_planar) moments(2, 2) = moments.trace();  // nothing to thicken out of the plane
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

/// Faces, the weights of their fluxes in a of the fit, and whether the fit is linear or constant.
struct Fit {
  std::vector<int> faces;
  std::vector<Vec3> weights;
  bool is_linear = true;
};

/// Smallest over largest singular value; below it the fit is a constant velocity.
constexpr double well_known = 0.03;

template <int d>
using Square = Eigen::Matrix<double, unknowns<d>, unknowns<d>>;
template <int d>
using OfOrigin = Eigen::Matrix<double, d, unknowns<d>>;  // maps right-hand sides to a

template <int d>
OfOrigin<d> of_linear(const Square<d>& upper) {
  return upper.template triangularView<Eigen::Upper>().template solve<Eigen::OnTheRight>(OfOrigin<d>::Identity());
}

/// For a uniform velocity.
template <int d>
OfOrigin<d> of_constant(const Square<d>& upper) {
  OfOrigin<d> solution = OfOrigin<d>::Zero();
  solution.template leftCols<d>() = upper.template topLeftCorner<d, d>().template triangularView<Eigen::Upper>().solve(
      Eigen::Matrix<double, d, d>::Identity());
  return solution;
}

/// Whether the smallest singular value is `well_known` times the largest. Frobenius' norms bound both, and most often
/// tell.
template <int d>
bool is_well_known(const Square<d>& upper) {
  const Square<d> inverse = upper.template triangularView<Eigen::Upper>().solve(Square<d>::Identity());
  constexpr double round_off = 1e-9;
  if (upper.norm() * inverse.norm() * well_known < 1 - round_off) return true;
  const Eigen::SelfAdjointEigenSolver<Square<d>> squared(upper.transpose() * upper, Eigen::EigenvaluesOnly);
  return std::sqrt(std::max(0.0, squared.eigenvalues()[0]) / squared.eigenvalues()[unknowns<d> - 1]) >= well_known;
}

template <int d>
Fit fitted_at_origin(const std::vector<FaceFrom>& faces) {
  constexpr real near = 0.3;
  const Thickened thickened(faces, d == 2);
  const auto count = static_cast<Eigen::Index>(std::max<std::size_t>(faces.size(), unknowns<d>));
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(count, unknowns<d>);
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
    rows.row(static_cast<Eigen::Index>(i)) = weight * along<d>(f.area / norm(f.area), f.arm / distance).transpose();
    scales.push_back(weight / norm(f.area));
  }
  const Eigen::HouseholderQR<Eigen::MatrixXd> factors(rows);
  const Square<d> upper = factors.matrixQR().template topRows<unknowns<d>>().template triangularView<Eigen::Upper>();
  Eigen::MatrixXd shares = Eigen::MatrixXd::Zero(count, 3);
  const bool is_linear = is_well_known<d>(upper);
  shares.template block<unknowns<d>, d>(0, 0) = (is_linear ? of_linear<d>(upper) : of_constant<d>(upper)).transpose();
  shares.applyOnTheLeft(factors.householderQ());
  shares = thickened.back(shares);
  Fit fit{{}, {}, is_linear};
  fit.faces.reserve(faces.size());
  fit.weights.reserve(faces.size());
  for (std::size_t i = 0; i < faces.size(); ++i) {
    fit.faces.push_back(faces[i].face);
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
  explicit Neighbours(const WideHaloMesh& wide) : part_(wide.part), cells_of_(wide.cells_of) {}
  /// By global id: the node and the vector to it, as in the first of the cells around.
  std::map<std::int64_t, std::pair<int, Vec3>> of(int node) const {
    std::map<std::int64_t, std::pair<int, Vec3>> found;
    std::vector<int> cells(cells_of_[node].begin(), cells_of_[node].end());
    const auto& id = part_.cell_numbering.global_id;
    std::sort(cells.begin(), cells.end(), [&](int a, int b) { return id[a] < id[b]; });
    for (const int c : cells) {
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
  const Csr<int>& cells_of_;
};

/// The rows of some local nodes at a time.
class RowsOfNodes {
 public:
  RowsOfNodes(const LocalMesh& mesh, const WideHaloMesh& wide, const FlowBoundaries& boundaries)
      : part_(wide.part),
        wide_node_(places_in(part_.node_numbering, mesh.numbering<Node>())),
        local_node_(places_in(mesh.numbering<Node>(), part_.node_numbering)),
        local_face_(places_in(mesh.numbering<Face>(), wide.faces.numbering())),
        is_given_(part_.nodes(), 0),
        is_linear_(static_cast<std::size_t>(part_.nodes())),
        neighbours_(wide),
        stencils_([&] { return std::make_unique<ReconstructionStencil>(wide, boundaries); }) {
    for (int f = 0; f < part_.faces(); ++f) {
      if (part_.face_patch[f] < 0 || !boundaries.velocity(part_.face_patch[f])) continue;
      for (const int n : part_.face_nodes_of(f)) is_given_[n] = 1;
    }
  }

  /// Those of [begin, end). Threads may call it at the same time.
  LinearNodeRows find(int begin, int end) {
    LinearNodeRows rows;
    stencils_.use([&](ReconstructionStencil& around) {
      for (int local = begin; local < end; ++local) {
        if (!is_given_[wide_node_[local]]) add(local, around, rows);
      }
    });
    return rows;
  }

 private:
  /// Faces of six triangles: the fluxes of fewer barely determine the five coefficients, and the fit amplifies errors.
  static constexpr std::size_t enough_in_plane = 12;
  /// What is known of whether the fit at a node is linear.
  enum Known : char { nothing, linear, constant };

  Fit fit_at(int n, ReconstructionStencil& around) {
    around.start(n);
    if (part_.dimension == 2 && around.count() < enough_in_plane) around.grow();
    const std::vector<FaceFrom> faces = faces_from(part_, around, part_.points[n]);
    Fit fit = part_.dimension == 2 ? fitted_at_origin<2>(faces) : fitted_at_origin<3>(faces);
    is_linear_[n].store(fit.is_linear ? linear : constant, std::memory_order_relaxed);
    return fit;
  }
  bool is_linear(int n, ReconstructionStencil& around) {
    if (is_given_[n]) return true;
    const char known = is_linear_[n].load(std::memory_order_relaxed);
    return known == nothing ? fit_at(n, around).is_linear : known == linear;
  }
  static bool is_mirrored(int n, ReconstructionStencil& around) {
    around.start(n);
    const std::vector<SeenFace> faces = around.sorted_faces();
    return std::any_of(faces.begin(), faces.end(), [](const SeenFace& seen) { return seen.image.mirrors; });
  }

  void add(int local, ReconstructionStencil& around, LinearNodeRows& rows) {
    const int n = wide_node_[local];
    const Fit fit = fit_at(n, around);
    if (!fit.is_linear && part_.dimension == 3 && !is_mirrored(n, around) && add_between(local, around, rows)) return;
    for (const int face : fit.faces) rows.face.push_back(local_face_[face]);
    rows.weight.insert(rows.weight.end(), fit.weights.begin(), fit.weights.end());
    rows.node.push_back(local);
    rows.begin.push_back(static_cast<int>(rows.face.size()));
  }
  /// Returns whether the neighbours' places allow it.
  bool add_between(int local, ReconstructionStencil& around, LinearNodeRows& rows) {
    std::vector<Vec3> places;
    LinearNodeRows::Between row{local, {}};
    for (const auto& [id, neighbour] : neighbours_.of(wide_node_[local])) {
      if (!is_linear(neighbour.first, around)) continue;
      places.push_back(neighbour.second);
      row.sources.emplace_back(local_node_[neighbour.first], 0);
    }
    const std::vector<real> weights = linear_weights(places);
    if (weights.empty()) return false;
    for (std::size_t k = 0; k < weights.size(); ++k) row.sources[k].second = weights[k];
    rows.between.push_back(std::move(row));
    return true;
  }

  const MeshPart& part_;
  const std::vector<int> wide_node_, local_node_, local_face_;
  std::vector<char> is_given_;
  std::vector<std::atomic<char>> is_linear_;
  Neighbours neighbours_;
  Spares<ReconstructionStencil> stencils_;
};

void append(LinearNodeRows&& later, LinearNodeRows& rows) {
  const int before = rows.begin.back();
  for (std::size_t i = 1; i < later.begin.size(); ++i) rows.begin.push_back(before + later.begin[i]);
  rows.node.insert(rows.node.end(), later.node.begin(), later.node.end());
  rows.face.insert(rows.face.end(), later.face.begin(), later.face.end());
  rows.weight.insert(rows.weight.end(), later.weight.begin(), later.weight.end());
  std::move(later.between.begin(), later.between.end(), std::back_inserter(rows.between));
  later = {};
}

}  // namespace

LinearNodeRows linear_node_rows(const LocalMesh& mesh, const WideHaloMesh& wide, const FlowBoundaries& boundaries) {
  constexpr int size = 1024;  // of a piece
  const int nodes = mesh.total<Node>();
  RowsOfNodes of_nodes(mesh, wide, boundaries);
  std::vector<LinearNodeRows> pieces(static_cast<std::size_t>((nodes + size - 1) / size));
  over_host_threads(nodes, size, [&](int begin, int end) { pieces[begin / size] = of_nodes.find(begin, end); });
  LinearNodeRows rows;
  for (LinearNodeRows& piece : pieces) append(std::move(piece), rows);
  return rows;
}

}  // namespace solenoid
