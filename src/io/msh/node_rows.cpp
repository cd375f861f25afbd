#include "io/msh/node_rows.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "io/msh/msh_refusals.hpp"
#include "mesh/host_exchange.hpp"
#include "mesh/row_blocks.hpp"

namespace solenoid {

namespace {

constexpr std::int64_t most_points = std::numeric_limits<int>::max();

/// The rows of the nodes of these numbers, which ascend; -1: not there. Collective.
std::vector<std::int64_t> rows_of_nodes(const Comm& comm, const RowBlocks& blocks,
                                        const std::vector<NodeRows::Node>& nodes,
                                        const std::vector<std::int64_t>& ids) {
  std::vector<std::int64_t> first = comm.gather(nodes.empty() ? 0 : nodes.front().id);
  for (int rank = comm.size() - 2; rank >= 0; --rank) {
    if (first[rank] == 0) first[rank] = first[rank + 1];  // without nodes: the next rank's
  }
  std::vector<std::vector<std::int64_t>> asked(comm.size());
  for (const std::int64_t id : ids) {
    asked[std::upper_bound(first.begin() + 1, first.end(), id) - first.begin() - 1].push_back(id);
  }
  asked = exchange_lists(comm, asked);
  for (auto& list : asked) {
    for (std::int64_t& id : list) {
      const auto found = std::lower_bound(nodes.begin(), nodes.end(), NodeRows::Node{id, {}});
      const bool is_there = found != nodes.end() && found->id == id;
      id = is_there ? blocks.begin(comm.rank()) + (found - nodes.begin()) : -1;
    }
  }
  return exchanged(comm, std::move(asked));
}

}  // namespace

NodeRows sorted_nodes(const Comm& comm, MshRecords& records, const std::string& file) {
  std::vector<NodeRows::Node> nodes(records.node_ids.size());
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const double* x = &records.positions[3 * n];
    nodes[n] = {records.node_ids[n], {x[0], x[1], x[2]}};
  }
  records.node_ids = std::vector<std::int64_t>();  // `{}` would keep the memory
  records.positions = std::vector<double>();
  nodes = sorted_over_ranks(comm, std::move(nodes));
  check_neighbours(comm, nodes, [&](const NodeRows::Node& a, const NodeRows::Node& b) {
    if (a.id == b.id) refuse_second("$Nodes", "node", a.id, file);
  });
  return {std::move(nodes), {}};
}

ElementNodes find_element_nodes(const Comm& comm, NodeRows& rows, const FileMesh& found, const std::string& file) {
  const std::array<MshElements, 4>& elements = found.records.elements;
  ElementNodes own{NodeIndex({elements[0].nodes, elements[1].nodes, elements[2].nodes, elements[3].nodes}), {}};
  const RowBlocks blocks(comm, std::ssize(rows.nodes));
  const std::vector<std::int64_t> row_of = rows_of_nodes(comm, blocks, rows.nodes, own.index.ids());
  std::vector<char> is_of_cell(row_of.size(), 0);
  comm.guard([&] {
    for (int d = 0; d <= 3; ++d) {
      const MshElements& of_dimension = elements[static_cast<std::size_t>(d)];
      for (std::size_t k = 0; k < of_dimension.nodes.size(); ++k) {
        const auto at = static_cast<std::size_t>(own.index.find(of_dimension.nodes[k]));
        require_input(row_of[at] >= 0, [&] {
          return message(
              "{}: $Elements, element {}: has node {}, which is not among the nodes of the file; the file is damaged: "
              "write the mesh again",
              file, of_dimension.ids[k / static_cast<std::size_t>(d + 1)], of_dimension.nodes[k]);
        });
        if (d == found.dimension) is_of_cell[at] = 1;
      }
    }
  });
  const RowAccess access(comm, blocks, row_of);
  rows.is_of_cell.assign(rows.nodes.size(), 0);
  access.write(is_of_cell,
               [&](std::int64_t row, char of_cell) { rows.is_of_cell[static_cast<std::size_t>(row)] |= of_cell; });

  const RowBlocks points(comm, std::count(rows.is_of_cell.begin(), rows.is_of_cell.end(), char{1}));
  require_on_all_ranks(
      points.count() <= most_points,
      [&] {
        return message("{}: {} points are more than Solenoid can number ({})", file, points.count(), most_points);
      },
      ExitCode::bad_input);
  std::vector<int> numbers;
  std::int64_t next = points.begin(comm.rank());
  for (const char of_cell : rows.is_of_cell) numbers.push_back(of_cell ? static_cast<int>(next++) : -1);
  own.points = access.read(numbers);
  return own;
}

}  // namespace solenoid
