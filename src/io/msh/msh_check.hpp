/// Check of a .msh file before Gmsh reads it: on damaged files Gmsh crashes, asks for any amount of memory, or returns
/// a part of the mesh.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace solenoid {

enum class MshVersion { v2_2, v4_1 };

/// A section that was not looked into: what a mesh is does not depend on it.
struct MshExtra {
  std::string name;          ///< with its $
  std::uint64_t begin, end;  ///< its bytes
};

struct MshSummary {
  MshVersion version;
  int dimension = 0;             ///< 2 or 3: of the highest elements
  std::int64_t cells = 0;        ///< elements of that dimension
  std::vector<MshExtra> extras;  ///< in the order of the file
};

/// Walks through `file` once: format 2.2 or 4.1, text or binary of this machine's byte order. Names, entities, nodes
/// and elements are all looked at: counts against the bytes that are left, before any memory is asked for; numbers that
/// are in range, known, and given once; finite coordinates; sections that end where they should; no other elements than
/// triangles, tetrahedra, lines and points, and some of dimension 2 or 3. `name` is what
/// messages call the file. Needs 8 bytes of memory a node and an element. Throws an input error at the first fault.
MshSummary check_msh(const std::filesystem::path& file, const std::string& name);

/// Writes `file` without `extras` to `copy`, for Gmsh, which would trust them. Throws an Error of exit code 1 where it
/// cannot be written.
void copy_without(const std::filesystem::path& file, const std::vector<MshExtra>& extras,
                  const std::filesystem::path& copy);

}  // namespace solenoid
