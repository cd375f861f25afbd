#include "physics/flow/reconstruct/stream_stencils.hpp"

#include <algorithm>
#include <utility>

#include "physics/flow/reconstruct/cubic_stream.hpp"
#include "physics/flow/reconstruct/stream_tree.hpp"

namespace solenoid {

namespace {

constexpr int enough_nodes = 14;   // around a node, for nine unknowns
constexpr double own_weight = 50;  // of the prescribed velocity at the node itself

/// The least-squares problem at one node and its solution: column j has the weights of row j's value in the unknowns.
class NodeSystem {
 public:
  NodeSystem(const WideHaloMesh& wide, const FlowBoundaries& boundaries)
      : part_(wide.part), faces_(wide.faces), boundaries_(boundaries), tree_(wide, boundaries) {}

  void set_up(int node) {
    tree_.start(node);
    tree_.grow();
    for (int ring = 2; ring <= WideHaloMesh::layers; ++ring) {
      tree_.grow();
      const bool last = ring == WideHaloMesh::layers;
      if (!last && static_cast<int>(tree_.places().size()) <= enough_nodes) continue;
      if (solve(last)) return;
    }
  }

  /// Sorted by the faces' global ids, for RowsOf.
  std::vector<std::pair<int, PlaneShares>> of_fluxes(const std::vector<std::int64_t>& id) const {
    const std::vector<StreamTree::Step>& steps = tree_.steps();
    std::vector<PlaneShares> beyond(steps.size(), PlaneShares{});  // sums over the subtree behind each step
    std::vector<std::pair<int, PlaneShares>> shares;
    for (std::size_t j = steps.size() - 1; j > 0; --j) {
      const PlaneShares own = shares_of(static_cast<Eigen::Index>(j - 1), weight_[j - 1] / scale_);
      PlaneShares of_face{};
      for (std::size_t k = 0; k < own.size(); ++k) {
        beyond[j][k] += own[k];
        beyond[static_cast<std::size_t>(steps[j].from)][k] += beyond[j][k];
        of_face[k] = static_cast<real>(steps[j].sign) * beyond[j][k];
      }
      shares.emplace_back(steps[j].face, of_face);
    }
    std::stable_sort(shares.begin(), shares.end(),
                     [&](const auto& a, const auto& b) { return id[a.first] < id[b.first]; });
    std::size_t last = 0;  // merges the shares of a face that appears in several images
    for (std::size_t j = 1; j < shares.size(); ++j) {
      if (shares[j].first != shares[last].first) {
        shares[++last] = shares[j];
        continue;
      }
      for (std::size_t k = 0; k < shares[j].second.size(); ++k) shares[last].second[k] += shares[j].second[k];
    }
    shares.resize(last + 1);
    return shares;
  }

  /// Adds the places of prescribed velocities and calls visit(share).
  template <class Visit>
  void of_velocities(std::vector<BoundaryPlace>& places, const Visit& visit) const {
    for (const GivenRow& given : given_) {
      const PlaneShares shares = shares_of(given.row, given.weight);
      PlaneShares of_u{}, of_v{};
      for (std::size_t k = 0; k < shares.size(); ++k) {
        of_u[k] = static_cast<real>(given.along.x) * shares[k];
        of_v[k] = static_cast<real>(given.along.y) * shares[k];
      }
      visit(GivenShare{static_cast<int>(places.size()), of_u, of_v});
      places.push_back({part_.face_patch[given.face], given.at, faces_.numbering().global_id[given.face]});
    }
  }

 private:
  struct GivenRow {
    Eigen::Index row;
    double weight;
    Vec3 along, at;
    int face;
  };

  bool sticks_on(int face) const {
    return part_.face_patch[face] >= 0 && boundaries_.no_slip_velocity(part_.face_patch[face]);
  }

  /// Returns whether the fit is well determined. `last`: accepts any fit, with the smallest undetermined part.
  bool solve(bool last) {
    const std::vector<Vec3>& places = tree_.places();
    const Vec3 origin = places[0];
    scale_ = 0;
    for (const Vec3& x : places) scale_ += norm(x - origin);
    scale_ /= static_cast<double>(places.size() - 1);

    std::vector<StreamTree::SeenFace> sticky;
    std::vector<std::pair<int, Vec3>> touching;  // and the position of the node on it
    for (const StreamTree::SeenFace& seen : tree_.faces()) {
      if (!sticks_on(seen.face)) continue;
      sticky.push_back(seen);
      const int end = tree_.end_at_node(seen);
      if (end >= 0) touching.emplace_back(seen.face, part_.points[part_.face_points_of(seen.face)[end]]);
    }
    const std::size_t own = touching.empty() ? 0 : 2;
    Eigen::MatrixXd matrix(static_cast<Eigen::Index>(places.size() - 1 + sticky.size() + own), cubic::unknowns);
    Eigen::Index row = 0;
    weight_.clear();
    given_.clear();
    for (std::size_t j = 1; j < places.size(); ++j) {
      const Vec3 x = (places[j] - origin) / scale_;
      weight_.push_back(1 / (norm(x) + cubic::distance_offset));
      matrix.row(row++) = weight_.back() * cubic::potential_row(x.x, x.y);
    }
    for (const auto& [f, image] : sticky) {
      const std::span<const int> ends = part_.face_points_of(f);
      const Vec3 a = part_.points[ends[0]], b = part_.points[ends[1]];
      const cubic::Side side(tree_.seen(a, image), tree_.seen(b, image), origin, scale_);
      for (const double place : cubic::gauss) {
        given_.push_back({row, side.weight / 2, (b - a) / norm(b - a), a + place * (b - a), f});
      }
      matrix.row(row++) = side.weight * side.mean_along();
    }
    if (own) {
      for (const auto& [f, at] : touching) {
        const double weight = own_weight / static_cast<double>(touching.size());
        given_.push_back({row, weight, {1, 0, 0}, at, f});
        given_.push_back({row + 1, weight, {0, 1, 0}, at, f});
      }
      matrix.row(row++) = own_weight * cubic::x_velocity_row(0, 0);
      matrix.row(row++) = own_weight * cubic::y_velocity_row(0, 0);
    }

    const cubic::Row column_norm = matrix.colwise().norm().cwiseMax(1e-300);
    matrix.array().rowwise() /= column_norm.array();
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factors;
    factors.setThreshold(cubic::worst_condition);
    factors.compute(matrix);
    if (factors.rank() < cubic::unknowns && !last) return false;
    solution_ = factors.solve(Eigen::MatrixXd::Identity(matrix.rows(), matrix.rows()));
    solution_.array().colwise() /= column_norm.transpose().array();
    return true;
  }

  /// Weights of the value of this row.
  PlaneShares shares_of(Eigen::Index row, double weight) const {
    const auto c = solution_.col(row);
    return {static_cast<real>(weight * c[1]), static_cast<real>(-weight * c[0]),
            static_cast<real>(weight * c[3] / scale_), static_cast<real>(2 * weight * c[4] / scale_),
            static_cast<real>(-2 * weight * c[2] / scale_)};
  }

  const MeshPart& part_;
  const Layout& faces_;
  const FlowBoundaries& boundaries_;
  StreamTree tree_;
  double scale_ = 1;  // mean distance of the nodes around
  std::vector<double> weight_;
  std::vector<GivenRow> given_;
  Eigen::MatrixXd solution_;
};

}  // namespace

StreamStencils stream_stencils(const LocalMesh& mesh, const WideHaloMesh& wide, const FlowBoundaries& boundaries) {
  StreamStencils stencils;
  NodeSystem system(wide, boundaries);
  std::vector<std::pair<int, GivenShare>> given;
  for (int n = 0; n < mesh.owned<Node>(); ++n) {
    system.set_up(n);
    for (const auto& [face, shares] : system.of_fluxes(wide.faces.numbering().global_id)) {
      stencils.of_fluxes.column.insert(stencils.of_fluxes.column.end(), shares.size(), face);
      stencils.of_fluxes.value.insert(stencils.of_fluxes.value.end(), shares.begin(), shares.end());
    }
    stencils.of_fluxes.offset.push_back(static_cast<int>(stencils.of_fluxes.column.size()));
    system.of_velocities(stencils.places, [&](const GivenShare& share) { given.emplace_back(n, share); });
  }
  stencils.of_places = Csr<GivenShare>(mesh.owned<Node>(), [&](const auto& visit) {
    for (const auto& [node, share] : given) visit(node, share);
  });
  return stencils;
}

}  // namespace solenoid
