/// Boundary groups by the names in a case.
#pragma once

#include <string>
#include <vector>

namespace solenoid {

/// The place of each name among the mesh's patches. Throws Error where it is none of them.
std::vector<int> places_of(const std::vector<std::string>& names, const std::vector<std::string>& patches);

}  // namespace solenoid
