/// Numberings with a halo, built entry by entry.
#pragma once

#include <compare>
#include <vector>

#include "mesh/local_numbering.hpp"

namespace solenoid {

/// What may be in a halo: ordered as numberings are.
struct HaloEntry {
  int owner;
  std::int64_t id;
  auto operator<=>(const HaloEntry&) const = default;
};

/// What `owned` owns, with these in the halo, in any order and as often as they are named.
LocalNumbering with_halo(const LocalNumbering& owned, std::vector<HaloEntry> halo);

/// The local number of what is in the halo.
int place_in_halo(const LocalNumbering& numbering, const HaloEntry& entry);

}  // namespace solenoid
