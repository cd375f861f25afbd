#include "mesh/block_halo.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <span>
#include <utility>

#include "mesh/csr.hpp"
#include "mesh/host_exchange.hpp"

namespace solenoid {

namespace {

/// The ids of entities of other ranks, ascending, each once.
std::vector<std::int64_t> beyond_block(const RowBlocks& blocks, int rank, std::vector<std::int64_t> ids) {
  const std::int64_t begin = blocks.begin(rank), end = blocks.begin(rank + 1);
  std::erase_if(ids, [&](std::int64_t id) { return id >= begin && id < end; });
  return ascending_once(std::move(ids));
}

/// Entities of one kind in local order. Blocks ascend with the ranks, so that the halo by owner is the halo by number.
class LocalOrder {
 public:
  /// `ids`: of other ranks, and any of the rank's own, all of which are in the order anyway.
  LocalOrder(const RowBlocks& blocks, int rank, std::vector<std::int64_t> ids)
      : begin_(blocks.begin(rank)), halo_(beyond_block(blocks, rank, std::move(ids))) {
    numbering_.owned = static_cast<int>(blocks.begin(rank + 1) - begin_);
    numbering_.global_count = blocks.count();
    numbering_.global_id.resize(static_cast<std::size_t>(numbering_.owned));
    std::iota(numbering_.global_id.begin(), numbering_.global_id.end(), begin_);
    numbering_.global_id.insert(numbering_.global_id.end(), halo_.begin(), halo_.end());
    for (const std::int64_t id : numbering_.global_id) numbering_.owner.push_back(blocks.owner(id));
  }

  const std::vector<std::int64_t>& halo() const { return halo_; }
  const LocalNumbering& numbering() const { return numbering_; }
  int total() const { return numbering_.total(); }
  /// The local number.
  int of(std::int64_t id) const {
    if (id >= begin_ && id < begin_ + numbering_.owned) return static_cast<int>(id - begin_);
    return numbering_.owned + static_cast<int>(std::lower_bound(halo_.begin(), halo_.end(), id) - halo_.begin());
  }

 private:
  std::int64_t begin_;
  std::vector<std::int64_t> halo_;
  LocalNumbering numbering_;
};

/// The values of the rank's own entities, then those of its halo. Collective.
template <class T>
std::vector<T> with_halo(const Comm& comm, const RowBlocks& blocks, const LocalOrder& order, std::vector<T> own) {
  const std::vector<T> halo = RowAccess(comm, blocks, order.halo()).read(own);
  own.insert(own.end(), halo.begin(), halo.end());
  return own;
}

/// All entities of cells, as one list.
template <std::size_t width>
std::vector<std::int64_t> members(const std::vector<BlockCell>& cells,
                                  std::array<std::int64_t, width> BlockCell::*entities) {
  std::vector<std::int64_t> ids;
  ids.reserve(width * cells.size());
  for (const BlockCell& cell : cells) ids.insert(ids.end(), (cell.*entities).begin(), (cell.*entities).end());
  return ids;
}

/// The cells around each node of the block, ascending. Collective.
Csr<std::int64_t> cells_around_nodes(const Comm& comm, const MeshBlock& block) {
  struct Incidence {
    std::int64_t node, cell;
  };
  std::vector<std::vector<Incidence>> lists(comm.size());
  std::int64_t number = block.cell_blocks.begin(comm.rank());
  for (const BlockCell& cell : block.cells) {
    for (const std::int64_t node : cell.nodes) lists[block.node_blocks.owner(node)].push_back({node, number});
    ++number;
  }
  lists = exchange_lists(comm, lists);
  const std::int64_t first = block.node_blocks.begin(comm.rank());
  return {static_cast<int>(std::ssize(block.points)), [&](const auto& visit) {
            for (const auto& list : lists) {
              for (const Incidence& of : list) visit(static_cast<int>(of.node - first), of.cell);
            }
          }};
}

/// `values` without those in `others`, which ascend; ascending, each once.
std::vector<std::int64_t> without(std::vector<std::int64_t> values, const std::vector<std::int64_t>& others) {
  values = ascending_once(std::move(values));
  std::vector<std::int64_t> rest;
  std::set_difference(values.begin(), values.end(), others.begin(), others.end(), std::back_inserter(rest));
  return rest;
}

void add_sorted(std::vector<std::int64_t>& values, const std::vector<std::int64_t>& more) {
  const auto middle = values.insert(values.end(), more.begin(), more.end());
  std::inplace_merge(values.begin(), middle, values.end());
}

/// The nodes of the rank's own cells that other ranks' cells have, too.
std::vector<std::int64_t> nodes_on_cut(const MeshBlock& block, int rank, const Csr<std::int64_t>& cells_at) {
  std::vector<std::int64_t> nodes = beyond_block(block.node_blocks, rank, members(block.cells, &BlockCell::nodes));
  const std::int64_t begin = block.cell_blocks.begin(rank), end = block.cell_blocks.begin(rank + 1);
  for (int n = 0; n < cells_at.rows(); ++n) {
    const std::span<const std::int64_t> cells = cells_at[n];  // ascending
    if (cells.front() < begin || cells.back() >= end) nodes.push_back(block.node_blocks.begin(rank) + n);
  }
  return nodes;
}

/// The cells of other ranks in `layers` layers around the rank's own. Collective.
std::vector<std::int64_t> cells_around(const Comm& comm, const MeshBlock& block, const Csr<std::int64_t>& cells_at,
                                       int layers) {
  std::vector<std::int64_t> cells, nodes_done;
  std::vector<std::int64_t> outermost = nodes_on_cut(block, comm.rank(), cells_at);
  for (int layer = 0; layer < layers; ++layer) {
    const RowAccess nodes(comm, block.node_blocks, without(std::move(outermost), nodes_done));
    add_sorted(nodes_done, nodes.rows());
    const RowAccess added(comm, block.cell_blocks,
                          without(beyond_block(block.cell_blocks, comm.rank(), nodes.read_lists(cells_at)), cells));
    add_sorted(cells, added.rows());
    outermost = members(added.read(block.cells), &BlockCell::nodes);
  }
  return cells;
}

/// Sets the nodes, edges and places of cells and faces.
void connect(const std::vector<BlockCell>& cells, const LocalOrder& nodes, const LocalOrder& edges,
             const LocalOrder& faces, MeshPart& part) {
  part.face_nodes.assign(3 * static_cast<std::size_t>(faces.total()), -1);
  part.face_edges.assign(3 * static_cast<std::size_t>(faces.total()), -1);
  part.edge_nodes.assign(2 * static_cast<std::size_t>(edges.total()), -1);
  for (const BlockCell& cell : cells) {
    part.cell_region.push_back(cell.region);
    part.cell_swapped.push_back(cell.is_swapped);
    std::array<int, 4> node{}, by_id{0, 1, 2, 3};  // by_id: corners, ascending in the numbers of their nodes
    for (int k = 0; k < 4; ++k) part.cell_nodes.push_back(node[k] = nodes.of(cell.nodes[k]));
    std::sort(by_id.begin(), by_id.end(), [&](int a, int b) { return cell.nodes[a] < cell.nodes[b]; });
    std::array<std::array<int, 4>, 4> between{};
    for (std::size_t e = 0; e < ends_of_edges.size(); ++e) {
      const auto [a, b] = ends_of_edges[e];
      const int edge = between[a][b] = between[b][a] = edges.of(cell.edges[e]);
      const bool ascends = cell.nodes[a] < cell.nodes[b];
      part.edge_nodes[2 * static_cast<std::size_t>(edge)] = node[ascends ? a : b];
      part.edge_nodes[2 * static_cast<std::size_t>(edge) + 1] = node[ascends ? b : a];
    }
    for (int k = 0; k < 4; ++k) {
      const int face = part.cell_faces.emplace_back(faces.of(cell.faces[k]));
      std::array<int, 3> corner{};
      std::copy_if(by_id.begin(), by_id.end(), corner.begin(), [&](int j) { return j != k; });
      const std::size_t row = 3 * static_cast<std::size_t>(face);
      for (int j = 0; j < 3; ++j) part.face_nodes[row + j] = node[corner[j]];
      part.face_edges[row] = between[corner[0]][corner[1]];
      part.face_edges[row + 1] = between[corner[1]][corner[2]];
      part.face_edges[row + 2] = between[corner[0]][corner[2]];
    }
  }
}

}  // namespace

MeshPart part_of_block(const Comm& comm, const MeshBlock& block, int layers) {
  comm.require_outside_guard("part_of_block");
  const int rank = comm.rank();
  const Csr<std::int64_t> cells_at = cells_around_nodes(comm, block);
  const LocalOrder order(block.cell_blocks, rank, cells_around(comm, block, cells_at, layers));
  const std::vector<BlockCell> cells = with_halo(comm, block.cell_blocks, order, block.cells);
  const LocalOrder nodes(block.node_blocks, rank, members(cells, &BlockCell::nodes)),
      edges(block.edge_blocks, rank, members(cells, &BlockCell::edges)),
      faces(block.face_blocks, rank, members(cells, &BlockCell::faces));
  MeshPart part;
  part.dimension = 3;
  part.patches = block.patches;
  part.regions = block.regions;
  comm.guard([&] { connect(cells, nodes, edges, faces, part); });
  part.points = with_halo(comm, block.node_blocks, nodes, block.points);
  std::vector<int> cells_of_node;
  for (int n = 0; n < cells_at.rows(); ++n) cells_of_node.push_back(static_cast<int>(cells_at[n].size()));
  part.node_cell_count = with_halo(comm, block.node_blocks, nodes, std::move(cells_of_node));
  part.face_patch = with_halo(comm, block.face_blocks, faces, block.face_patch);
  part.cell_numbering = order.numbering();
  part.node_numbering = nodes.numbering();
  part.edge_numbering = edges.numbering();
  part.face_numbering = faces.numbering();
  return part;
}

}  // namespace solenoid
