/// Check of a .msh file before Gmsh reads it: on damaged files Gmsh crashes, asks for any amount of memory, or returns
/// a part of the mesh.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace solenoid {

enum class MshVersion { v2_2, v4_1 };

/// An unchecked section, on which the mesh does not depend.
struct MshExtra {
  std::string name;          ///< with its $
  std::uint64_t begin, end;  ///< byte range
};

struct MshSummary {
  MshVersion version;
  int dimension = 0;             ///< 2 or 3: highest dimension of the elements
  std::int64_t cells = 0;        ///< elements of that dimension
  std::vector<MshExtra> extras;  ///< in file order
};

/// Scans `file` once: format 2.2 or 4.1, text or binary in this machine's byte order. Checks names, entities, nodes and
/// elements: counts against the remaining bytes, before any allocation; numbers in range, known and unique; finite
/// coordinates; complete sections; triangles, tetrahedra, lines and points only, and some of dimension 2 or 3. `name`:
/// the file in messages. Needs 8 bytes of memory per node and per element, in format 4.1 another 8 per node of a block.
/// Throws an input error at the first fault.
MshSummary check_msh(const std::filesystem::path& file, const std::string& name);

/// Writes `file` without `extras` to `copy`, for Gmsh, which does not check them. Throws an Error (exit code 1) if it
/// cannot be written.
void copy_without(const std::filesystem::path& file, const std::vector<MshExtra>& extras,
                  const std::filesystem::path& copy);

}  // namespace solenoid
