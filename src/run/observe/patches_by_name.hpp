/// Boundary groups by the names in a case.
#pragma once

#include <string>
#include <vector>

namespace solenoid {

/// The index of each name in the mesh's patches. Throws Error for an unknown name.
std::vector<int> places_of(const std::vector<std::string>& names, const std::vector<std::string>& patches);

}  // namespace solenoid
