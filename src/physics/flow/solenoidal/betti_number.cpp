#include "physics/flow/solenoidal/betti_number.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "base/error.hpp"
#include "mesh/host_exchange.hpp"
#include "solve/prescribed_nodes.hpp"

namespace solenoid {

namespace {

constexpr int most_pairs = 3;
using Turns = std::array<int, most_pairs>;

/// An edge of the surface with prescribed fluxes, by the global ids of its ends. `turns`: per periodic pair, how often
/// its second end is beyond the pair, less how often the first is.
struct SurfaceEdge {
  std::int64_t from, to;
  Turns turns;
};

template <class L, class Entities>
std::vector<int> roles_on_given(const LocalMesh& mesh, const FlowBoundaries& boundaries, const Entities& of_face) {
  std::vector<real> marks(static_cast<std::size_t>(mesh.owned<L>()), 0);
  for (const BoundaryFace& b : mesh.boundary()) {
    if (boundaries.outlet(b.patch)) continue;
    for (const int i : of_face(b.face)) {
      if (i < mesh.owned<L>()) marks[i] = 1;
    }
  }
  return prescribed_where<L>(mesh, marks);
}

std::int64_t count_free(const Comm& comm, const std::vector<int>& roles, int owned) {
  return comm.sum(static_cast<std::int64_t>(std::count(roles.begin(), roles.begin() + owned, Space<Edge>::free)));
}

/// Edges of all ranks, on every rank.
std::vector<SurfaceEdge> edges_of_surface(const LocalMesh& mesh, const FlowBoundaries& boundaries) {
  const MeshPart& part = mesh.part();
  const std::vector<std::int64_t>& id = part.node_numbering.global_id;
  const int pairs = static_cast<int>(part.pairs.size());
  std::vector<SurfaceEdge> own;
  for (const BoundaryFace& b : mesh.boundary()) {
    if (!b.is_owned || boundaries.outlet(b.patch)) continue;
    const std::span<const int> nodes = part.face_nodes_of(b.face), points = part.face_points_of(b.face);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      const std::size_t next = (k + 1) % nodes.size();
      SurfaceEdge edge{id[nodes[k]], id[nodes[next]], {}};
      for (int p = 0; p < pairs; ++p) edge.turns[p] = part.turns(points[next], p) - part.turns(points[k], p);
      own.push_back(edge);
    }
  }
  return from_all_ranks(mesh.comm(), own);
}

/// Connected surfaces, and the number of independent directions of the pairs in which they wind.
struct Surfaces {
  std::int64_t count = 0;
  int winding = 0;
};

int rank_of(std::vector<Turns> rows, int pairs) {
  int rank = 0;
  for (int column = 0; column < pairs; ++column) {
    const auto pivot = std::find_if(rows.begin() + rank, rows.end(), [&](const Turns& r) { return r[column] != 0; });
    if (pivot == rows.end()) continue;
    std::swap(*pivot, rows[rank]);
    for (std::size_t i = static_cast<std::size_t>(rank) + 1; i < rows.size(); ++i) {
      const int factor = rows[i][column], by = rows[rank][column];
      for (int k = 0; k < pairs; ++k) rows[i][k] = by * rows[i][k] - factor * rows[rank][k];
    }
    ++rank;
  }
  return rank;
}

Surfaces examine(const std::vector<SurfaceEdge>& edges, int pairs) {
  struct End {
    std::size_t to;
    Turns turns;
  };
  std::map<std::int64_t, std::size_t> place;
  for (const SurfaceEdge& edge : edges) place.try_emplace(edge.from, place.size());
  std::vector<std::vector<End>> around(place.size());
  for (const SurfaceEdge& edge : edges) {
    Turns back{};
    for (int p = 0; p < pairs; ++p) back[p] = -edge.turns[p];
    around[place[edge.from]].push_back({place[edge.to], edge.turns});
    around[place[edge.to]].push_back({place[edge.from], back});
  }
  Surfaces surfaces;
  std::vector<char> is_reached(around.size(), 0);
  std::vector<Turns> turned(around.size(), Turns{}), windings;
  for (std::size_t seed = 0; seed < around.size(); ++seed) {
    if (is_reached[seed]) continue;
    ++surfaces.count;
    is_reached[seed] = 1;
    for (std::vector<std::size_t> open{seed}; !open.empty();) {
      const std::size_t n = open.back();
      open.pop_back();
      for (const End& end : around[n]) {
        Turns there = turned[n];
        for (int p = 0; p < pairs; ++p) there[p] += end.turns[p];
        if (!is_reached[end.to]) {
          is_reached[end.to] = 1;
          turned[end.to] = there;
          open.push_back(end.to);
        } else if (there != turned[end.to]) {
          for (int p = 0; p < pairs; ++p) there[p] -= turned[end.to][p];
          windings.push_back(there);
          if (rank_of(windings, pairs) < std::ssize(windings)) windings.pop_back();  // already known
        }
      }
    }
  }
  surfaces.winding = static_cast<int>(windings.size());
  return surfaces;
}

}  // namespace

std::vector<int> roles_of_edges(const LocalMesh& mesh, const FlowBoundaries& boundaries) {
  return roles_on_given<Edge>(mesh, boundaries, [&](int face) { return mesh.part().face_edges_of(face); });
}

std::int64_t betti_number(const LocalMesh& mesh, const FlowBoundaries& boundaries, const SpanningTreeProjection& tree) {
  const Comm& comm = mesh.comm();
  const int pairs = static_cast<int>(mesh.part().pairs.size());
  require_on_all_ranks(
      pairs <= most_pairs, [&] { return message("{} periodic pairs: a flow in space takes {}", pairs, most_pairs); },
      ExitCode::bad_input);
  const std::vector<int> nodes =
      roles_on_given<Node>(mesh, boundaries, [&](int face) { return mesh.part().face_nodes_of(face); });
  const std::vector<int>& part_of_cells = tree.part_of_cells();
  std::vector<std::int64_t> given_faces(static_cast<std::size_t>(tree.parts()), 0);
  std::int64_t given = 0;
  for (const BoundaryFace& b : mesh.boundary()) {
    if (!b.is_owned || boundaries.outlet(b.patch)) continue;
    ++given;
    if (b.cell < mesh.owned<Cell>()) ++given_faces[part_of_cells[b.cell]];
  }
  comm.sum(std::span(given_faces));
  const std::int64_t characteristic = count_free(comm, nodes, mesh.owned<Node>()) -
                                      count_free(comm, roles_of_edges(mesh, boundaries), mesh.owned<Edge>()) +
                                      (mesh.global_count<Face>() - comm.sum(given)) - mesh.global_count<Cell>();
  const std::int64_t without_given = std::count(given_faces.begin(), given_faces.end(), 0);
  const std::int64_t closed = std::count(tree.part_is_closed().begin(), tree.part_is_closed().end(), 1);
  const Surfaces surfaces = examine(edges_of_surface(mesh, boundaries), pairs);
  const std::int64_t first = surfaces.count - (tree.parts() - without_given) + (pairs - surfaces.winding);
  const std::int64_t count = characteristic - without_given + first + closed;
  require_on_all_ranks(
      count >= 0,
      [&] {
        return message(
            "the harmonic fluxes of this domain cannot be determined: its topology has {} loops. Take "
            "method = \"classical\" in [flow], which need not know",
            count);
      },
      ExitCode::bad_input);
  return count;
}

}  // namespace solenoid
