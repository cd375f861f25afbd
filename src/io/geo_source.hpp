/// What the mesh of a .geo file depends on: its text and that of every file it includes or merges.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace solenoid {

/// 64-bit FNV-1a hash of `bytes`, continued from `hash`.  Fowler, Noll, Vo: IETF draft-eastlake-fnv.
std::uint64_t fnv1a(std::string_view bytes, std::uint64_t hash = 14695981039346656037ull);

struct GeoSource {
  std::uint64_t hash;  ///< of all the files' contents and of the names they are included by
  bool complete;       ///< false: a file name is computed in the .geo, so not every file is known
  bool declares_size;  ///< DefineConstant[ lc = ... ] is there: the edge length can be set from outside
};

/// Reads `file` and, recursively, the files named in it (in quotes, relative to the file that names them).
/// Throws an input error if `file` cannot be read.
GeoSource read_geo_source(const std::filesystem::path& file);

}  // namespace solenoid
