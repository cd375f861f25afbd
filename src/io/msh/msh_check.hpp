/// The contents of a .msh file, checked as it is read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "io/msh/msh_records.hpp"

namespace solenoid {

enum class MshVersion { v2_2, v4_1 };

struct MshSummary : FileMesh {
  MshVersion version;
  std::vector<std::string> extras;  ///< unread sections, on which the mesh does not depend, in file order
};

/// Reads `file` once: format 2.2 or 4.1, text or binary in this machine's byte order. Checks names, entities, nodes and
/// elements: counts against the remaining bytes, before any allocation; numbers in range, known and unique; finite
/// coordinates; complete sections; elements of known types, and some of dimension 2 or 3. `name`:
/// the file in messages. Throws an input error at the first fault.
MshSummary check_msh(const std::filesystem::path& file, const std::string& name);

}  // namespace solenoid
