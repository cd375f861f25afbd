#include "solve/multigrid/halo_numbering.hpp"

#include <algorithm>

namespace solenoid {

LocalNumbering with_halo(const LocalNumbering& owned, std::vector<HaloEntry> halo) {
  std::sort(halo.begin(), halo.end());
  halo.erase(std::unique(halo.begin(), halo.end()), halo.end());
  LocalNumbering result = owned;
  result.global_id.resize(owned.owned);
  result.owner.resize(owned.owned);
  for (const HaloEntry& entry : halo) {
    result.global_id.push_back(entry.id);
    result.owner.push_back(entry.owner);
  }
  return result;
}

int place_in_halo(const LocalNumbering& numbering, const HaloEntry& entry) {
  int first = numbering.owned, last = numbering.total();
  while (first < last) {
    const int middle = first + (last - first) / 2;
    if (HaloEntry{numbering.owner[middle], numbering.global_id[middle]} < entry) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return first;
}

}  // namespace solenoid
