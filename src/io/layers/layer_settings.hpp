/// The keys of [mesh.layers].
#pragma once

#include <string>
#include <vector>

#include "base/vec3.hpp"
#include "mesh/joined_points.hpp"

namespace solenoid {

/// [mesh.layers]: `count` layers on each of `patches`, the one at the wall `first` thick, each next `growth` times.
struct LayerSettings {
  std::vector<std::string> patches;
  double first = 0, growth = 1.2;
  int count = 0;  ///< 0: no layers

  double thickness() const;           ///< of all, in the unit of `first`
  std::vector<real> heights() const;  ///< of the ends of the layers, as parts of the thickness: from 0 to 1
  /// Identifies the settings, and the pairs of patches that get layers alike.
  std::string text(const PatchPairs& pairs) const;
};

}  // namespace solenoid
