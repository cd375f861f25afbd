#include "physics/velocity_fit.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "physics/cubic_stream.hpp"

namespace solenoid {

namespace {

constexpr double at_origin = 1e-9;      // of places, in units of the mean distance
constexpr double rows_per_unknown = 6;  // three rings inside a mesh: measured, see docs/verification.md

/// `shift`: from where the face lies to where it is seen.
cubic::Side side_of(const MeshPart& part, int face, const Vec3& shift, const Vec3& origin, double scale) {
  const std::span<const int> ends = part.face_points_of(face);
  return {part.points[ends[0]] + shift, part.points[ends[1]] + shift, origin, scale};
}

}  // namespace

VelocityFit::VelocityFit(const LocalMesh& mesh, const WideMesh& wide, FlowBoundaries boundaries)
    : mesh_(mesh), boundaries_(std::move(boundaries)), wide_(wide), wide_flux_(wide.faces) {
  require_on_all_ranks(wide_.part.dimension == 2, [] { return "the quadratic velocity fit works on triangle meshes"; });
}

/// Faces of the rings of cells around one node after the other. Beyond a periodic pair the domain goes on at the other
/// patch: a face may be seen at several places then.
class VelocityFit::Surroundings {
 public:
  explicit Surroundings(const VelocityFit& fit)
      : part_(fit.wide_.part), cells_of_(fit.wide_.cells_of), id_(fit.wide_.faces.numbering().global_id) {
    marks_.emplace_back(part_);
  }

  /// The first ring: the cells that have the node.
  void start(int node) {
    ++start_;
    shifts_ = {Vec3{}};
    outermost_.clear();
    faces_.clear();
    marks_[0].node[node] = start_;
    add_cells_of({node, 0});
  }
  /// One more ring: the cells that share a node with those so far.
  void grow() {
    std::vector<Seen> ring;
    std::swap(ring, outermost_);
    for (const Seen& cell : ring) {
      const std::span<const int> nodes = part_.cell_nodes_of(cell.entity), points = part_.cell_points_of(cell.entity);
      for (std::size_t k = 0; k < nodes.size(); ++k) {
        const Seen node{nodes[k], moved(cell.shift, part_.points[points[k]] - part_.points[nodes[k]])};
        if (std::exchange(marks_of(node).node[node.entity], start_) != start_) add_cells_of(node);
      }
    }
  }
  std::size_t count() const { return faces_.size(); }
  /// visit(face) for each place where one is seen.
  template <class Visit>
  void for_each_face(const Visit& visit) const {
    for (const Seen& face : faces_) visit(face.entity);
  }
  /// Ascending in their global ids: the same order on any partition.
  std::vector<SeenFace> sorted_faces() const {
    std::vector<SeenFace> faces;
    for (const Seen& face : faces_) faces.push_back({face.entity, shifts_[face.shift]});
    std::sort(faces.begin(), faces.end(), [&](const SeenFace& a, const SeenFace& b) {
      return std::tuple(id_[a.face], a.shift.x, a.shift.y) < std::tuple(id_[b.face], b.shift.x, b.shift.y);
    });
    return faces;
  }

 private:
  /// Something of the mesh, and the number of what leads from where it lies to where it is seen.
  struct Seen {
    int entity;
    std::size_t shift;
  };
  /// At which start each was seen last with one shift.
  struct Marks {
    std::vector<int> node, cell, face;
    explicit Marks(const MeshPart& part) : node(part.nodes(), -1), cell(part.cells(), -1), face(part.faces(), -1) {}
  };
  Marks& marks_of(const Seen& seen) { return marks_[seen.shift]; }

  std::size_t moved(std::size_t shift, const Vec3& by) {
    if (by.x == 0 && by.y == 0) return shift;
    const Vec3 wanted = shifts_[shift] + by;
    constexpr real nearly = 1e-6;  // of a translation, which is many cells long
    for (std::size_t k = 0; k < shifts_.size(); ++k) {
      if (norm(shifts_[k] - wanted) < nearly * norm(by)) return k;
    }
    shifts_.push_back(wanted);
    if (marks_.size() < shifts_.size()) marks_.emplace_back(part_);
    return shifts_.size() - 1;
  }

  void add_cells_of(const Seen& node) {
    for (const int c : cells_of_[node.entity]) {
      const Seen cell{c, moved(node.shift, part_.shift_to_node(c, node.entity))};
      if (std::exchange(marks_of(cell).cell[c], start_) == start_) continue;
      outermost_.push_back(cell);
      for (const int f : part_.cell_faces_of(c)) {
        const Seen face{f, moved(cell.shift, part_.shift_to_cell(f, c))};
        if (std::exchange(marks_of(face).face[f], start_) != start_) faces_.push_back(face);
      }
    }
  }

  const MeshPart& part_;
  const Csr<int>& cells_of_;
  const std::vector<std::int64_t>& id_;
  int start_ = -1;  // how many nodes were before
  std::vector<Vec3> shifts_;
  std::vector<Marks> marks_;
  std::vector<Seen> outermost_;  // cells of the last ring
  std::vector<Seen> faces_;
};

/// The least-squares system at one node: what depends on the mesh alone.
struct VelocityFit::System {
  int node;
  double scale;                 // mean distance of the faces
  std::vector<SeenFace> faces;  // ascending in their global ids
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
    auto rows = static_cast<Eigen::Index>(around.count());
    around.for_each_face([&](int f) { rows += velocity_on(f) != nullptr; });
    const bool last = ring == WideMesh::layers;
    if (!last && static_cast<double>(rows) < rows_per_unknown * cubic::unknowns) continue;

    std::vector<SeenFace> faces = around.sorted_faces();
    double scale = 0;
    for (const SeenFace& seen : faces) {
      const std::span<const int> ends = wide_.part.face_points_of(seen.face);
      scale += norm((wide_.part.points[ends[0]] + wide_.part.points[ends[1]]) / 2 + seen.shift - origin);
    }
    scale /= static_cast<double>(faces.size());

    cubic::Matrix matrix(rows, cubic::unknowns);
    Eigen::Index row = 0;
    for (const auto& [f, shift] : faces) {
      const cubic::Side side = side_of(wide_.part, f, shift, origin, scale);
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
  for (const System& system : systems) {
    for (const SeenFace& seen : system.faces) faces.push_back(seen.face);
  }
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
    const auto [f, shift] = system.faces[i];
    const Given<Vec3>* const given = velocity_on(f);
    const cubic::Side side = side_of(wide_.part, f, shift, origin, system.scale);
    value[row++] = side.weight * flux[i] / (side.length * system.scale);
    if (!given) continue;
    value[row] = 0;
    for (double place : cubic::gauss) {
      const Vec3 u = given->at(origin + system.scale * side.at(place) - shift, time);
      value[row] += side.weight / 2 * dot(side.along(), u);
    }
    ++row;
    for (const Vec3& end : {side.a, side.b}) {
      if (norm(end) > at_origin) continue;
      prescribed += given->at(origin - shift, time);
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
      for (const SeenFace& seen : system.faces) known.push_back(wide_flux[seen.face]);
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
