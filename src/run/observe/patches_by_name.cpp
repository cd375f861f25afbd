#include "run/observe/patches_by_name.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace solenoid {

std::vector<int> places_of(const std::vector<std::string>& names, const std::vector<std::string>& patches) {
  std::vector<int> places;
  for (const std::string& name : names) {
    const auto found = std::find(patches.begin(), patches.end(), name);
    require(found != patches.end(), [&] { return message("the mesh has no boundary group `{}`", name); });
    places.push_back(static_cast<int>(found - patches.begin()));
  }
  return places;
}

}  // namespace solenoid
