#include "mesh/refined_points.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <span>
#include <utility>

#include "mesh/host_exchange.hpp"
#include "mesh/refinement.hpp"

namespace solenoid {

namespace {

Vec3 middle(const Vec3& a, const Vec3& b) { return real{0.5} * (a + b); }

/// Points of nodes that lie in the middle of an edge, and the copies of all nodes, in a periodic mesh. The middle of an
/// edge on a pair lies at one place for each side; its own point is where no pair leads back.
class PeriodicPoints {
 public:
  PeriodicPoints(const Comm& comm, const MeshPart& part, const ChildNumbers& nodes, const ArrangedChildren& local_nodes,
                 MeshPart& refined)
      : part_(part), nodes_(nodes), local_nodes_(local_nodes), refined_(refined), pairs_(std::ssize(part.pairs)) {
    std::int64_t least = 0, most = 0;
    for (const int turns : part.copy_turns) {
      least = std::min<std::int64_t>(least, turns), most = std::max<std::int64_t>(most, turns);
    }
    least_turns_ = static_cast<int>(comm.min(least));
    digits_ = static_cast<int>(comm.max(most)) - 2 * least_turns_ + 1;  // differences included
    parent_ = part.dimension == 2 ? Parent::face : Parent::edge;
    find_own_places(comm);
  }

  /// Sets the points of nodes; those of former nodes are known.
  void set_nodes() {
    for (int e = 0; e < static_cast<int>(own_.size()); ++e) {
      refined_.points[local_nodes_.of(nodes_, {parent_, e, 0})] = own_[e];
    }
  }

  void set_copies() {
    std::map<std::int64_t, std::pair<int, std::vector<int>>> copies;  // by global number: node and turns
    for_each_corner([&](std::vector<int>&, std::size_t, int node, const std::vector<int>& turns) {
      if (!is_own(turns)) copies.try_emplace(id_of_copy(node, turns), node, turns);
    });
    std::map<std::int64_t, int> point;
    for (const auto& [id, copy] : copies) {
      const auto& [node, turns] = copy;
      Vec3 x = refined_.points[node];
      for (int k = 0; k < pairs_; ++k) x += static_cast<real>(turns[k]) * part_.pairs[k].translation;
      point[id] = static_cast<int>(refined_.points.size());
      refined_.points.push_back(x);
      refined_.copy_id.push_back(id);
      refined_.copy_node.push_back(node);
      refined_.copy_turns.insert(refined_.copy_turns.end(), turns.begin(), turns.end());
    }
    refined_.cell_points = refined_.cell_nodes;
    refined_.face_points = refined_.face_nodes;
    for_each_corner([&](std::vector<int>& table, std::size_t slot, int node, const std::vector<int>& turns) {
      table[slot] = is_own(turns) ? node : point.at(id_of_copy(node, turns));
    });
  }

 private:
  static bool is_own(const std::vector<int>& turns) {
    return std::all_of(turns.begin(), turns.end(), [](int periods) { return periods == 0; });
  }

  /// A number of its own for each possible list of turns.
  std::int64_t code_of(const std::vector<int>& turns) const {
    std::int64_t code = 0;
    for (const int periods : turns) code = code * digits_ + periods - least_turns_;
    return code;
  }
  std::int64_t id_of_copy(int node, const std::vector<int>& turns) const {
    std::int64_t codes = 1;
    for (int k = 0; k < pairs_; ++k) codes *= digits_;
    const LocalNumbering& numbering = refined_.node_numbering;
    return numbering.global_count + numbering.global_id[node] * codes + code_of(turns);
  }

  std::vector<int> turns_of(int point) const {
    std::vector<int> turns(pairs_);
    for (int k = 0; k < pairs_; ++k) turns[k] = part_.turns(point, k);
    return turns;
  }

  /// Calls visit(entity, point, other) for each edge of the local cells: the points of its first end and of its second.
  template <class Visit>
  void for_each_edge(const Visit& visit) const {
    for (int c = 0; c < part_.cells(); ++c) {
      const DividedCell cell(part_, c);
      const std::span<const int> points = part_.cell_points_of(c);
      for (int i = 0; i < part_.corners(); ++i) {
        for (int j = i + 1; j < part_.corners(); ++j) {
          const int first = cell.first_of(i, j);
          visit(cell.edge_between(i, j), points[first], points[first == i ? j : i]);
        }
      }
    }
  }

  /// Finds the least turns of each edge's first end, and the middle of the edge there.
  void find_own_places(const Comm& comm) {
    const LocalNumbering& edges = numbering_of(part_, parent_);
    const auto count = static_cast<std::size_t>(edges.total());
    const HostExchange exchange(comm, edges);
    for (int k = 0; k < pairs_; ++k) {
      std::vector<int>& least = least_.emplace_back(count, std::numeric_limits<int>::max());
      for_each_edge([&](int e, int point, int) { least[e] = std::min(least[e], part_.turns(point, k)); });
      exchange(least);
    }
    own_.resize(count);
    std::vector<std::int64_t> found(count, std::numeric_limits<std::int64_t>::max());  // code of the nearest place
    for_each_edge([&](int e, int point, int other) {
      if (e >= edges.owned) return;
      const std::vector<int> turns = turns_from_own(e, turns_of(point));
      const std::int64_t code = code_of(turns);
      if (code >= found[e]) return;
      found[e] = code;
      own_[e] = middle(part_.points[point], part_.points[other]);
      for (int k = 0; k < pairs_; ++k) own_[e] -= static_cast<real>(turns[k]) * part_.pairs[k].translation;
    });
    exchange(own_);
  }

  std::vector<int> turns_from_own(int edge, std::vector<int> turns_of_first) const {
    for (int k = 0; k < pairs_; ++k) turns_of_first[k] -= least_[k][edge];
    return turns_of_first;
  }

  /// Calls visit(table, slot, node, turns) for each entry of the refined tables cell_points and face_points, but for
  /// cells whose points are all those of their nodes.
  template <class Visit>
  void for_each_corner(const Visit& visit) const {
    for (int c = 0; c < part_.cells(); ++c) {
      const std::span<const int> points = part_.cell_points_of(c);
      const bool has_copies = std::any_of(points.begin(), points.end(), [&](int p) { return p >= part_.nodes(); });
      if (!has_copies && least_turns_ == 0) continue;
      const DividedCell cell(part_, c);
      const auto in_cell = [&](int corner) { return points[corner]; };
      for (int child = 0; child < cell.division().count; ++child) {
        const ChildCell& of = cell.division().children[child];
        const int fine_cell = c * cell.division().count + child;
        for (int k = 0; k < part_.corners(); ++k) {
          const auto slot = static_cast<std::size_t>(fine_cell) * part_.corners() + k;
          visit_corner(cell, of.corners[k], in_cell, refined_.cell_points, slot, visit);
        }
        for (int k = 0; k < part_.corners(); ++k) visit_face(cell, of, fine_cell, k, in_cell, visit);
      }
    }
  }

  template <class PointOf, class Visit>
  void visit_face(const DividedCell& cell, const ChildCell& child, int fine_cell, int k, const PointOf& in_cell,
                  const Visit& visit) const {
    const int face = refined_.cell_faces_of(fine_cell)[k];
    const std::span<const int> nodes = refined_.cell_nodes_of(fine_cell), of_face = refined_.face_nodes_of(face);
    const Descent descent = cell.face(child, k);
    for (int j = 0; j < part_.corners(); ++j) {
      if (j == k) continue;
      const auto place = std::find(of_face.begin(), of_face.end(), nodes[j]) - of_face.begin();
      const auto slot = static_cast<std::size_t>(face) * part_.dimension + static_cast<std::size_t>(place);
      if (descent.kind == Parent::face) {  // the parent's own place
        const auto on_face = [&](int corner) {
          return part_.face_points_of(descent.entity)[cell.place_in_face(cell.opposite(descent.entity), corner)];
        };
        visit_corner(cell, child.corners[j], on_face, refined_.face_points, slot, visit);
      } else {
        visit_corner(cell, child.corners[j], in_cell, refined_.face_points, slot, visit);
      }
    }
  }

  /// Visits a corner that is the mean of corners of the cell, whose points are point_of(corner).
  template <class PointOf, class Visit>
  void visit_corner(const DividedCell& cell, CornerSet at, const PointOf& point_of, std::vector<int>& table,
                    std::size_t slot, const Visit& visit) const {
    const Descent of = cell.node(at);
    const int node = local_nodes_.of(nodes_, of);
    int corners[2], count = 0;
    for (int k = 0; k < part_.corners(); ++k) {
      if (at >> k & 1u) corners[count++] = k;
    }
    if (count == 1) return visit(table, slot, node, turns_of(point_of(corners[0])));
    const int first = cell.first_of(corners[0], corners[1]);
    visit(table, slot, node, turns_from_own(of.entity, turns_of(point_of(first))));
  }

  const MeshPart& part_;
  const ChildNumbers& nodes_;
  const ArrangedChildren& local_nodes_;
  MeshPart& refined_;
  const int pairs_;
  Parent parent_;
  int least_turns_ = 0, digits_ = 1;
  std::vector<std::vector<int>> least_;  // per pair and edge: the least turns of its first end
  std::vector<Vec3> own_;                // per edge: the own point of its middle
};

}  // namespace

void set_points(const Comm& comm, const MeshPart& part, const ChildNumbers& nodes, const ArrangedChildren& local_nodes,
                MeshPart& refined) {
  refined.points.resize(static_cast<std::size_t>(refined.node_numbering.total()));
  for (int n = 0; n < part.nodes(); ++n) {
    refined.points[local_nodes.of(nodes, {Parent::node, n, 0})] = part.points[n];
  }
  if (!part.pairs.empty()) {
    PeriodicPoints periodic(comm, part, nodes, local_nodes, refined);
    periodic.set_nodes();
    return periodic.set_copies();
  }
  const bool planar = part.dimension == 2;
  const std::vector<int>& ends = planar ? part.face_nodes : part.edge_nodes;
  for (int e = 0; e < static_cast<int>(ends.size()) / 2; ++e) {
    const std::span<const int> of_edge = row_of(ends, e, 2);
    refined.points[local_nodes.of(nodes, {planar ? Parent::face : Parent::edge, e, 0})] =
        middle(part.points[of_edge[0]], part.points[of_edge[1]]);
  }
}

}  // namespace solenoid
