/// The mesh in a file as the file has it: nodes, elements and groups by its own numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "io/msh/element_shapes.hpp"

namespace solenoid {

/// The part of the nodes and of the elements of a file that is read, by their places in their sections: that of one
/// rank of many. The other parts, which only binary files of format 4.1 allow, are skipped: then numbers are not
/// compared with each other.
struct MshShare {
  std::int64_t rank = 0, ranks = 1;

  bool is_whole() const { return ranks == 1; }
  std::int64_t begin(std::int64_t total) const { return total * rank / ranks; }
  std::int64_t end(std::int64_t total) const { return total * (rank + 1) / ranks; }
};

/// Nothing but the first lines of sections and blocks.
inline constexpr MshShare headers_only{0, std::numeric_limits<std::int64_t>::max()};

/// Simplices of one dimension, in file order.
struct MshElements {
  /// Consecutive elements of one entity.
  struct Run {
    int entity;
    std::size_t end;  ///< place of the first element behind it
  };
  std::vector<Run> runs;
  std::vector<std::int64_t> ids;
  std::vector<std::int64_t> nodes;  ///< node numbers, dimension + 1 per element

  /// The next element is of this entity; its nodes follow.
  void begin(int entity, std::int64_t id) {
    if (runs.empty() || runs.back().entity != entity) runs.push_back({entity, ids.size()});
    ids.push_back(id);
    runs.back().end = ids.size();
  }
};

/// Elements that became simplices, as the file has them, in file order.
struct DividedElements {
  std::vector<ElementShape> shapes;
  std::vector<std::int64_t> nodes;       ///< numbers of the corners of each, in Gmsh's order
  std::vector<std::size_t> places = {};  ///< of the first node of its first simplex in those of its dimension
};

struct MshRecords {
  std::vector<std::int64_t> node_ids;
  std::vector<double> positions;                     ///< x, y, z per node
  std::array<MshElements, 4> elements;               ///< by dimension
  DividedElements divided;                           ///< without polyhedra
  std::map<std::pair<int, int>, std::string> names;  ///< of the physical groups, by dimension and number
  /// Physical groups of each entity, by dimension and number. Format 2.2 assigns groups to elements: there the entities
  /// are the groups, and entity 0 is in none.
  std::array<std::map<int, std::vector<int>>, 4> groups;
};

/// The records, and words on the elements.
struct FileMesh {
  int dimension = 0;            ///< 2 or 3: highest dimension of the elements
  std::int64_t cells = 0;       ///< simplices of that dimension
  std::string divided, curved;  ///< elements that became simplices; that were read by their corners; may be empty
  MshRecords records;
};

}  // namespace solenoid
