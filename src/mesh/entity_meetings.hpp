/// Edges and faces of cells on several ranks, numbered in the order in which the cells first meet them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "base/comm.hpp"
#include "mesh/csr.hpp"
#include "mesh/host_exchange.hpp"
#include "mesh/row_blocks.hpp"

namespace solenoid {

/// An edge or face of the cells of one rank.
template <int width>
struct Meeting {
  std::array<std::int64_t, width> nodes;  ///< numbers in the whole mesh, ascending
  std::int64_t cell;                      ///< the first of the cells, by its number in the whole mesh
  int slot;                               ///< place among the sides or edges of that cell
  int cells = 1;                          ///< of a face: how many of the rank have it
  int sign = 0;          ///< of a face: of its normal, out of the cell, as Connectivity::face_sign; 0 between two cells
  int is_one_sided = 0;  ///< of a face: 1 if two cells of the rank lie on one side of it
  std::int64_t number = -1;  ///< in the whole mesh; set by number_meetings()

  bool is_same(const Meeting& other) const { return nodes == other.nodes; }
  friend bool operator<(const Meeting& a, const Meeting& b) {
    if (a.nodes != b.nodes) return a.nodes < b.nodes;
    return a.cell != b.cell ? a.cell < b.cell : a.slot < b.slot;
  }
};

/// Numbers the entities that cells meet. `own`: those of this rank's cells, each once, in the order of the first cells
/// and slots; the ranks hold consecutive cells. Sets `number` of each, and the blocks of the entities: a rank holds
/// those that its cells meet first. `met`: if given, receives the meetings of all ranks at entities whose
/// lowest node is in this rank's block of `node_blocks`, those of one entity side by side, the first of them first.
/// Collective.
template <int width>
void number_meetings(const Comm& comm, const RowBlocks& node_blocks, std::vector<Meeting<width>>& own,
                     RowBlocks& entity_blocks, std::vector<Meeting<width>>* met = nullptr) {
  std::vector<std::vector<Meeting<width>>> lists(comm.size());
  for (const Meeting<width>& m : own) lists[node_blocks.owner(m.nodes[0])].push_back(m);
  lists = exchange_lists(comm, lists);

  struct Place {
    Meeting<width> meeting;
    int rank, index;  // in the lists
    bool operator<(const Place& other) const { return meeting < other.meeting; }
  };
  const std::int64_t first_node = node_blocks.begin(comm.rank());
  const auto nodes = static_cast<int>(node_blocks.begin(comm.rank() + 1) - first_node);
  Csr<Place> at_node(nodes, [&](const auto& visit) {
    for (int rank = 0; rank < comm.size(); ++rank) {
      for (int k = 0; k < static_cast<int>(lists[rank].size()); ++k) {
        visit(static_cast<int>(lists[rank][k].nodes[0] - first_node), Place{lists[rank][k], rank, k});
      }
    }
  });
  std::vector<std::vector<char>> is_first(comm.size());
  std::vector<std::vector<std::int64_t>> numbers(comm.size());
  for (int rank = 0; rank < comm.size(); ++rank) {
    is_first[rank].assign(lists[rank].size(), 0);
    numbers[rank].assign(lists[rank].size(), 0);
  }
  lists = std::vector<std::vector<Meeting<width>>>();
  for (int n = 0; n < nodes; ++n) {
    const std::span<Place> here = at_node[n];
    std::sort(here.begin(), here.end());
    for (std::size_t k = 0; k < here.size(); ++k) {
      is_first[here[k].rank][here[k].index] = k == 0 || !here[k].meeting.is_same(here[k - 1].meeting);
    }
  }

  const std::vector<std::vector<char>> is_own = exchange_lists(comm, is_first);
  entity_blocks = RowBlocks(
      comm, std::accumulate(is_own.begin(), is_own.end(), std::int64_t{0},
                            [](auto sum, auto& list) { return sum + std::count(list.begin(), list.end(), 1); }));
  std::int64_t next = entity_blocks.begin(comm.rank());
  std::vector<std::vector<std::int64_t>> given(comm.size());
  const auto for_each_answer = [&](const auto& visit) {
    std::vector<std::size_t> place(comm.size(), 0);
    for (Meeting<width>& m : own) {
      const int home = node_blocks.owner(m.nodes[0]);
      visit(m, home, place[home]++);
    }
  };
  for_each_answer(
      [&](Meeting<width>&, int home, std::size_t k) { given[home].push_back(is_own[home][k] ? next++ : -1); });
  given = exchange_lists(comm, given);

  if (met) met->reserve(at_node.entries().size());
  for (int n = 0; n < nodes; ++n) {
    std::int64_t number = -1;
    for (Place& place : at_node[n]) {
      const std::int64_t first = given[place.rank][place.index];
      if (first >= 0) number = first;
      place.meeting.number = numbers[place.rank][place.index] = number;
      if (met) met->push_back(place.meeting);
    }
  }
  numbers = exchange_lists(comm, numbers);
  for_each_answer([&](Meeting<width>& m, int home, std::size_t k) { m.number = numbers[home][k]; });
}

}  // namespace solenoid
