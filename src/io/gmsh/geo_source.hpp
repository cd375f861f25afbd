/// Dependencies of the mesh of a .geo file (its text and that of every file it reads) and side effects of its program.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace solenoid {

/// 64-bit FNV-1a hash of `bytes`, continued from `hash`.  Fowler, Noll, Vo: IETF draft-eastlake-fnv.
std::uint64_t fnv1a(std::string_view bytes, std::uint64_t hash = 14695981039346656037ull);

/// The hash of what `file` holds, continued from `hash`. Throws an input error if it cannot be read.
std::uint64_t hash_of_file(const std::filesystem::path& file, std::uint64_t hash = fnv1a(""));

struct GeoSource {
  std::uint64_t hash;              ///< of all the files' contents and of the names they are read by
  std::string unknown;             ///< what the mesh depends on beyond `hash`, with its place; empty: nothing
  bool declares_size;              ///< DefineConstant[ lc = ... ] is there: the edge length can be set from outside
  std::vector<std::string> deeds;  ///< where it runs programs or writes files, or may, and how: "a.geo:3: ..."
};

/// Reads `file` and, recursively, the files that it includes or merges and the data files named in it, in quotes and
/// relative to the file that names them. Throws an input error if a file cannot be read, or has an `Exit;`, which would
/// end this program.
GeoSource read_geo_source(const std::filesystem::path& file);

}  // namespace solenoid
