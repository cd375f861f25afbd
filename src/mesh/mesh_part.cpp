#include "mesh/mesh_part.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "mesh/csr.hpp"
#include "mesh/mesh_rows.hpp"

namespace solenoid {

namespace {

/// Cells around each node of the whole mesh, ascending.
Csr<int> cells_of_nodes(const Connectivity& mesh) {
  return {mesh.nodes(), [&](const auto& visit) {
            for (int c = 0; c < mesh.cells(); ++c) {
              for (const int n : mesh.cell_nodes_of(c)) visit(n, c);
            }
          }};
}

/// Cuts parts from the whole mesh, one rank after the other.
class PartCutter {
 public:
  PartCutter(const GlobalMesh& mesh, const std::vector<int>& cell_owner, int ranks)
      : mesh_(mesh),
        owner_(cell_owner),
        node_cells_(cells_of_nodes(mesh)),
        cells_of_(ranks,
                  [&](const auto& visit) {
                    for (int c = 0; c < mesh.cells(); ++c) visit(cell_owner[c], c);
                  }),
        in_part_(mesh.cells(), 0),
        node_done_(mesh.nodes(), 0),
        each_cell_(mesh.cells()) {
    std::iota(each_cell_.begin(), each_cell_.end(), 0);
  }

  MeshPart cut(int rank, int layers) {
    const int d = mesh_.dimension, corners = mesh_.corners();
    MeshPart part;
    part.dimension = d;
    part.patches = mesh_.patches;
    part.regions = mesh_.regions;
    part.boundary_loop_is_hole = mesh_.boundary_loop_is_hole;

    const std::vector<int> cells = arrange(rank, grow(rank, layers), each_cell_, cell_local_, part.cell_numbering);
    const std::vector<int> nodes = arrange(rank, members(cells, mesh_.cell_nodes, corners), mesh_.node_first_cell,
                                           node_local_, part.node_numbering);
    const std::vector<int> faces = arrange(rank, members(cells, mesh_.cell_faces, corners), mesh_.face_first_cell,
                                           face_local_, part.face_numbering);
    part.cell_nodes = translate(members(cells, mesh_.cell_nodes, corners), node_local_);
    part.cell_faces = translate(members(cells, mesh_.cell_faces, corners), face_local_);
    part.cell_region = members(cells, mesh_.cell_region, 1);
    if (!mesh_.cell_swapped.empty()) part.cell_swapped = members(cells, mesh_.cell_swapped, 1);
    part.face_nodes = translate(members(faces, mesh_.face_nodes, d), node_local_);
    part.face_patch = members(faces, mesh_.face_patch, 1);
    part.points.reserve(nodes.size());
    part.pairs = mesh_.pairs;
    part.node_cell_count.reserve(nodes.size());
    for (int n : nodes) {
      part.points.push_back(mesh_.points[n]);
      part.node_cell_count.push_back(static_cast<int>(node_cells_[n].size()));
    }
    if (!mesh_.pairs.empty()) add_copies(cells, faces, part);
    if (d == 2) {
      part.edge_numbering = part.node_numbering;
      part.node_boundary_loop = members(nodes, mesh_.node_boundary_loop, 1);
    } else {
      const std::vector<int> edges =
          arrange(rank, members(faces, mesh_.face_edges, 3), mesh_.edge_first_cell, edge_local_, part.edge_numbering);
      part.edge_nodes = translate(members(edges, mesh_.edge_nodes, 2), node_local_);
      part.face_edges = translate(members(faces, mesh_.face_edges, 3), edge_local_);
    }
    return part;
  }

 private:
  /// The rank's own cells and `layers` layers around them.
  std::vector<int> grow(int rank, int layers) {
    std::vector<int> cells(cells_of_[rank].begin(), cells_of_[rank].end());
    for (int c : cells) in_part_[c] = 1;
    std::size_t begin = 0;
    const bool has_all = cells.size() == in_part_.size();
    for (int layer = 0; layer < layers && !has_all; ++layer) {
      const std::size_t end = cells.size();
      for (std::size_t k = begin; k < end; ++k) {
        for (const int n : mesh_.cell_nodes_of(cells[k])) {
          if (std::exchange(node_done_[n], 1)) continue;
          for (const int c : node_cells_[n]) {
            if (in_part_[c]) continue;
            in_part_[c] = 1;
            cells.push_back(c);
          }
        }
      }
      begin = end;
    }
    for (int c : cells) {
      in_part_[c] = 0;
      for (const int n : mesh_.cell_nodes_of(c)) node_done_[n] = 0;
    }
    return cells;
  }

  /// The rows of `table`, `width` wide, of these entities, concatenated.
  static std::vector<int> members(const std::vector<int>& entities, const std::vector<int>& table, int width) {
    std::vector<int> found;
    found.reserve(entities.size() * width);
    for (int e : entities) {
      const std::span<const int> row = row_of(table, e, width);
      found.insert(found.end(), row.begin(), row.end());
    }
    return found;
  }

  /// Adds the points of cells and faces of a periodic mesh, and the pairs of faces.
  void add_copies(const std::vector<int>& cells, const std::vector<int>& faces, MeshPart& part) {
    part.cell_points = members(cells, mesh_.cell_points, mesh_.corners());
    part.face_points = members(faces, mesh_.face_points, mesh_.dimension);
    part.face_pair = members(faces, mesh_.face_pair, 1);
    std::vector<int> copies;
    for (const auto* points : {&part.cell_points, &part.face_points}) {
      for (const int point : *points) {
        if (point >= mesh_.nodes()) copies.push_back(point - mesh_.nodes());
      }
    }
    std::sort(copies.begin(), copies.end());
    copies.erase(std::unique(copies.begin(), copies.end()), copies.end());
    const int nodes = static_cast<int>(part.points.size());
    for (const int copy : copies) {
      part.points.push_back(mesh_.points[mesh_.nodes() + copy]);
      part.copy_id.push_back(mesh_.nodes() + copy);
    }
    part.copy_node = translate(members(copies, mesh_.copy_node, 1), node_local_);
    part.copy_turns = members(copies, mesh_.copy_turns, static_cast<int>(mesh_.pairs.size()));
    for (auto* points : {&part.cell_points, &part.face_points}) {
      for (int& point : *points) {
        const int copy = point - mesh_.nodes();
        point = copy < 0
                    ? node_local_[point]
                    : nodes + static_cast<int>(std::lower_bound(copies.begin(), copies.end(), copy) - copies.begin());
      }
    }
  }

  static std::vector<int> translate(std::vector<int> global, const std::vector<int>& local) {
    for (int& id : global) id = local[id];
    return global;
  }

  /// Sorts the distinct entries of `listed` into local order: owned first, then the halo by owner. Fills `local`
  /// (global id -> local index) and `numbering`; returns the global ids in that order.
  std::vector<int> arrange(int rank, const std::vector<int>& listed, const std::vector<int>& first_cell,
                           std::vector<int>& local, LocalNumbering& numbering) const {
    constexpr int elsewhere = -1, met = -2;
    local.resize(first_cell.size(), elsewhere);
    for (const int id : listed) local[id] = elsewhere;
    std::vector<int> ids;
    for (const int id : listed) {
      if (local[id] != met) ids.push_back(id);
      local[id] = met;
    }
    const auto owner_of = [&](int id) { return owner_[first_cell[id]]; };
    const auto halo = std::stable_partition(ids.begin(), ids.end(), [&](int id) { return owner_of(id) == rank; });
    if (!std::is_sorted(ids.begin(), halo)) std::sort(ids.begin(), halo);
    std::sort(halo, ids.end(),
              [&](int a, int b) { return owner_of(a) != owner_of(b) ? owner_of(a) < owner_of(b) : a < b; });
    numbering.global_count = static_cast<std::int64_t>(first_cell.size());
    numbering.global_id.reserve(ids.size());
    numbering.owner.reserve(ids.size());
    for (int id : ids) {
      local[id] = numbering.total();
      numbering.global_id.push_back(id);
      numbering.owner.push_back(owner_[first_cell[id]]);
      numbering.owned += numbering.owner.back() == rank;
    }
    return ids;
  }

  const GlobalMesh& mesh_;
  const std::vector<int>& owner_;
  const Csr<int> node_cells_, cells_of_;
  std::vector<char> in_part_, node_done_;  // during grow(): cells of the part, and nodes whose cells are all in it
  std::vector<int> each_cell_, cell_local_, node_local_, face_local_, edge_local_;
};

/// Visits every array of a part, in the same order for sender and receiver.
template <class Part, class Visit>
void for_each_array(Part& part, const Visit& visit) {
  visit(part.points);
  for (auto* table :
       {&part.cell_nodes, &part.cell_faces, &part.cell_region, &part.cell_swapped, &part.face_nodes, &part.face_edges,
        &part.face_patch, &part.edge_nodes, &part.node_boundary_loop, &part.node_cell_count, &part.cell_points,
        &part.face_points, &part.face_pair, &part.copy_node, &part.copy_turns}) {
    visit(*table);
  }
  visit(part.copy_id);
  visit(part.boundary_loop_is_hole);
  for (auto* numbering : {&part.node_numbering, &part.edge_numbering, &part.face_numbering, &part.cell_numbering}) {
    visit(numbering->global_id);
    visit(numbering->owner);
  }
}

constexpr int tag = 17;
constexpr std::size_t chunk = std::size_t{1} << 28;  // bytes per message; MPI counts are 32-bit

void send_part(MPI_Comm comm, const MeshPart& part, int to) {
  for_each_array(part, [&](const auto& values) {
    const std::int64_t count = static_cast<std::int64_t>(values.size());
    MPI_Send(&count, 1, MPI_INT64_T, to, tag, comm);
    const std::size_t bytes = values.size() * sizeof(values[0]);
    const char* data = reinterpret_cast<const char*>(values.data());
    for (std::size_t sent = 0; sent < bytes; sent += chunk) {
      MPI_Send(data + sent, static_cast<int>(std::min(chunk, bytes - sent)), MPI_BYTE, to, tag, comm);
    }
  });
}

void receive_part(MPI_Comm comm, MeshPart& part) {
  for_each_array(part, [&](auto& values) {
    std::int64_t count = 0;
    MPI_Recv(&count, 1, MPI_INT64_T, 0, tag, comm, MPI_STATUS_IGNORE);
    values.resize(static_cast<std::size_t>(count));
    const std::size_t bytes = values.size() * sizeof(values[0]);
    char* data = reinterpret_cast<char*>(values.data());
    for (std::size_t got = 0; got < bytes; got += chunk) {
      MPI_Recv(data + got, static_cast<int>(std::min(chunk, bytes - got)), MPI_BYTE, 0, tag, comm, MPI_STATUS_IGNORE);
    }
  });
}

void broadcast_pairs(const Comm& comm, std::vector<PeriodicPair>& pairs) {
  std::vector<std::string> names;
  std::vector<real> translations;
  for (const PeriodicPair& pair : pairs) {
    names.insert(names.end(), {pair.first, pair.second});
    translations.insert(translations.end(), {pair.translation.x, pair.translation.y, pair.translation.z});
  }
  names = names_of_root(comm, names);
  translations.resize(names.size() / 2 * 3, 0);
  if (!comm.is_root()) std::fill(translations.begin(), translations.end(), real{0});
  comm.sum(std::span<real>(translations));
  pairs.clear();
  for (std::size_t k = 0; k < names.size() / 2; ++k) {
    const real* const by = &translations[3 * k];
    pairs.push_back({names[2 * k], names[2 * k + 1], {by[0], by[1], by[2]}});
  }
}

}  // namespace

MeshPart distribute(const Comm& comm, const std::optional<GlobalMesh>& mesh, const std::vector<int>& cell_owner,
                    int layers) {
  comm.require_outside_guard("distribute");
  MeshPart own;
  if (comm.is_root()) {
    PartCutter cutter(*mesh, cell_owner, comm.size());
    for (int rank = 1; rank < comm.size(); ++rank) send_part(comm.handle(), cutter.cut(rank, layers), rank);
    own = cutter.cut(0, layers);
  } else {
    receive_part(comm.handle(), own);
  }
  own.dimension = static_cast<int>(comm.max(std::int64_t{comm.is_root() ? own.dimension : 0}));
  own.patches = names_of_root(comm, own.patches);
  own.regions = names_of_root(comm, own.regions);
  broadcast_pairs(comm, own.pairs);
  for (LocalNumbering* numbering :
       {&own.node_numbering, &own.edge_numbering, &own.face_numbering, &own.cell_numbering}) {
    numbering->owned = static_cast<int>(std::count(numbering->owner.begin(), numbering->owner.end(), comm.rank()));
    numbering->global_count = comm.max(comm.is_root() ? numbering->global_count : std::int64_t{0});
  }
  return own;
}

}  // namespace solenoid
