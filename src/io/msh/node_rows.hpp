/// The nodes of a .msh file shared out by rows, and those that the elements of a rank have.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/comm.hpp"
#include "io/msh/msh_records.hpp"
#include "io/msh/node_index.hpp"

namespace solenoid {

/// Nodes by ascending number, an even share on each rank.
struct NodeRows {
  struct Node {
    std::int64_t id;
    std::array<double, 3> x;  ///< as in the file
    friend bool operator<(const Node& a, const Node& b) { return a.id < b.id; }
  };
  std::vector<Node> nodes;
  std::vector<char> is_of_cell;  ///< whether each belongs to a cell, once find_element_nodes() has found out
};

/// Sorts the nodes of all ranks and leaves none in `records`. Collective. Throws a collective input error if a number
/// is there twice. `file`: its name in messages.
NodeRows sorted_nodes(const Comm& comm, MshRecords& records, const std::string& file);

/// The nodes of this rank's elements.
struct ElementNodes {
  NodeIndex index;
  std::vector<int> points;  ///< index in the whole table of points of each; -1: belongs to no cell

  int point_of(std::int64_t node) const { return points[static_cast<std::size_t>(index.find(node))]; }
};

/// The nodes of all elements in `found`; cells are those of its dimension. Collective. Throws a collective input error
/// if one of them is not there, or if more than 2^31 - 1 belong to cells.
ElementNodes find_element_nodes(const Comm& comm, NodeRows& rows, const FileMesh& found, const std::string& file);

}  // namespace solenoid
