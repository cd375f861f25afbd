/// The valid name nearest to a mistyped one, for "did you mean" in messages.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace solenoid {

/// The candidate nearest to `wanted`: fewest letters changed, missing, added or swapped with a neighbour (restricted
/// Damerau-Levenshtein distance; upper and lower case count as equal). The first one if several are equally near;
/// nullopt if more than a third of the letters of the longer name differ (one letter is always allowed).
std::optional<std::string> nearest_name(const std::string& wanted, const std::vector<std::string>& candidates);

}  // namespace solenoid
