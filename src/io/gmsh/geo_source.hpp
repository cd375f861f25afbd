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

/// The hash of the content of `file`, continued from `hash`. Throws an input error if it cannot be read.
std::uint64_t hash_of_file(const std::filesystem::path& file, std::uint64_t hash = fnv1a(""));

struct GeoSource {
  std::uint64_t hash;              ///< of all the files' contents, and of the names by which they are read
  std::string unknown;             ///< a dependence of the mesh beyond `hash`, with its place; empty: none
  bool declares_size;              ///< has DefineConstant[ lc = ... ]: the edge length can be set from outside
  std::vector<std::string> deeds;  ///< places where it runs programs or writes files, or may, and how: "a.geo:3: ..."
};

/// Reads `file` and, recursively, the files that it includes or merges, and the data files that it names in quotes,
/// relative to the naming file or to the working directory. Throws an input error if a file cannot be read, or has an
/// `Exit;`, which would end this program.
GeoSource read_geo_source(const std::filesystem::path& file);

}  // namespace solenoid
