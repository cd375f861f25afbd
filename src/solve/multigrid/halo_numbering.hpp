/// Numberings with a halo, built entry by entry.
#pragma once

#include <compare>
#include <vector>

#include "mesh/local_numbering.hpp"

namespace solenoid {

/// A halo entity, in the order of numberings.
struct HaloEntry {
  int owner;
  std::int64_t id;
  auto operator<=>(const HaloEntry&) const = default;
};

/// The owned entities of `owned` with these halo entities, in any order, duplicates allowed.
LocalNumbering with_halo(const LocalNumbering& owned, std::vector<HaloEntry> halo);

/// The local number of a halo entity.
int place_in_halo(const LocalNumbering& numbering, const HaloEntry& entry);

}  // namespace solenoid
