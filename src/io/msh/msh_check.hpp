/// The contents of a .msh file, checked as it is read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "io/msh/msh_records.hpp"

namespace solenoid {

enum class MshVersion { v2_2, v4_1 };

struct MshFormat {
  MshVersion version;
  bool binary;
};

/// What the first section of `file` tells. Throws an input error for others, as check_msh() does.
MshFormat format_of_msh(const std::filesystem::path& file, const std::string& name);

struct MshSummary : FileMesh {
  MshVersion version;
  std::vector<std::string> extras;  ///< unread sections, on which the mesh does not depend, in file order
};

/// Reads `file` once: format 2.2 or 4.1, text or binary in this machine's byte order. Checks names, entities, nodes and
/// elements: counts against the remaining bytes, before any allocation; numbers in range, known and unique; finite
/// coordinates; complete sections; elements of known types, and some of dimension 2 or 3. `name`:
/// the file in messages. Throws an input error at the first fault. With a `share` of a binary file of format 4.1 the
/// records and the count of cells are those of the share, and whether numbers are unique and known is left to the
/// caller.
MshSummary check_msh(const std::filesystem::path& file, const std::string& name, const MshShare& share = {});

}  // namespace solenoid
