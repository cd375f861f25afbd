#include "mesh/refinement.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "base/counts.hpp"
#include "mesh/child_numbers.hpp"
#include "mesh/host_exchange.hpp"
#include "mesh/refined_points.hpp"
#include "mesh/submesh.hpp"

namespace solenoid {

namespace {

using NewEntities = std::array<std::int64_t, 3>;  // nodes, edges, faces

/// For each owned entity the sum of `counts` over all entities with lower global ids, on any rank. Each rank sums a
/// block of the global ids. Sets `all` to the sum over all entities. Collective.
std::vector<NewEntities> sums_before(const Comm& comm, const LocalNumbering& numbering,
                                     const std::vector<NewEntities>& counts, NewEntities& all) {
  struct Entry {
    std::int64_t id;
    NewEntities counts;
  };
  const std::int64_t block = std::max<std::int64_t>((numbering.global_count + comm.size() - 1) / comm.size(), 1);
  std::vector<std::vector<Entry>> lists(comm.size());
  for (int i = 0; i < numbering.owned; ++i) {
    lists[numbering.global_id[i] / block].push_back({numbering.global_id[i], counts[i]});
  }
  lists = exchange_lists(comm, lists);

  const std::int64_t begin = block * comm.rank();
  std::vector<NewEntities> before(static_cast<std::size_t>(block));
  for (const auto& list : lists) {
    for (const Entry& entry : list) before[entry.id - begin] = entry.counts;
  }
  for (std::size_t kind = 0; kind < all.size(); ++kind) {
    std::int64_t sum = 0;
    for (NewEntities& sums : before) sum += std::exchange(sums[kind], sum);
    const std::vector<std::int64_t> of_ranks = comm.gather(sum);
    all[kind] = std::accumulate(of_ranks.begin(), of_ranks.end(), std::int64_t{0});
    const std::int64_t of_lower_ranks =
        std::accumulate(of_ranks.begin(), of_ranks.begin() + comm.rank(), std::int64_t{0});
    for (NewEntities& sums : before) sums[kind] += of_lower_ranks;
  }
  std::vector<std::vector<NewEntities>> replies(comm.size());
  for (int rank = 0; rank < comm.size(); ++rank) {
    for (const Entry& entry : lists[rank]) replies[rank].push_back(before[entry.id - begin]);
  }
  replies = exchange_lists(comm, replies);
  std::vector<std::size_t> next(comm.size(), 0);
  std::vector<NewEntities> result;
  result.reserve(numbering.owned);
  for (int i = 0; i < numbering.owned; ++i) {
    const std::int64_t rank = numbering.global_id[i] / block;
    result.push_back(replies[rank][next[rank]++]);
  }
  return result;
}

/// Sorts the children into local order: owned first, then the halo by owner.
ArrangedChildren arrange(const MeshPart& part, const ChildNumbers& numbers, int rank, std::int64_t global_count) {
  struct Entry {
    std::int64_t id;
    int owner, place;
  };
  std::vector<Entry> owned, halo;
  for (const Parent kind : all_parents) {
    const LocalNumbering& parents = numbering_of(part, kind);
    for (int entity = 0; numbers.count(kind) > 0 && entity < parents.total(); ++entity) {
      for (int k = 0; k < numbers.count(kind); ++k) {
        const int place = numbers.place({kind, entity, k});
        const std::int64_t id = numbers.global_id[place];
        if (id == ChildNumbers::none) continue;
        (parents.owner[entity] == rank ? owned : halo).push_back({id, parents.owner[entity], place});
      }
    }
  }
  std::sort(owned.begin(), owned.end(), [](const Entry& a, const Entry& b) { return a.id < b.id; });
  std::sort(halo.begin(), halo.end(),
            [](const Entry& a, const Entry& b) { return a.owner != b.owner ? a.owner < b.owner : a.id < b.id; });
  ArrangedChildren arranged;
  arranged.local.assign(numbers.global_id.size(), -1);
  arranged.numbering.owned = static_cast<int>(owned.size());
  arranged.numbering.global_count = global_count;
  arranged.numbering.global_id.reserve(owned.size() + halo.size());
  arranged.numbering.owner.reserve(owned.size() + halo.size());
  for (const auto* entries : {&owned, &halo}) {
    for (const Entry& entry : *entries) {
      arranged.local[entry.place] = arranged.numbering.total();
      arranged.numbering.global_id.push_back(entry.id);
      arranged.numbering.owner.push_back(entry.owner);
    }
  }
  return arranged;
}

class Refiner {
 public:
  Refiner(const Comm& comm, const MeshPart& part)
      : comm_(comm),
        part_(part),
        dimension_(part.dimension),
        nodes_(part, node_children(dimension_)),
        edges_(part, edge_children(dimension_)),
        faces_(part, face_children(dimension_)) {}

  MeshPart refined() {
    number_owned();
    number_halo();
    MeshPart fine;
    ArrangedChildren nodes;
    comm_.guard([&] {
      nodes = arrange(part_, nodes_, comm_.rank(), counts_[0]);
      fine.node_numbering = nodes.numbering;
      if (dimension_ == 3) local_edges_ = arrange(part_, edges_, comm_.rank(), counts_[1]);
      local_faces_ = arrange(part_, faces_, comm_.rank(), counts_[2]);
      fine.edge_numbering = dimension_ == 2 ? nodes.numbering : local_edges_.numbering;
      fine.face_numbering = local_faces_.numbering;
      connect(nodes, fine);
    });
    set_points(comm_, part_, nodes_, nodes, fine);
    count_cells_of_nodes(fine);
    return fine;
  }

 private:
  /// Calls visit(kind, descent) for the nodes, edges and faces (kind 0, 1, 2) of each child of a cell.
  template <class Visit>
  void visit_children(const DividedCell& cell, const Visit& visit) const {
    const CellDivision& division = cell.division();
    for (int child = 0; child < division.count; ++child) {
      const ChildCell& of = division.children[child];
      for (int k = 0; k <= dimension_; ++k) visit(0, cell.node(of.corners[k]));
      for (int a = 0; dimension_ == 3 && a < 4; ++a) {
        for (int b = a + 1; b < 4; ++b) visit(1, cell.edge(of.corners[a], of.corners[b]));
      }
      for (int k = 0; k <= dimension_; ++k) visit(2, cell.face(of, k));
    }
  }

  /// Numbers the children of owned entities. The first owned cell that meets one is the lowest around its parent.
  void number_owned() {
    ChildNumbers* const numbers[3] = {&nodes_, &edges_, &faces_};
    const auto visit_owned = [&](int c, const auto& visit) {
      visit_children(DividedCell(part_, c), [&](int kind, const Descent& of) {
        if (of.entity >= numbering_of(part_, of.kind).owned) return;
        visit(kind, numbers[kind]->global_id[numbers[kind]->place(of)]);
      });
    };
    std::vector<NewEntities> met;
    comm_.guard([&] {
      met.resize(part_.cell_numbering.owned);
      for (int c = 0; c < part_.cell_numbering.owned; ++c) {
        visit_owned(c, [&](int kind, std::int64_t& id) {
          met[c][kind] += id == ChildNumbers::none;
          id = ChildNumbers::counted;
        });
      }
    });
    std::vector<NewEntities> next = sums_before(comm_, part_.cell_numbering, met, counts_);
    for (int c = 0; c < part_.cell_numbering.owned; ++c) {
      visit_owned(c, [&](int kind, std::int64_t& id) {
        if (id == ChildNumbers::counted) id = next[c][kind]++;
      });
    }
  }

  /// Receives the numbers of the children of halo entities from their owners.
  void number_halo() {
    if (comm_.size() == 1) return;
    for (const Parent kind : all_parents) {
      if (dimension_ == 2 && kind == Parent::edge) continue;
      const int total = numbering_of(part_, kind).total();
      const HostExchange exchange(comm_, numbering_of(part_, kind));
      for (ChildNumbers* const numbers : {&nodes_, &edges_, &faces_}) {
        for (int k = 0; k < numbers->count(kind); ++k) {
          std::vector<std::int64_t> ids(total);
          for (int i = 0; i < total; ++i) ids[i] = numbers->global_id[numbers->place({kind, i, k})];
          exchange(ids);
          for (int i = 0; i < total; ++i) numbers->global_id[numbers->place({kind, i, k})] = ids[i];
        }
      }
    }
  }

  void connect(const ArrangedChildren& nodes, MeshPart& fine) const {
    const int children = children_of_cell(dimension_);
    const auto cells = static_cast<std::size_t>(part_.cells()) * children;
    fine.dimension = dimension_;
    fine.patches = part_.patches;
    fine.regions = part_.regions;
    fine.pairs = part_.pairs;
    fine.boundary_loop_is_hole = part_.boundary_loop_is_hole;
    fine.cell_numbering.owned = part_.cell_numbering.owned * children;
    fine.cell_numbering.global_count = part_.cell_numbering.global_count * children;
    for (int c = 0; c < part_.cells(); ++c) {
      for (int k = 0; k < children; ++k) {
        fine.cell_numbering.global_id.push_back(part_.cell_numbering.global_id[c] * children + k);
        fine.cell_numbering.owner.push_back(part_.cell_numbering.owner[c]);
        fine.cell_region.push_back(part_.cell_region[c]);
      }
    }
    fine.cell_nodes.reserve(cells * fine.corners());
    fine.cell_faces.reserve(cells * fine.corners());
    const auto faces = static_cast<std::size_t>(fine.face_numbering.total());
    fine.face_nodes.assign(faces * dimension_, -1);
    fine.face_patch.assign(faces, -1);
    if (!part_.pairs.empty()) fine.face_pair.assign(faces, 0);
    if (dimension_ == 3) {
      fine.face_edges.assign(faces * 3, -1);
      fine.edge_nodes.assign(static_cast<std::size_t>(fine.edge_numbering.total()) * 2, -1);
    } else {
      fine.node_boundary_loop.assign(fine.node_numbering.total(), -1);
    }
    for (int c = 0; c < part_.cells(); ++c) {
      const DividedCell cell(part_, c);
      for (int child = 0; child < children; ++child) {
        const ChildCell& of = cell.division().children[child];
        for (int k = 0; k <= dimension_; ++k) fine.cell_nodes.push_back(nodes.of(nodes_, cell.node(of.corners[k])));
        for (int k = 0; k <= dimension_; ++k) fine.cell_faces.push_back(local_faces_.of(faces_, cell.face(of, k)));
        if (dimension_ == 3) fine.cell_swapped.push_back(of.is_swapped);
        for (int k = 0; k <= dimension_; ++k) connect_face(cell, c, of, c * children + child, k, fine);
      }
    }
    if (dimension_ == 2) set_boundary_loops(nodes, fine);
  }

  /// Sets the nodes, edges, patch and pair of the face of a child opposite its corner k.
  void connect_face(const DividedCell& cell, int c, const ChildCell& child, int fine_cell, int k,
                    MeshPart& fine) const {
    const int f = fine.cell_faces_of(fine_cell)[k];
    int* const nodes = &fine.face_nodes[static_cast<std::size_t>(f) * dimension_];
    if (nodes[0] >= 0) return;
    const auto ascending = [&](int a, int b) {
      return fine.node_numbering.global_id[a] < fine.node_numbering.global_id[b];
    };
    std::array<std::pair<int, CornerSet>, 3> corners;  // ascending
    for (int j = 0, count = 0; j <= dimension_; ++j) {
      if (j == k) continue;
      const int node = fine.cell_nodes_of(fine_cell)[j];
      int place = count++;
      for (; place > 0 && ascending(node, corners[place - 1].first); --place) corners[place] = corners[place - 1];
      corners[place] = {node, child.corners[j]};
    }
    for (int j = 0; j < dimension_; ++j) nodes[j] = corners[j].first;
    for (int side = 0; dimension_ == 3 && side < 3; ++side) {
      const auto& [from, first] = corners[side == 1 ? 1 : 0];
      const auto& [to, second] = corners[side == 0 ? 1 : 2];
      const int e = local_edges_.of(edges_, cell.edge(first, second));
      fine.face_edges[3 * static_cast<std::size_t>(f) + side] = e;
      fine.edge_nodes[2 * static_cast<std::size_t>(e)] = from;
      fine.edge_nodes[2 * static_cast<std::size_t>(e) + 1] = to;
    }
    const Descent of = cell.face(child, k);
    if (of.kind != Parent::face) return;
    fine.face_patch[f] = part_.face_patch[of.entity];
    if (part_.pairs.empty() || part_.face_pair[of.entity] == 0) return;
    const auto ascending_before = [&](int a, int b) {
      return part_.node_numbering.global_id[a] < part_.node_numbering.global_id[b];
    };
    const int turn = fine.face_sign(fine_cell, k, ascending) *
                     part_.face_sign(c, cell.opposite(of.entity), ascending_before);  // -1: the normals are opposite
    fine.face_pair[f] = turn * part_.face_pair[of.entity];
  }

  void set_boundary_loops(const ArrangedChildren& nodes, MeshPart& fine) const {
    for (int n = 0; n < part_.nodes(); ++n) {
      fine.node_boundary_loop[nodes.of(nodes_, {Parent::node, n, 0})] = part_.node_boundary_loop[n];
    }
    for (int f = 0; f < part_.faces(); ++f) {
      if (part_.face_patch[f] < 0) continue;
      fine.node_boundary_loop[nodes.of(nodes_, {Parent::face, f, 0})] =
          part_.node_boundary_loop[part_.face_nodes_of(f)[0]];
    }
  }

  /// Owners have all cells around their nodes.
  void count_cells_of_nodes(MeshPart& fine) const {
    fine.node_cell_count.assign(fine.node_numbering.total(), 0);
    for (const int n : fine.cell_nodes) ++fine.node_cell_count[n];
    const HostExchange exchange(comm_, fine.node_numbering);
    exchange(fine.node_cell_count);
  }

  const Comm& comm_;
  const MeshPart& part_;
  const int dimension_;
  ChildNumbers nodes_, edges_, faces_;
  ArrangedChildren local_edges_, local_faces_;
  NewEntities counts_{};
};

}  // namespace

MeshPart refine(const Comm& comm, const MeshPart& part) {
  comm.require_outside_guard("refine");
  comm.guard([&] {
    count_on_rank(std::ssize(part.cell_nodes) * children_of_cell(part.dimension), "corners of the refined cells");
  });
  return Refiner(comm, part).refined();
}

MeshPart refined(const Comm& comm, MeshPart part, int layers, int times) {
  for (int k = 0; k < times; ++k) {
    part = refine(comm, part);
    if (comm.size() > 1) part = part_with_fewer_layers(part, layers);
  }
  part.cell_swapped = {};
  return part;
}

MeshPart distribute_refined(const Comm& comm, const std::optional<GlobalMesh>& mesh, const std::vector<int>& cell_owner,
                            int layers, int times) {
  return refined(comm, distribute(comm, mesh, cell_owner, layers), layers, times);
}

GlobalMesh whole_of(const MeshPart& part) {
  GlobalMesh mesh;
  static_cast<Connectivity&>(mesh) = part;
  mesh.face_cells.assign(2 * static_cast<std::size_t>(mesh.faces()), -1);
  mesh.node_first_cell.assign(mesh.nodes(), mesh.cells());
  for (int c = mesh.cells() - 1; c >= 0; --c) {
    for (int k = 0; k < mesh.corners(); ++k) {
      mesh.node_first_cell[mesh.cell_nodes_of(c)[k]] = c;
      int* const beside = &mesh.face_cells[2 * static_cast<std::size_t>(mesh.cell_faces_of(c)[k])];
      beside[1] = std::exchange(beside[0], c);
    }
  }
  for (int f = 0; f < mesh.faces(); ++f) mesh.face_first_cell.push_back(mesh.face_cells_of(f)[0]);
  mesh.edge_first_cell = mesh.node_first_cell;
  if (mesh.dimension == 3) {
    mesh.edge_first_cell.assign(mesh.edges(), mesh.cells());
    for (int f = 0; f < mesh.faces(); ++f) {
      for (const int e : mesh.face_edges_of(f)) {
        mesh.edge_first_cell[e] = std::min(mesh.edge_first_cell[e], mesh.face_first_cell[f]);
      }
    }
  }
  mesh.point_ids.resize(mesh.points.size());
  std::iota(mesh.point_ids.begin(), mesh.point_ids.end(), 1);
  return mesh;
}

GlobalMesh refined_whole(const GlobalMesh& mesh, int times) {
  const Comm alone(MPI_COMM_SELF);
  GlobalMesh refined = whole_of(distribute_refined(alone, mesh, std::vector<int>(mesh.cells(), 0), 1, times));
  const int each = refined.cells() / mesh.cells();
  for (int c = 0; c < refined.cells(); ++c) refined.cell_ids.push_back(mesh.cell_ids[c / each]);
  return refined;
}

EntityCounts refined_counts(const Connectivity& mesh, int times) {
  EntityCounts now{mesh.nodes(), mesh.edges(), mesh.faces(), mesh.cells()};
  for (int k = 0; k < times; ++k) {
    const EntityCounts before = now;
    if (mesh.dimension == 2) {
      now.nodes = now.edges = before.nodes + before.faces;
      now.faces = 2 * before.faces + 3 * before.cells;
    } else {
      now.nodes = before.nodes + before.edges;
      now.edges = 2 * before.edges + 3 * before.faces + before.cells;
      now.faces = 4 * before.faces + 8 * before.cells;
    }
    now.cells = children_of_cell(mesh.dimension) * before.cells;
  }
  return now;
}

}  // namespace solenoid
