/// Names of a part's surfaces and volumes: from the tables [[mesh.group]], else from the file, else their numbers.
#pragma once

#include <string>
#include <vector>

#include "io/gmsh/part_model.hpp"

namespace solenoid {

struct PartNames {
  std::vector<std::string> of_surface;  ///< of each in PartModel::surfaces; empty: within the part, and in no group
  std::vector<std::string> of_volume;   ///< of each in PartModel::volumes; all empty for a single one without a name
};

/// Applies `groups` to the part in `file`. Throws an input error that names the group: one that selects nothing, or
/// what another has, a point as near to two surfaces, or the number of a surface in no group.
PartNames name_part(const PartModel& part, const std::vector<PartGroup>& groups, const std::string& file);

/// Makes Gmsh's physical groups of the names, in the order in which they occur.
void make_physical_groups(const PartModel& part, const PartNames& names);

/// Distance of a point to a surface, in the file's unit.
double distance_to(const PartSurface& surface, const Vec3& point, int dimension);

}  // namespace solenoid
