#include "mesh/mesh_block.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "base/counts.hpp"
#include "base/error.hpp"
#include "mesh/entity_meetings.hpp"
#include "mesh/entity_numbers.hpp"
#include "mesh/host_exchange.hpp"
#include "mesh/mesh_rows.hpp"
#include "mesh/ordering.hpp"
#include "mesh/topology.hpp"

namespace solenoid {

namespace {

constexpr int corners = 4;
constexpr std::int64_t most_lists = 7;  // of edges and faces a cell, the longest of the tables to come
constexpr std::int64_t nowhere = std::numeric_limits<std::int64_t>::max();

using Side = Meeting<3>;
using Edge = Meeting<2>;

/// A cell of the source with its place on the curve; cells at one place keep their order.
struct CellOnCurve {
  std::uint64_t key;
  std::int64_t row, id;  // its own in the source; that of its file
  std::array<std::int64_t, corners> points;
  int region;

  friend bool operator<(const CellOnCurve& a, const CellOnCurve& b) {
    return a.key != b.key ? a.key < b.key : a.row < b.row;
  }
};

/// The corners of all cells, one cell after the other.
std::vector<std::int64_t> points_of(const std::vector<CellOnCurve>& cells) {
  std::vector<std::int64_t> points;
  points.reserve(corners * cells.size());
  for (const CellOnCurve& cell : cells) points.insert(points.end(), cell.points.begin(), cell.points.end());
  return points;
}

std::vector<CellOnCurve> cells_along_curve(const Comm& comm, const MeshSource& rows, const RowBlocks& point_blocks) {
  const RowBlocks source(comm, rows.cell_count());
  std::vector<CellOnCurve> cells(rows.cell_count());
  for (int c = 0; c < rows.cell_count(); ++c) {
    cells[c].row = source.begin(comm.rank()) + c;
    cells[c].id = rows.cell_ids.empty() ? cells[c].row + 1 : rows.cell_ids[c];
    cells[c].region = rows.cell_region[c];
    std::copy_n(rows.points_of_cell(c).begin(), corners, cells[c].points.begin());
  }
  const RowAccess access(comm, point_blocks, points_of(cells));
  const std::vector<Vec3> points = access.read(rows.points);
  std::vector<Vec3> centres(cells.size());
  Box own;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    for (const std::int64_t p : cells[c].points) centres[c] += points[access.place(p)];
    centres[c] *= real{1} / corners;
    own.include(centres[c]);
  }
  const std::vector<std::uint64_t> keys = hilbert_keys(centres, box_of_ranks(comm, own), 3);
  for (std::size_t c = 0; c < cells.size(); ++c) cells[c].key = keys[c];
  return sorted_over_ranks(comm, std::move(cells));
}

/// Connects the block of a rank.
class BlockBuilder {
 public:
  BlockBuilder(const Comm& comm, const MeshSource& rows)
      : comm_(comm), rows_(rows), point_blocks_(comm, std::ssize(rows.points)) {
    mesh_.patches = rows.patches;
    mesh_.regions = rows.regions;
  }

  MeshBlock built() {
    const std::int64_t all = comm_.sum(std::int64_t{rows_.cell_count()});
    comm_.guard([&] { count_on_rank(most_lists * (all / comm_.size() + 1), "edges and faces of cells"); });
    {
      const std::vector<CellOnCurve> cells = cells_along_curve(comm_, rows_, point_blocks_);
      mesh_.cell_blocks = RowBlocks(comm_, std::ssize(cells));
      number_nodes(cells);
    }
    number_edges();
    number_faces();
    return std::move(mesh_);
  }

 private:
  std::int64_t first_cell() const { return mesh_.cell_blocks.begin(comm_.rank()); }

  /// In the order in which cells meet them: the rank of the first cell numbers a node, through the rank that has its
  /// row.
  void number_nodes(const std::vector<CellOnCurve>& cells) {
    const RowAccess access(comm_, point_blocks_, points_of(cells));
    std::vector<std::int64_t> met(access.size(), nowhere);  // at this corner of all cells
    std::vector<int> place;
    place.reserve(corners * cells.size());
    for (const CellOnCurve& cell : cells) {
      for (const std::int64_t p : cell.points) {
        std::int64_t& first = met[place.emplace_back(access.place(p))];
        first = std::min(first, first_cell() * corners + std::ssize(place) - 1);
      }
    }
    std::vector<std::int64_t> first(rows_.points.size(), nowhere);
    access.write(met, [&](std::int64_t row, std::int64_t corner) { first[row] = std::min(first[row], corner); });
    const std::int64_t unused = comm_.sum(static_cast<std::int64_t>(std::count(first.begin(), first.end(), nowhere)));
    comm_.guard([&] {
      require_input(unused == 0, [&] { return message("{}: {} nodes belong to no cell", rows_.name, unused); });
    });
    first = access.read(first);

    std::int64_t own = 0;
    for (int k = 0; k < access.size(); ++k) own += first[k] == met[k];
    mesh_.node_blocks = RowBlocks(comm_, own);
    const std::vector<Vec3> points = access.read(rows_.points);
    const std::vector<std::int64_t> ids = read_ids(access);
    std::vector<std::int64_t> given(access.size(), -1);
    for (std::size_t corner = 0; corner < place.size(); ++corner) {
      const int k = place[corner];
      if (first[k] != first_cell() * corners + static_cast<std::int64_t>(corner)) continue;
      given[k] = mesh_.node_blocks.begin(comm_.rank()) + std::ssize(mesh_.points);
      mesh_.points.push_back(points[k]);
      node_ids_.push_back(ids[k]);
    }
    node_of_point_.resize(rows_.points.size());
    access.write(given, [&](std::int64_t row, std::int64_t node) {
      if (node >= 0) node_of_point_[row] = node;
    });
    node_number_ = access.read(node_of_point_);
    comm_.guard([&] {
      for (std::size_t c = 0; c < cells.size(); ++c) {
        const int* const at = &place[corners * c];
        add_cell(cells[c], {at[0], at[1], at[2], at[3]}, {points[at[0]], points[at[1]], points[at[2]], points[at[3]]});
      }
    });
  }

  std::vector<std::int64_t> read_ids(const RowAccess& access) const {
    if (comm_.max(std::ssize(rows_.point_ids)) > 0) return access.read(rows_.point_ids);
    std::vector<std::int64_t> ids = access.rows();
    for (std::int64_t& id : ids) ++id;
    return ids;
  }

  /// `local`: the places of its corners in node_number_.
  void add_cell(const CellOnCurve& cell, std::array<int, corners> local, const std::array<Vec3, corners>& x) {
    const Vec3 sides[] = {x[1] - x[0], x[2] - x[0], x[3] - x[0]};
    real longest = 0;  // squared
    for (const Vec3& side : sides) longest = std::max(longest, dot(side, side));
    longest = std::sqrt(longest);
    const real volume = dot(cross(sides[0], sides[1]), sides[2]) / 6;
    require_input(std::abs(volume) > 1e-12 * longest * longest * longest, [&] {
      return message("{}: cell {} near {} is flat (volume {:.2e}, longest side {:.2e} m): remesh, or remove it",
                     rows_.name, name_of_cell(cell), text_of_place(x[0]), volume, longest);
    });
    BlockCell& added = mesh_.cells.emplace_back();
    if (volume < 0) std::swap(local[2], local[3]);
    for (int k = 0; k < corners; ++k) added.nodes[k] = node_number_[local[k]];
    cell_nodes_.push_back(local);
    added.is_swapped = volume < 0;
    added.region = cell.region;
  }

  /// `local`: the places of its nodes in node_number_.
  template <int width>
  Meeting<width> meeting_at(const std::array<int, width>& local, std::int64_t cell, int slot) const {
    Meeting<width> met{{}, cell, slot};
    for (int k = 0; k < width; ++k) met.nodes[k] = node_number_[local[k]];
    std::sort(met.nodes.begin(), met.nodes.end());
    return met;
  }

  void number_edges() {
    std::vector<int> nodes;
    EntityNumbers<2> edges(static_cast<int>(node_number_.size()), nodes);
    std::vector<Edge> own;
    for (std::size_t c = 0; c < mesh_.cells.size(); ++c) {
      for (int k = 0; k < std::ssize(ends_of_edges); ++k) {
        std::array<int, 2> ends{cell_nodes_[c][ends_of_edges[k][0]], cell_nodes_[c][ends_of_edges[k][1]]};
        std::sort(ends.begin(), ends.end());
        const int edge = edges.number_of(ends);
        mesh_.cells[c].edges[k] = edge;
        if (edge == std::ssize(own)) own.push_back(meeting_at<2>(ends, first_cell() + static_cast<std::int64_t>(c), k));
      }
    }
    number_meetings(comm_, mesh_.node_blocks, own, mesh_.edge_blocks);
    for (BlockCell& cell : mesh_.cells) {
      for (std::int64_t& edge : cell.edges) edge = own[edge].number;
    }
  }

  void number_faces() {
    std::vector<int> nodes;
    EntityNumbers<3> faces(static_cast<int>(node_number_.size()), nodes);
    std::vector<Side> own;
    Connectivity single;
    single.dimension = 3;
    single.cell_nodes = {0, 1, 2, 3};
    for (std::size_t c = 0; c < mesh_.cells.size(); ++c) {
      BlockCell& cell = mesh_.cells[c];
      for (int k = 0; k < corners; ++k) {
        std::array<int, 3> side{};
        for (int j = 0, n = 0; j < corners; ++j) {
          if (j != k) side[n++] = cell_nodes_[c][j];
        }
        std::sort(side.begin(), side.end());
        const int face = faces.number_of(side);
        cell.faces[k] = face;
        const int sign = single.face_sign(0, k, [&](int a, int b) { return cell.nodes[a] < cell.nodes[b]; });
        if (face == std::ssize(own)) {
          own.push_back(meeting_at<3>(side, first_cell() + static_cast<std::int64_t>(c), k));
          own.back().sign = sign;
          continue;
        }
        Side& met = own[face];
        if (met.sign == sign) met.is_one_sided = 1;
        met.sign = 0;
        ++met.cells;
      }
    }
    std::vector<Side> met;
    number_meetings(comm_, mesh_.node_blocks, own, mesh_.face_blocks, &met);
    for (BlockCell& cell : mesh_.cells) {
      for (std::int64_t& face : cell.faces) face = own[face].number;
    }
    own = std::vector<Side>();
    require_two_cells(met);
    name_boundary(met);
  }

  /// Calls visit(sides) with what the ranks have of each face whose lowest node is in this rank's block.
  template <class Visit>
  static void for_each_face(const std::vector<Side>& met, const Visit& visit) {
    for (std::size_t begin = 0, end; begin < met.size(); begin = end) {
      for (end = begin + 1; end < met.size() && met[end].number == met[begin].number;) ++end;
      visit(std::span(met).subspan(begin, end - begin));
    }
  }

  static int cells_at(std::span<const Side> sides) {
    return std::accumulate(sides.begin(), sides.end(), 0, [](int sum, const Side& side) { return sum + side.cells; });
  }

  void require_two_cells(const std::vector<Side>& met) {
    comm_.guard([&] {
      for_each_face(met, [&](std::span<const Side> sides) {
        require_input(cells_at(sides) <= 2, [&] {
          return message("{}: {} cells share {}, expected 2 at most. Remove duplicated or overlapping cells",
                         rows_.name, cells_at(sides), name_of(sides[0]));
        });
      });
    });
    comm_.guard([&] {
      for_each_face(met, [&](std::span<const Side> sides) {
        const bool is_one_sided = sides.size() == 1 ? sides[0].is_one_sided == 1 : sides[0].sign == sides[1].sign;
        require_input(!is_one_sided, [&] {
          return message(
              "{}: two cells lie on the same side of {} between them: one is inverted (a node lies beyond its "
              "neighbours), or they overlap; remesh, or remove one",
              rows_.name, name_of(sides[0]));
        });
      });
    });
  }

  /// A boundary face of the source.
  struct Given {
    std::array<std::int64_t, 3> nodes;  // ascending
    int patch;
    bool operator<(const Given& other) const { return nodes < other.nodes; }
  };

  /// Those whose lowest node is in this rank's block, in ascending order of their nodes.
  std::vector<Given> given_faces() const {
    const RowAccess access(comm_, point_blocks_, {rows_.boundary_faces.begin(), rows_.boundary_faces.end()});
    const std::vector<std::int64_t> nodes = access.read(node_of_point_);
    std::vector<std::vector<Given>> lists(comm_.size());
    for (int k = 0; k < rows_.boundary_face_count(); ++k) {
      Given face{{}, rows_.boundary_patch[k]};
      for (int j = 0; j < 3; ++j) face.nodes[j] = nodes[access.place(rows_.points_of_boundary_face(k)[j])];
      std::sort(face.nodes.begin(), face.nodes.end());
      lists[mesh_.node_blocks.owner(face.nodes[0])].push_back(face);
    }
    std::vector<Given> given = joined_lists(exchange_lists(comm_, lists));
    std::sort(given.begin(), given.end());
    return given;
  }

  void name_boundary(const std::vector<Side>& met) {
    const std::vector<Given> given = given_faces();
    std::vector<std::pair<std::int64_t, int>> patches;  // of faces
    std::int64_t uncovered = 0;
    const Side* example = nullptr;
    comm_.guard([&] {
      auto next = given.begin();
      for_each_face(met, [&](std::span<const Side> sides) {
        const Side& side = sides[0];
        if (next != given.end() && next->nodes < side.nodes) fail_stray(*next);
        const auto first = next;
        while (next != given.end() && next->nodes == side.nodes) ++next;
        if (first == next) {
          if (cells_at(sides) == 1) ++uncovered, example = &side;
          return;
        }
        const std::string& patch = rows_.patches[first->patch];
        require_input(cells_at(sides) == 1, [&] {
          return message(
              "{}: boundary group \"{}\" has a face inside the domain, {}: boundary groups lie on the boundary only; "
              "take it out of the group, or cut the mesh open there",
              rows_.name, patch, name_of(side));
        });
        const auto other = std::find_if(first, next, [&](const Given& face) { return face.patch != first->patch; });
        require_input(other == next, [&] {
          return message("{}: {} is in the groups \"{}\" and \"{}\": put it into one of them", rows_.name,
                         name_of(side), patch, rows_.patches[other->patch]);
        });
        patches.push_back({side.number, first->patch});
      });
      if (next != given.end()) fail_stray(*next);
    });
    uncovered = comm_.sum(uncovered);
    comm_.guard([&] {
      require_input(!example, [&] {
        return message(
            "{}: {} boundary faces belong to no boundary group, one of them {}: add a Physical Surface for them; where "
            "the mesh should go on there, the two sides have nodes of their own: join them (in a .geo: `Coherence;`)",
            rows_.name, uncovered, name_of(*example));
      });
    });
    set_patches(patches);
  }

  [[noreturn]] void fail_stray(const Given& face) const {
    throw Error(ExitCode::bad_input,
                message("{}: boundary group \"{}\" has a face at {}, which is of no cell: take it out of the group",
                        rows_.name, rows_.patches[face.patch], name_of_node(face.nodes[0])));
  }

  void set_patches(std::vector<std::pair<std::int64_t, int>>& patches) {
    std::sort(patches.begin(), patches.end());
    std::vector<std::int64_t> faces;
    std::vector<int> values;
    for (const auto& [face, patch] : patches) faces.push_back(face), values.push_back(patch);
    const int rank = comm_.rank();
    mesh_.face_patch.assign(static_cast<std::size_t>(mesh_.face_blocks.begin(rank + 1) - mesh_.face_blocks.begin(rank)),
                            -1);
    RowAccess(comm_, mesh_.face_blocks, std::move(faces)).write(values, [&](std::int64_t face, int patch) {
      mesh_.face_patch[face] = patch;
    });
  }

  std::string name_of_cell(const CellOnCurve& cell) const {
    return message("{}{}", cell.id, cell.region < 0 ? "" : " of \"" + rows_.regions[cell.region] + "\"");
  }
  /// A node of this rank's block, for messages.
  std::string name_of_node(std::int64_t node) const {
    const std::int64_t place = node - mesh_.node_blocks.begin(comm_.rank());
    return message("the node {} at {}", node_ids_[place], text_of_place(mesh_.points[place]));
  }
  std::string name_of(const Side& side) const { return "a face at " + name_of_node(side.nodes[0]); }

  const Comm& comm_;
  const MeshSource& rows_;
  const RowBlocks point_blocks_;
  MeshBlock mesh_;
  std::vector<std::int64_t> node_number_;             // of the nodes of this rank's cells
  std::vector<std::array<int, corners>> cell_nodes_;  // of this rank's cells, places in node_number_
  std::vector<std::int64_t> node_of_point_;           // per row of the points
  std::vector<std::int64_t> node_ids_;                // the file's numbers of the block's nodes
};

}  // namespace

MeshBlock connect_in_blocks(const Comm& comm, const MeshSource& rows) {
  comm.require_outside_guard("connect_in_blocks");
  return BlockBuilder(comm, rows).built();
}

}  // namespace solenoid
