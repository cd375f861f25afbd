/// The keys of [mesh.layers].
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/vec3.hpp"

namespace solenoid {

/// [mesh.layers]: `count` layers on each of `patches`, the one at the wall `first` thick, each next `growth` times.
struct LayerSettings {
  std::vector<std::string> patches;
  double first = 0, growth = 1.2;
  int count = 0;                                                ///< 0: no layers
  std::vector<std::pair<std::string, std::string>> pairs = {};  ///< patches that stay a translation apart

  double thickness() const;           ///< of all, in the unit of `first`
  std::vector<real> heights() const;  ///< of the ends of the layers, as parts of the thickness: from 0 to 1
  std::string text() const;           ///< identifies the settings
};

}  // namespace solenoid
