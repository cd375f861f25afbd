/// Material properties in the volume: one function for each volume group of the mesh.
#pragma once

#include <map>
#include <optional>

#include "mesh/topology.hpp"
#include "model/coefficient.hpp"
#include "model/frame.hpp"

namespace solenoid {

/// A user-supplied property, before there is a mesh.
struct MaterialProperty {
  std::string key;  ///< for messages: `conductivity` in [heat]
  Coefficient<real> everywhere;
  std::map<std::string, Coefficient<real>> of_region;  ///< by volume group; if empty, `everywhere` applies

  /// The property, with this unit, in `frame`.
  MaterialProperty transformed(const Frame& frame, const std::string& unit) const;
};

/// Mismatches between the volume groups of a mesh and a property of a case in `file`, one line each: a group without a
/// value, a value without a group, cells in no group.
std::vector<std::string> region_faults(const MaterialProperty& property, const GlobalMesh& mesh,
                                       const std::string& file);

/// A property on a mesh: a function for each of its volume groups, and one for cells in no group.
class OnRegions {
 public:
  OnRegions(const Coefficient<real>& everywhere = {}) : of_region_{everywhere} {}
  /// `regions`: the volume groups of the mesh, each of which has a value.
  OnRegions(const MaterialProperty& property, const std::vector<std::string>& regions);

  Dependence depends() const;
  /// `region`: the index of a volume group; -1: a cell in no group.
  const Coefficient<real>& in(int region) const {
    return of_region_.size() == 1 ? of_region_[0] : of_region_[region + 1];
  }

 private:
  std::vector<Coefficient<real>> of_region_;  // the first for cells in no group; if it is the only one, everywhere
};

}  // namespace solenoid
