/// Sections of a .msh file that describe the mesh, each walked and checked; formats 2.2 and 4.1, text and binary.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "io/msh/element_shapes.hpp"
#include "io/msh/msh_input.hpp"
#include "io/msh/msh_records.hpp"

namespace solenoid {

/// A set of the ids of nodes or elements in a file, in memory bounded by their number.
class IdSet {
 public:
  IdSet() = default;
  /// For `count` ids above 0, most of them at most 64 * count.
  explicit IdSet(std::int64_t count) : bits_(static_cast<std::size_t>(count) + 1, 0) {}

  /// False if the set already has it.
  bool insert(std::int64_t id) {
    if (!is_near(id)) return far_.insert(id).second;
    std::uint64_t& word = bits_[static_cast<std::size_t>(id / 64)];
    const std::uint64_t bit = std::uint64_t{1} << (id % 64);
    const bool is_new = (word & bit) == 0;
    word |= bit;
    return is_new;
  }
  bool contains(std::int64_t id) const {
    if (!is_near(id)) return far_.count(id) != 0;
    return (bits_[static_cast<std::size_t>(id / 64)] >> (id % 64) & 1) != 0;
  }

 private:
  bool is_near(std::int64_t id) const { return static_cast<std::uint64_t>(id) / 64 < bits_.size(); }

  std::vector<std::uint64_t> bits_;
  std::unordered_set<std::int64_t> far_;
};

/// Contents of the sections read so far.
struct MshContents {
  MshShare share;
  bool binary = false;
  bool has_entities = false;                        ///< the file lists its entities
  std::array<std::unordered_set<int>, 4> entities;  ///< their numbers, by dimension
  IdSet nodes;
  std::map<int, std::int64_t> elements;  ///< count by type, in the whole file
  MshRecords records;
};

/// Reads a section from behind its first line. It throws an input error that names the place in the file, the
/// entity, the content found and the content expected, unless the section is complete including its last line.
using MshSectionCheck = void (*)(MshInput&, MshContents&);

void check_physical_names(MshInput& in, MshContents& contents);

void check_nodes_22(MshInput& in, MshContents& contents);
void check_elements_22(MshInput& in, MshContents& contents);

void check_entities_41(MshInput& in, MshContents& contents);
void check_partitioned_entities_41(MshInput& in, MshContents& contents);
void check_nodes_41(MshInput& in, MshContents& contents);
void check_elements_41(MshInput& in, MshContents& contents);

/// One of Gmsh's element types: its corners are the first of its nodes.
struct MshElementType {
  int nodes;
  ElementShape shape;
};
/// Fails for a type that is not in the table.
MshElementType element_type(const MshInput& in, int type);

/// Of a type in the table.
ElementShape shape_of(int type);

/// Whether elements of a type are divided into simplices, and whether they have nodes beyond their corners.
bool is_divided(int type);
bool is_curved(int type);

/// Numbers and kinds of elements by type, of those for which `is_counted`: "3 hexahedra, 12 triangles of 6 nodes".
std::string census(const std::map<int, std::int64_t>& elements, bool (*is_counted)(int type));

/// Fails if no element of the file is of dimension 2 or 3.
void require_cells(const MshInput& in, const MshContents& contents);

/// Records the simplices of an element, all of its number; `corners`: its node numbers, corners first.
void append_element(MshContents& contents, int entity, std::int64_t id, ElementShape shape,
                    std::span<const std::int64_t> corners);

/// The mesh of sections that are complete.
FileMesh mesh_of_contents(MshContents contents);

/// Checks a node number of an element; fails unless the file, if it is read whole, has that node.
void check_node_of_element(MshInput& in, const MshContents& contents, std::int64_t node);

}  // namespace solenoid
