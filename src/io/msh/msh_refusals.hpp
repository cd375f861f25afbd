/// What makes the mesh in a file unfit, and groups of its elements: for readers on one rank and on all.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/vec3.hpp"
#include "io/msh/msh_mesh.hpp"
#include "io/msh/msh_records.hpp"

namespace solenoid {

// `file`: its name in messages. Every function throws an input error for what it refuses.

/// A physical group and its entities. Every element of an entity is in all of the entity's groups.
struct MshGroup {
  int number;
  std::string name;
  std::vector<int> entities;
};

/// The groups of one dimension, by number. Refuses two of the same name.
std::vector<MshGroup> groups_of(const MshRecords& records, int dimension, const std::string& file);

/// "`NAME`", or "no group" for -1.
std::string group_in_words(const std::vector<std::string>& names, int group);

/// The position [m] of a node; `x`: its coordinates in the file. Refuses what is too far away.
Vec3 position_of_node(const double* x, const LengthUnits& unit, std::int64_t id, const std::string& file);

/// Refuses triangles outside a plane z = const, to within 1e-8 of the mesh's extent; `box`: around all points.
void check_plane(const Box& box, const std::string& file);

/// Refuses an element with a repeated node.
void check_corners(std::span<const std::int64_t> nodes, std::int64_t id, const std::string& file);

/// The same for the same nodes in any order; for others it differs, but for a chance of 2^-64.
std::int64_t hash_of_corners(std::span<const std::int64_t> nodes);

/// Refuses a number that is there twice; `kind`: "node" or "element".
[[noreturn]] void refuse_second(const char* section, const char* kind, std::int64_t id, const std::string& file);

/// An element in messages.
struct NamedElement {
  std::int64_t id;
  std::string group;  ///< in words
};

/// Refuses two elements of `dimension` with the same nodes, or one in two groups.
[[noreturn]] void refuse_same_nodes(const NamedElement& a, const NamedElement& b, int dimension,
                                    const std::string& file);

/// Refuses a boundary element with a node of no cell.
[[noreturn]] void refuse_foreign_node(std::int64_t node, const NamedElement& element, const std::string& file);

/// Refuses a mesh without groups of its boundary.
void check_boundary_names(const std::vector<std::string>& names, int dimension, std::int64_t cells,
                          const std::string& file);

}  // namespace solenoid
