#include "physics/velocity_fit.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "physics/cubic_stream.hpp"

namespace solenoid {

namespace {

constexpr double rows_per_unknown = 6;  // three rings inside a mesh: measured, see docs/verification.md

cubic::Side side_of(const MeshPart& part, int face, const Vec3& origin, double scale) {
  const std::span<const int> ends = part.face_nodes_of(face);
  return {part.points[ends[0]], part.points[ends[1]], origin, scale};
}

}  // namespace

VelocityFit::VelocityFit(const LocalMesh& mesh, const WideMesh& wide, FlowBoundaries boundaries)
    : mesh_(mesh), boundaries_(std::move(boundaries)), wide_(wide), wide_flux_(wide.faces) {
  require_on_all_ranks(wide_.part.dimension == 2, [] { return "the quadratic velocity fit works on triangle meshes"; });
}

/// Faces of the rings of cells around one node after the other.
class VelocityFit::Surroundings {
 public:
  explicit Surroundings(const VelocityFit& fit)
      : part_(fit.wide_.part),
        cells_of_(fit.wide_.cells_of),
        id_(fit.wide_.faces.numbering().global_id),
        seen_node_(part_.nodes(), -1),
        seen_cell_(part_.cells(), -1),
        seen_face_(part_.faces(), -1) {}

  /// The first ring: the cells that have the node.
  void start(int node) {
    seen_node_[node] = ++start_;
    outermost_.clear();
    faces_.clear();
    add_cells_of(node);
  }
  /// One more ring: the cells that share a node with those so far.
  void grow() {
    std::vector<int> ring;
    std::swap(ring, outermost_);
    for (const int c : ring) {
      for (const int n : part_.cell_nodes_of(c)) {
        if (std::exchange(seen_node_[n], start_) != start_) add_cells_of(n);
      }
    }
  }
  const std::vector<int>& faces() const { return faces_; }
  /// Ascending in their global ids: the same order on any partition.
  std::vector<int> sorted_faces() const {
    std::vector<int> faces = faces_;
    std::sort(faces.begin(), faces.end(), [&](int a, int b) { return id_[a] < id_[b]; });
    return faces;
  }

 private:
  void add_cells_of(int node) {
    for (const int c : cells_of_[node]) {
      if (std::exchange(seen_cell_[c], start_) == start_) continue;
      outermost_.push_back(c);
      for (const int f : part_.cell_faces_of(c)) {
        if (std::exchange(seen_face_[f], start_) != start_) faces_.push_back(f);
      }
    }
  }

  const MeshPart& part_;
  const Csr<int>& cells_of_;
  const std::vector<std::int64_t>& id_;
  int start_ = -1;                                      // how many nodes were before
  std::vector<int> seen_node_, seen_cell_, seen_face_;  // at which start each was seen last
  std::vector<int> outermost_;                          // cells of the last ring
  std::vector<int> faces_;
};

/// The least-squares system at one node: what depends on the mesh alone.
struct VelocityFit::System {
  int node;
  double scale;            // mean distance of the faces
  std::vector<int> faces;  // ascending in their global ids
  cubic::Row column_norm;
  Eigen::ColPivHouseholderQR<cubic::Matrix> factors;
};

VelocityFit::~VelocityFit() = default;

const Given<Vec3>* VelocityFit::velocity_on(int face) const {
  const int patch = wide_.part.face_patch[face];
  return patch < 0 ? nullptr : boundaries_.no_slip_velocity(patch);
}

VelocityFit::System VelocityFit::set_up(int node, Surroundings& around) const {
  const Vec3 origin = wide_.part.points[node];
  around.start(node);
  for (int ring = 1;; ++ring, around.grow()) {
    const auto boundary =
        std::count_if(around.faces().begin(), around.faces().end(), [&](int f) { return velocity_on(f) != nullptr; });
    const auto rows = static_cast<Eigen::Index>(around.faces().size()) + boundary;
    const bool last = ring == WideMesh::layers;
    if (!last && static_cast<double>(rows) < rows_per_unknown * cubic::unknowns) continue;

    std::vector<int> faces = around.sorted_faces();
    double scale = 0;
    for (int f : faces) {
      scale += norm(
          (wide_.part.points[wide_.part.face_nodes[2 * f]] + wide_.part.points[wide_.part.face_nodes[2 * f + 1]]) / 2 -
          origin);
    }
    scale /= static_cast<double>(faces.size());

    cubic::Matrix matrix(rows, cubic::unknowns);
    Eigen::Index row = 0;
    for (int f : faces) {
      const cubic::Side side = side_of(wide_.part, f, origin, scale);
      matrix.row(row++) =
          side.weight / side.length *
          (cubic::potential_row(side.b.x, side.b.y) - cubic::potential_row(side.a.x, side.a.y));  // U = psi_b - psi_a
      if (!velocity_on(f)) continue;
      matrix.row(row++) = side.weight * side.mean_along();
    }
    const cubic::Row column_norm = matrix.colwise().norm().cwiseMax(1e-300);
    matrix.array().rowwise() /= column_norm.array();
    Eigen::ColPivHouseholderQR<cubic::Matrix> factors(matrix);
    const auto pivots = factors.matrixQR().diagonal().cwiseAbs();
    if (last || (rows >= cubic::unknowns && pivots.minCoeff() > cubic::worst_condition * pivots.maxCoeff())) {
      factors.setThreshold(cubic::worst_condition);  // where even the last ring leaves a direction open, it stays zero
      return {node, scale, std::move(faces), column_norm, std::move(factors)};
    }
  }
}

/// At local nodes of mesh_'s owned cells: layer k of wide_ holds what ring k of each needs.
std::vector<VelocityFit::System> VelocityFit::set_up(const std::vector<int>& nodes) const {
  const auto& id = wide_.part.node_numbering.global_id;
  std::map<std::int64_t, int> place;  // in wide_, of the nodes that other ranks own
  for (int n = wide_.part.node_numbering.owned; n < wide_.part.nodes(); ++n) place[id[n]] = n;
  std::vector<System> systems;
  Surroundings around(*this);
  for (int n : nodes)
    systems.push_back(set_up(n < mesh_.owned<Node>() ? n : place.at(mesh_.numbering<Node>().global_id[n]), around));
  return systems;
}

std::vector<int> VelocityFit::faces_of(const std::vector<System>& systems) {
  std::vector<int> faces;
  for (const System& system : systems) faces.insert(faces.end(), system.faces.begin(), system.faces.end());
  return faces;
}

/// `flux`: of system.faces, in their order.
NodeVelocity VelocityFit::solve(const System& system, const real* flux, real time) const {
  const Vec3 origin = wide_.part.points[system.node];
  Eigen::VectorXd value(system.factors.rows());
  Eigen::Index row = 0;
  Vec3 prescribed;
  int touching = 0;  // boundary faces that end in the node
  for (std::size_t i = 0; i < system.faces.size(); ++i) {
    const int f = system.faces[i];
    const Given<Vec3>* const given = velocity_on(f);
    const cubic::Side side = side_of(wide_.part, f, origin, system.scale);
    value[row++] = side.weight * flux[i] / (side.length * system.scale);
    if (!given) continue;
    value[row] = 0;
    for (double place : cubic::gauss) {
      const Vec3 u = given->at(origin + system.scale * side.at(place), time);
      value[row] += side.weight / 2 * dot(side.along(), u);
    }
    ++row;
    if (wide_.part.face_nodes[2 * f] == system.node || wide_.part.face_nodes[2 * f + 1] == system.node) {
      prescribed += given->at(origin, time);
      ++touching;
    }
  }
  const cubic::Row solution = system.factors.solve(value).transpose().cwiseQuotient(system.column_norm);
  const auto coefficient = [&](int k) { return static_cast<real>(solution[k]); };
  const real h = static_cast<real>(system.scale);
  NodeVelocity result{};
  result.value = {coefficient(1), -coefficient(0), 0};
  if (touching > 0) result.value = prescribed / static_cast<real>(touching);
  result.gradient[0] = Vec3{coefficient(3), -2 * coefficient(2), 0} / h;
  result.gradient[1] = Vec3{2 * coefficient(4), -coefficient(3), 0} / h;
  return result;
}

Exchanged<Node, NodeVelocity> VelocityFit::fit(const Field<Face>& flux, real time, Field<Node, NodeVelocity>& nodes) {
  wide_flux_.copy_from(flux);
  halo(wide_flux_);
  const std::vector<real> wide_flux = wide_flux_.all_to_host();

  mesh_.comm().guard([&] {
    std::vector<NodeVelocity> result(mesh_.owned<Node>());
    std::vector<real> known;
    Surroundings around(*this);
    for (int n = 0; n < mesh_.owned<Node>(); ++n) {
      const System system = set_up(n, around);
      known.clear();
      for (int f : system.faces) known.push_back(wide_flux[f]);
      result[n] = solve(system, known.data(), time);
    }
    nodes.from_host(result);
  });
  return halo(nodes);
}

NodeFit::NodeFit(VelocityFit& fit, const std::vector<int>& nodes)
    : fit_(fit), systems_(fit.set_up(nodes)), picker_(fit.wide_.faces, VelocityFit::faces_of(systems_)) {}

NodeFit::~NodeFit() = default;

std::vector<NodeVelocity> NodeFit::fit(const Field<Face>& flux, real time) {
  const std::vector<real> values = picker_.pick(flux);
  std::vector<NodeVelocity> result;
  fit_.mesh_.comm().guard([&] {
    const real* next = values.data();
    for (const VelocityFit::System& system : systems_) {
      result.push_back(fit_.solve(system, next, time));
      next += system.faces.size();
    }
  });
  return result;
}

}  // namespace solenoid
